import { DEPTH_LIMIT } from '../base/plain.ts'
import { denormalizeList, denormalizeWith, isEntityClass, nestedTooDeep } from '../schema/dispatch.ts'
import { Schema, type EntityClass, type Fields, type ViewHost } from '../schema/interface.ts'
import { planOf } from '../schema/plan.ts'
import type { Cell } from '../store/cell.ts'
import { cellOf, cellsOf, rowOf, stampOf, type State } from '../store/state.ts'
import { hasOne, membersOf, withOne, type Few } from './few.ts'

/** Calls `visit`, once each, for the cells of all rows that a view of `stored` would show; missing and deleted ones too. */
export function reach(schema: unknown, stored: unknown, state: State, visit: (cell: Cell) => void, args: readonly unknown[] = []): void {
  const all = createReach(state, visit, false)
  all.follow(schema, stored, args)
  all.run()
}

/** Goes where views would, and makes nothing. */
export interface Reach extends ViewHost {
  /** May move on between two calls. */
  state: State
  has(cell: Cell): boolean
  /** Begins with what a view of `stored` shows at once; `run` does the rest. */
  follow(schema: unknown, stored: unknown, args: readonly unknown[]): void
  /** Goes on for so many entities; true when nothing is left. */
  run(count?: number): boolean
  /** Marks a cell, and goes on to what it shows to `entity`. */
  mark(cell: Cell, entity?: EntityClass): void
  /** The row of a cell is another now: what entities show of it is to be found again. */
  again(cell: Cell): void
}

/** `tell` is told of each cell, once; `lazy` says whether to go also where a view only keeps the pks. */
export function createReach(state: State, tell: (cell: Cell) => void, lazy: boolean): Reach {
  /** By which classes a cell was reached. */
  const ways = new Map<Cell, Few<EntityClass>>()
  /** A queue, because a chain of entities may be longer than the stack. */
  const queue: (readonly [EntityClass, Cell])[] = []
  let depth = 0
  const host: Reach & { args: readonly unknown[] } = {
    args: [],
    state,
    has: cell => ways.has(cell),
    follow(schema, stored, args) {
      host.args = args
      depth = 0
      visit(schema, stored)
    },
    run(count = Infinity) {
      host.args = []
      depth = 0
      for (let left = count; left > 0; left--) {
        const [entity, cell] = queue.pop() ?? []
        if (entity === undefined) return true
        const record = rowOf(host.state, cell!) as Fields | undefined
        if (record !== undefined) for (const [field, nested] of planOf(entity).fields) visit(nested, record[field])
      }
      return queue.length === 0
    },
    mark,
    again(cell) {
      for (const entity of membersOf(ways.get(cell))) queue.push([entity, cell])
    },
    visit,
    settled: visit,
    // What a query makes of its entries shows nothing but them.
    computed: () => undefined,
    list: (element, stored) => denormalizeList(element, stored, host),
    entity(entity, pk) {
      const cell = cellOf(host.state, planOf(entity).key, pk)
      if (cell === undefined) return undefined
      mark(cell, entity)
      // Something that is there, so that whoever asks goes on to what lies beside it.
      return entity.prototype
    },
    record(key, pk) {
      const cell = cellOf(host.state, key, pk)
      if (cell === undefined) return undefined
      mark(cell)
      return rowOf(host.state, cell)
    },
    all(key) {
      const cells = cellsOf(host.state, key)
      // That a type is known, though there is none of it, is said by a row that was deleted.
      if (cells?.length === 0) {
        for (const cell of host.state.cells!.find(key)!.cells()) {
          if (stampOf(host.state, cell) === undefined) continue
          mark(cell)
          break
        }
      }
      return cells?.map(cell => cell.pk)
    },
  }
  return host

  function mark(cell: Cell, entity?: EntityClass): void {
    const known = ways.get(cell)
    if (known === undefined && !ways.has(cell)) tell(cell)
    else if (entity === undefined || hasOne(known, entity)) return
    ways.set(cell, entity && withOne(known, entity))
    if (entity !== undefined) queue.push([entity, cell])
  }

  function visit(schema: unknown, stored: unknown): unknown {
    const by = schema instanceof Schema && lazy ? schema.followed : schema
    // Deserializers are the only handlers of a view that run a user's code on data: nothing is below them.
    if (typeof stored !== 'object' || stored === null) return isEntityLike(by) ? denormalizeWith(by, stored, host) : stored
    if (++depth > DEPTH_LIMIT) throw nestedTooDeep(DEPTH_LIMIT)
    denormalizeWith(by, stored, host)
    depth--
    return stored
  }
}

function isEntityLike(schema: unknown): boolean {
  return isEntityClass(schema) || (typeof schema === 'object' && schema !== null)
}
