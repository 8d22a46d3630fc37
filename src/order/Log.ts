import { keep } from '../base/plain.ts'
import type { Stamp } from '../base/stamp.ts'
import { fold, type EditOperation, type Operation } from '../normalize/fold.ts'
import { Draft } from '../store/Draft.ts'
import { Cell, Table, type State } from '../store/State.ts'

/** With more operations than this above an open read, the read is overtaken. */
const OPERATION_LIMIT = 10_000

/** Operations at a position in the order: that of their stamp. */
export interface LogEntry {
  readonly operations: readonly Operation[]
  readonly stamp: Stamp
  /** It came too late for its position: it only adds what is missing. */
  readonly overtaken?: boolean | undefined
  /** It worked before: an updater that does not apply now may apply when a late read has landed below it. */
  readonly isReplay?: boolean
  /** It is shown over the base. */
  readonly pending?: boolean
}

/** A read in flight. Its position is where it started. */
export interface OpenRead {
  readonly fetchedAt: number
  readonly date: number
  readonly epoch: number
  /** Too much happened since it started. */
  overtaken: boolean
  /** The operations of the calls that ended while this read was in flight. Its answer may lack them: the server may have made it before it handled those calls. */
  readonly above: (readonly Operation[])[]
}

/**
 * The operations since the oldest open read started. While no read is open, nothing is logged. A read that lands late is
 * inserted at its position, and the cells it touches are rebuilt from the floor through the log.
 */
export class Log {
  /** The base below the first entry. */
  #floor: State
  #entries: LogEntry[] = []
  readonly #reads = new Set<OpenRead>()

  constructor(state: State) {
    this.#floor = state
  }

  /** The position of the oldest open read. */
  get oldest(): number {
    for (const { fetchedAt } of this.#reads) return fetchedAt
    return Infinity
  }

  begin(read: OpenRead, base: State): OpenRead {
    this.#compact(base)
    this.#reads.add(read)
    return read
  }

  end(read: OpenRead, base: State): void {
    if (this.#reads.delete(read)) this.#compact(base)
  }

  /** A call with these operations has ended. */
  ended(operations: readonly Operation[]): void {
    for (const { above } of this.#reads) above.push(operations)
  }

  /** The base after `entry`. */
  land(base: State, entry: LogEntry): State {
    if (entry.overtaken || !this.#reads.size) return apply(base, entry)
    // From the end: most entries are the newest.
    const at = this.#entries.findLastIndex(({ stamp }) => stamp.fetchedAt < entry.stamp.fetchedAt) + 1
    const next = at === this.#entries.length ? apply(base, entry) : this.#rebuild(base, this.#entries.toSpliced(at, 0, entry), entry)
    this.#entries.splice(at, 0, entry)
    if (this.#entries.reduce((sum, { operations }) => sum + operations.length, 0) > OPERATION_LIMIT) {
      for (const read of this.#reads) read.overtaken = true
      this.reset(next)
    }
    return next
  }

  /** The base without `entry`; undefined when it is no longer in the log. */
  withdraw(base: State, entry: LogEntry): State | undefined {
    const left = this.#entries.filter(each => each !== entry)
    if (left.length === this.#entries.length) return undefined
    const next = this.#rebuild(base, left, entry)
    this.#entries = left
    return next
  }

  /** Starts again from `state`; nothing is open. */
  reset(state: State): void {
    this.#reads.clear()
    this.#compact(state)
  }

  /** Entries that no open read can lie beneath leave the log. */
  #compact(base: State): void {
    const { oldest } = this
    const below = this.#entries.filter(({ stamp }) => stamp.fetchedAt < oldest)
    this.#entries.splice(0, below.length)
    // A late read may have landed beneath an entry.
    this.#floor = oldest === Infinity ? base : below.reduce((floor, entry) => apply(floor, { ...entry, isReplay: true }), this.#floor)
  }

  /** The base with the cells of `changed` folded again: from the floor, through `entries`. */
  #rebuild(base: State, entries: readonly LogEntry[], changed: LogEntry): State {
    const only = affected(entries, changed)
    const draft = new Draft(base)
    const cells = [...only].flatMap(target => (target instanceof Table ? target.bySlot : target))
    for (const cell of cells) {
      draft.write(cell, this.#floor.read(cell))
      if (cell.isEntity) draft.setStamp(cell, this.#floor.stamp(cell))
    }
    for (const { operations, stamp } of entries) fold(draft, operations, { stamp, only, isReplay: true })
    for (const cell of cells) {
      const row = draft.read(cell)
      if (row === undefined) continue
      draft.write(cell, keep(base.read(cell), row))
      // A patch has brought it back, above a write that is gone.
      if (draft.stamp(cell)?.deleted) draft.setStamp(cell)
    }
    return draft.finish()
  }
}

export function apply(base: State, entry: LogEntry): State {
  const draft = new Draft(base)
  fold(draft, entry.operations, entry)
  return draft.finish()
}

/** The cells and tables that folding `changed` again can reach. */
function affected(entries: readonly LogEntry[], changed: LogEntry): Set<Cell | Table> {
  const reached = new Set<Cell | Table>(changed.operations.flatMap(reachOf))
  const touches = (target: Cell | Table): boolean => reached.has(target) || (target instanceof Cell ? reached.has(target.table) : target.bySlot.some(cell => reached.has(cell)))
  const groups = entries.flatMap(linkedIn)
  for (let size = 0; size < reached.size; ) {
    size = reached.size
    for (const group of groups) if (group.some(touches)) for (const target of group) reached.add(target)
  }
  return reached
}

/** Cells and tables that must be folded as one: a move compares old and new values of records, and an updater may write into other rows. */
function linkedIn({ operations }: LogEntry): (Cell | Table)[][] {
  const links = operations.filter(operation => (operation.type === 'members' ? operation.readsRecords : (operation as EditOperation).nested))
  return links.map(operation => (operation.type === 'members' ? [operation.table, ...operations.flatMap(each => (each.type === 'write' ? each.cell : []))] : reachOf(operation)))
}

function reachOf(operation: Operation): (Cell | Table)[] {
  if (operation.type === 'members') return [operation.table]
  return operation.type === 'edit' ? [operation.cell, ...(operation.nested ?? [])] : [operation.cell]
}
