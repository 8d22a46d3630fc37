import type { AnyEndpoint } from '../endpoint/types.ts'
import type { EntityClass } from '../schema/interface.ts'
import type { Cell } from '../store/cell.ts'
import { forEachResult, forEachRow } from '../store/changes.ts'
import { cellOf, cellsOf, readResult, rowOf, stampsOf, type State } from '../store/state.ts'
import { compareVectors } from '../store/vector.ts'
import { queryKey } from '../view/query.ts'
import { createReach } from '../view/reach.ts'
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
 * One round of collection, in steps: finds everything that somebody reads, all that endpoints show whose time is not over,
 * and lets the rest go, if it has been of no use for long enough.
 *
 * Commits come between the steps. So it never trusts what it found: a row that has changed is gone through again; one
 * that was written is new; and who reads is asked again in the very step in which something goes.
 */
export function* sweep(heap: Heap, now: number, after: number, maxRows: number): Generator<undefined, void, undefined> {
  let { state } = heap
  const limit = rowsIn(state) > maxRows ? maxRows : Infinity
  // A whole number, because it stands in every cell; never 0, which is what writing leaves there.
  const tick = Math.floor(now) + 1
  const reach = createReach(state, reached, true)
  /** Marks what is reached as used, and not only as kept. */
  let using = true
  let rows = 0
  /** Lists that were gone through, and by which schema: they never change. */
  const walked = new WeakMap<object, unknown>()
  const use: Use = {
    query(schema, args) {
      follow(schema, () => queryKey(schema, args, state), args)
    },
    result(schema, endpointKey, args) {
      const cell = state.cells!.endpoints.find(endpointKey)
      if (cell === undefined) return
      keep(cell)
      follow(schema, () => readResult(state, endpointKey), args)
    },
    row(key, pk, entity) {
      const cell = cellOf(state, key, pk)
      if (cell !== undefined) hold(cell, entity)
    },
    table(key) {
      reach.all(key)
      for (const cell of cellsOf(state, key) ?? []) hold(cell)
    },
  }

  // What is known of an endpoint without a result goes the same way.
  for (const key of heap.statuses.keys()) {
    const cell = state.cells!.endpoints.intern(key)
    if (cell.used < 0) cell.used = 0
    if (statusOf(cell).fetching > 0) keep(cell)
  }
  markUse()
  yield* run()
  using = false
  const endpoints = yield* idleEndpoints()
  const cells = yield* idleRows()
  yield* collect([...endpoints.keys()], cell => statusOf(cell) === endpoints.get(cell) || keep(cell))
  yield* collect(cells, () => true)
  yield
  lookAgain()
  state.cells!.attic.clear(cell => reach.has(cell))

  function hold(cell: Cell, schema: unknown = cell.table.owner): void {
    if (cell.table.ordinal < 0) keep(cell)
    else if (typeof schema === 'function') reach.mark(cell, schema as unknown as EntityClass)
    else {
      reach.mark(cell)
      if (schema !== undefined) follow(schema, () => cell.pk, [])
    }
  }

  /** An endpoint's result stays, and what it shows. Always false. */
  function keep(cell: Cell): boolean {
    reach.mark(cell)
    const { endpoint, args } = statusOf(cell)
    if (endpoint !== undefined) follow(endpoint.schema, () => readResult(state, cell.pk), args)
    return false
  }

  function follow(schema: unknown, find: () => unknown, args: readonly unknown[]): void {
    if (!schema) return
    try {
      const stored = find()
      if (typeof stored === 'object' && stored !== null) {
        if (walked.get(stored) === schema) return
        walked.set(stored, schema)
      }
      reach.follow(schema, stored, args)
    } catch {
      // A class or schema that throws when it is asked shows nothing, and so keeps nothing.
    }
  }

  function reached(cell: Cell): void {
    if (using || cell.used === 0) cell.used = tick
    if (cell.table.ordinal >= 0 && rowOf(state, cell) !== undefined) rows++
  }

  function markUse(): void {
    heap.forEachUse(use)
    heap.forEachHeld(cell => hold(cell))
  }

  function* run(): Generator<undefined, void, undefined> {
    while (!reach.run(STEP)) {
      yield
      catchUp()
    }
  }

  /** Goes through what has changed since the last step. */
  function catchUp(): void {
    const before = state
    if (heap.state === before) return
    state = reach.state = heap.state
    // What was written just now is there for a while, with what it shows, also if it says what was there already.
    const renewed = (cell: Cell): void => void (rowOf(state, cell) !== undefined && hold(cell))
    forEachRow(before, state, cell => {
      reach.again(cell)
      renewed(cell)
    })
    for (const table of state.cells!.tables) {
      compareVectors(stampsOf(before, table), stampsOf(state, table), slot => renewed(table.at(slot)!))
    }
    forEachResult(before, state, cell => void keep(cell))
  }

  /** Everything that is needed at this very moment is marked. */
  function lookAgain(): void {
    catchUp()
    using = true
    markUse()
    reach.run()
    using = false
  }

  /** Lets those of `cells` go that nobody needs by then, and that `which` says to, a batch at a time. */
  function* collect(cells: readonly Cell[], which: (cell: Cell) => boolean): Generator<undefined, void, undefined> {
    for (let at = 0; at < cells.length; at += BATCH) {
      yield
      lookAgain()
      const batch = cells.slice(at, at + BATCH).filter(which)
      const idle = batch.filter(cell => isIdle(cell) && cell.used !== 0)
      if (idle.length > 0) heap.collect(idle)
      // What goes now and comes again before the next step would seem never to have been away, and not to be new.
      catchUp()
    }
  }

  function statusOf(cell: Cell): EndpointStatus {
    return heap.statuses.get(cell.pk)
  }

  function isIdle(cell: Cell): boolean {
    return cell.used >= 0 && cell.watch === undefined && !reach.has(cell)
  }

  function isOver(cell: Cell, expiresAt = 0): boolean {
    if (cell.used === 0) cell.used = tick
    return now >= Math.max(cell.used - 1, expiresAt) + after
  }

  /** Keeps the endpoints whose time is not over, as far as there is room, and gives the others. */
  function* idleEndpoints(): Generator<undefined, Map<Cell, EndpointStatus>, undefined> {
    const over = new Map<Cell, EndpointStatus>()
    const kept: Cell[] = []
    for (const cell of yield* idleOf(state.cells!.endpoints.cells())) {
      const status = statusOf(cell)
      // Whose endpoint nobody has named yet, after hydration, cannot keep what it shows, and so goes no later than that.
      if (status.fetching > 0 || !isOver(cell, status.endpoint && status.expiresAt)) kept.push(cell)
      else over.set(cell, status)
    }
    if (limit < Infinity) kept.sort(newestFirst)
    for (const cell of kept) {
      if (rows >= limit && statusOf(cell).fetching === 0) over.set(cell, statusOf(cell))
      else {
        keep(cell)
        yield* run()
      }
    }
    return over
  }

  /** The rows, stamps and bare cells that nothing reaches, and whose time is over; and past the limit those that were of use the longest ago. */
  function* idleRows(): Generator<undefined, Cell[], undefined> {
    const over: Cell[] = []
    const young: Cell[] = []
    for (const table of state.cells!.tables) {
      for (const cell of yield* idleOf(table.cells())) (isOver(cell) ? over : young).push(cell)
    }
    const room = Math.max(0, limit - rows)
    if (young.length > room) for (const cell of young.sort(newestFirst).splice(room)) over.push(cell)
    // What stays for now stays whole.
    for (const cell of young) hold(cell)
    yield* run()
    return over
  }

  function* idleOf(cells: Iterable<Cell>): Generator<undefined, Cell[], undefined> {
    const idle: Cell[] = []
    let count = 0
    for (const cell of cells) {
      if (isIdle(cell)) idle.push(cell)
      if (++count % STEP > 0) continue
      yield
      catchUp()
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
