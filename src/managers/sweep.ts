import type { Stamp } from '../base/stamp.ts'
import type { AnyEndpoint } from '../endpoint/types.ts'
import type { EntityClass } from '../schema/interface.ts'
import type { Cell } from '../store/cell.ts'
import { forEachResult, forEachRow } from '../store/changes.ts'
import { cellsOf, readResult, rowOf, type State } from '../store/state.ts'
import { compareVectors, Vector } from '../store/vector.ts'
import { queryKey } from '../view/query.ts'
import { Reach } from '../view/reach.ts'
import type { Use } from '../view/use.ts'

/** What is known of an endpoint key. Another object when anything of it has changed. */
export interface EndpointStatus {
  readonly endpoint: AnyEndpoint | undefined
  readonly args: readonly unknown[]
  readonly expiresAt: number
  readonly fetching: number
}

/** What a collector sees of a controller. */
export interface Heap {
  readonly state: State
  readonly statuses: { keys(): Iterable<string>; get(key: string): EndpointStatus }
  /** Tells what somebody reads or holds. */
  forEachUse(use: Use): void
  /** Tells the cells that something under way will write to, or go back to. */
  forEachHeld(visit: (cell: Cell) => void): void
  /** Empties cells, and forgets what was known of those that are endpoints. */
  collect(cells: readonly Cell[]): void
}

/** How many cells are looked at before the clock is; and how many go in one commit. */
const STEP = 64
const BATCH = 512

/**
 * One round of collection: finds everything that somebody reads, all that endpoints show whose time is not over, and
 * lets the rest go, if it has been of no use for long enough.
 *
 * It works in steps, and commits come between them. So it never trusts what it found: a row that has changed is gone
 * through again; one that was written is new; and who reads is asked again in the very step in which something goes.
 */
export class Sweep implements Use {
  readonly #heap: Heap
  readonly #now: number
  readonly #tick: number
  readonly #after: number
  readonly #limit: number
  readonly #reach: Reach
  #state: State
  /** Marks what is reached as used, and not only as kept. */
  #using = true
  #rows = 0
  /** Lists that were gone through, and by which schema: they never change. */
  readonly #walked = new WeakMap<object, unknown>()

  constructor(heap: Heap, now: number, after: number, limit: number) {
    this.#heap = heap
    this.#now = now
    // A whole number, because it stands in every cell; never 0, which is what writing leaves there.
    this.#tick = Math.floor(now) + 1
    this.#after = after
    this.#state = heap.state
    this.#limit = rowsIn(heap.state) > limit ? limit : Infinity
    this.#reach = new Reach(heap.state, cell => this.#reached(cell), true)
  }

  *steps(): Generator<undefined, void, undefined> {
    // What is known of an endpoint without a result goes the same way.
    for (const key of this.#heap.statuses.keys()) {
      const cell = this.#state.cells!.endpoints.intern(key, [])
      if (cell.used < 0) cell.used = 0
      if (this.#statusOf(cell).fetching > 0) this.#keep(cell)
    }
    this.#markUse()
    yield* this.#run()
    this.#using = false
    const endpoints = yield* this.#endpoints()
    const rows = yield* this.#idleRows()
    yield* this.#collect([...endpoints.keys()], cell => this.#statusOf(cell) === endpoints.get(cell) || this.#keep(cell))
    yield* this.#collect(rows, () => true)
    yield
    this.#lookAgain()
    this.#state.cells!.attic.clear(cell => this.#reach.has(cell))
  }

  query(schema: unknown, args: readonly unknown[]): void {
    this.#follow(schema, () => queryKey(schema, args, this.#state), args)
  }

  result(schema: unknown, endpointKey: string, args: readonly unknown[]): void {
    const cell = this.#state.cells!.endpoints.find(endpointKey)
    if (cell === undefined) return
    this.#keep(cell)
    this.#follow(schema, () => readResult(this.#state, endpointKey), args)
  }

  row(key: string, pk: string, entity?: unknown): void {
    const cell = this.#state.cells!.find(key)?.find(pk)
    if (cell !== undefined) this.#hold(cell, entity)
  }

  table(key: string): void {
    this.#reach.all(key)
    for (const cell of cellsOf(this.#state, key) ?? []) this.#hold(cell)
  }

  #hold(cell: Cell, schema: unknown = cell.table.owner): void {
    if (cell.table.ordinal < 0) this.#keep(cell)
    else if (typeof schema === 'function') this.#reach.mark(cell, schema as unknown as EntityClass)
    else {
      this.#reach.mark(cell)
      if (schema !== undefined) this.#follow(schema, () => cell.pk, [])
    }
  }

  /** An endpoint's result stays, and what it shows. Always false. */
  #keep(cell: Cell): boolean {
    this.#reach.mark(cell)
    const { endpoint, args } = this.#statusOf(cell)
    if (endpoint !== undefined) this.#follow(endpoint.schema, () => readResult(this.#state, cell.pk), args)
    return false
  }

  #follow(schema: unknown, find: () => unknown, args: readonly unknown[]): void {
    if (!schema) return
    try {
      const stored = find()
      if (typeof stored === 'object' && stored !== null) {
        if (this.#walked.get(stored) === schema) return
        this.#walked.set(stored, schema)
      }
      this.#reach.follow(schema, stored, args)
    } catch {
      // A class or schema that throws when it is asked shows nothing, and so keeps nothing.
    }
  }

  #reached(cell: Cell): void {
    if (this.#using || cell.used === 0) cell.used = this.#tick
    if (cell.table.ordinal >= 0 && rowOf(this.#state, cell) !== undefined) this.#rows++
  }

  #markUse(): void {
    this.#heap.forEachUse(this)
    this.#heap.forEachHeld(cell => this.#hold(cell))
  }

  *#run(): Generator<undefined, void, undefined> {
    while (!this.#reach.run(STEP)) {
      yield
      this.#catchUp()
    }
  }

  /** Goes through what has changed since the last step. */
  #catchUp(): void {
    const { state } = this.#heap
    if (state === this.#state) return
    const before = this.#state
    this.#state = this.#reach.state = state
    // What was written just now is there for a while, with what it shows, also if it says what was there already.
    const renewed = (cell: Cell): void => void (rowOf(state, cell) !== undefined && this.#hold(cell))
    forEachRow(before, state, cell => {
      this.#reach.again(cell)
      renewed(cell)
    })
    for (const table of state.cells!.tables) {
      const [from, to] = [before, state].map(({ stamps }) => stamps.tables[table.ordinal] ?? new Vector<Stamp>())
      compareVectors(from!, to!, slot => renewed(table.at(slot)!))
    }
    forEachResult(before, state, cell => void this.#keep(cell))
  }

  /** Everything that is needed at this very moment is marked. */
  #lookAgain(): void {
    this.#catchUp()
    this.#using = true
    this.#markUse()
    this.#reach.run()
    this.#using = false
  }

  /** Lets those of `cells` go that nobody needs by then, and that `which` says to, a batch at a time. */
  *#collect(cells: readonly Cell[], which: (cell: Cell) => boolean): Generator<undefined, void, undefined> {
    for (let at = 0; at < cells.length; at += BATCH) {
      yield
      this.#lookAgain()
      const batch = cells.slice(at, at + BATCH).filter(which)
      const idle = batch.filter(cell => this.#isIdle(cell) && cell.used !== 0)
      if (idle.length > 0) this.#heap.collect(idle)
      // What goes now and comes again before the next step would seem never to have been away, and not to be new.
      this.#catchUp()
    }
  }

  #statusOf(cell: Cell): EndpointStatus {
    return this.#heap.statuses.get(cell.pk)
  }

  #isIdle(cell: Cell): boolean {
    return cell.used >= 0 && cell.watch === undefined && !this.#reach.has(cell)
  }

  #isOver(cell: Cell, expiresAt = 0): boolean {
    if (cell.used === 0) cell.used = this.#tick
    return this.#now >= Math.max(cell.used - 1, expiresAt) + this.#after
  }

  /** Keeps the endpoints whose time is not over, as far as there is room, and gives the others. */
  *#endpoints(): Generator<undefined, Map<Cell, EndpointStatus>, undefined> {
    const over = new Map<Cell, EndpointStatus>()
    const kept: Cell[] = []
    for (const cell of yield* this.#idle(this.#state.cells!.endpoints.cells())) {
      const status = this.#statusOf(cell)
      if (status.fetching > 0 || !this.#isOver(cell, status.expiresAt)) kept.push(cell)
      else over.set(cell, status)
    }
    if (this.#limit < Infinity) kept.sort(newestFirst)
    for (const cell of kept) {
      if (this.#rows >= this.#limit && this.#statusOf(cell).fetching === 0) over.set(cell, this.#statusOf(cell))
      else {
        this.#keep(cell)
        yield* this.#run()
      }
    }
    return over
  }

  /** The rows, stamps and bare cells that nothing reaches, and whose time is over; and past the limit those that were of use the longest ago. */
  *#idleRows(): Generator<undefined, Cell[], undefined> {
    const over: Cell[] = []
    const young: Cell[] = []
    for (const table of this.#state.cells!.tables) {
      for (const cell of yield* this.#idle(table.cells())) (this.#isOver(cell) ? over : young).push(cell)
    }
    const room = Math.max(0, this.#limit - this.#rows)
    if (young.length > room) over.push(...young.sort(newestFirst).splice(room))
    // What stays for now stays whole.
    for (const cell of young) this.#hold(cell)
    yield* this.#run()
    return over
  }

  *#idle(cells: Iterable<Cell>): Generator<undefined, Cell[], undefined> {
    const idle: Cell[] = []
    let count = 0
    for (const cell of cells) {
      if (this.#isIdle(cell)) idle.push(cell)
      if (++count % STEP > 0) continue
      yield
      this.#catchUp()
    }
    return idle
  }
}

function rowsIn({ entities }: State): number {
  return entities.tables.reduce((sum, rows) => sum + (rows?.size ?? 0), 0)
}

/** By last use; what was written since the last round is newest. Of equals, the one that came later. */
function newestFirst(a: Cell, b: Cell): number {
  return b.used - a.used || b.slot - a.slot
}
