import { DEPTH_LIMIT } from '../base/plain.ts'
import { denormalizeList, denormalizeWith, nestedTooDeep } from '../schema/dispatch.ts'
import { Schema, type EntityClass, type ViewHost } from '../schema/interface.ts'
import { planOf } from '../schema/plan.ts'
import type { Cell } from '../store/cell.ts'
import { cellOf, cellsOf, rowOf, stampOf, type State } from '../store/state.ts'
import { hasOne, membersOf, withOne, type Few } from './few.ts'
import { isOfEntities } from './listing.ts'

/** Calls `visit`, once each, for the cells of all rows that a view of `stored` would show; missing and deleted ones too. */
export function reach(schema: unknown, stored: unknown, state: State, visit: (cell: Cell) => void, args: readonly unknown[] = []): void {
  const all = new Reach(state, visit, false)
  all.follow(schema, stored, args)
  all.run()
}

/** Goes where views would, and makes nothing. */
export class Reach implements ViewHost {
  args: readonly unknown[] = []
  /** May move on between two calls. */
  state: State
  readonly #visit: (cell: Cell) => void
  /** Whether to go also where a view only keeps the pks. */
  readonly #lazy: boolean
  /** By which classes a cell was reached. */
  readonly #ways = new Map<Cell, Few<EntityClass>>()
  /** A queue, because a chain of entities may be longer than the stack. */
  readonly #queue: (readonly [EntityClass, Cell])[] = []
  #depth = 0

  constructor(state: State, visit: (cell: Cell) => void, lazy: boolean) {
    this.state = state
    this.#visit = visit
    this.#lazy = lazy
  }

  has(cell: Cell): boolean {
    return this.#ways.has(cell)
  }

  /** Begins with what a view of `stored` shows at once; `run` does the rest. */
  follow(schema: unknown, stored: unknown, args: readonly unknown[]): void {
    this.args = args
    this.#depth = 0
    this.visit(schema, stored)
  }

  /** Goes on for so many entities; true when nothing is left. */
  run(count: number = Infinity): boolean {
    this.args = []
    this.#depth = 0
    for (; count > 0; count--) {
      const [entity, cell] = this.#queue.pop() ?? []
      if (entity === undefined) return true
      const record = rowOf(this.state, cell!) as { readonly [field: string]: unknown } | undefined
      if (record !== undefined) for (const [field, nested] of planOf(entity).fields) this.visit(nested, record[field])
    }
    return this.#queue.length === 0
  }

  /** Marks a cell, and goes on to what it shows to `entity`. */
  mark(cell: Cell, entity?: EntityClass): void {
    const known = this.#ways.get(cell)
    if (known === undefined && !this.#ways.has(cell)) this.#visit(cell)
    else if (entity === undefined || hasOne(known, entity)) return
    this.#ways.set(cell, entity && withOne(known, entity))
    if (entity !== undefined) this.#queue.push([entity, cell])
  }

  /** The row of a cell is another now: what entities show of it is to be found again. */
  again(cell: Cell): void {
    for (const entity of membersOf(this.#ways.get(cell))) this.#queue.push([entity, cell])
  }

  visit(schema: unknown, stored: unknown): unknown {
    const by = schema instanceof Schema && this.#lazy ? schema.followed : schema
    // Deserializers are the only handlers of a view that run a user's code on data: nothing is below them.
    if (typeof stored !== 'object' || stored === null) return isEntityLike(by) ? denormalizeWith(by, stored, this) : stored
    if (++this.#depth > DEPTH_LIMIT) throw nestedTooDeep(DEPTH_LIMIT)
    denormalizeWith(by, stored, this)
    this.#depth--
    return stored
  }

  settled(schema: unknown, stored: unknown): unknown {
    return this.visit(schema, stored)
  }

  /** What a query makes of its entries shows nothing but them. */
  computed(): unknown {
    return undefined
  }

  list(element: unknown, stored: readonly unknown[]): unknown {
    return denormalizeList(element, stored, this)
  }

  entity(entity: EntityClass, pk: string): unknown {
    const cell = cellOf(this.state, planOf(entity).key, pk)
    if (cell === undefined) return undefined
    this.mark(cell, entity)
    // Something that is there, so that whoever asks goes on to what lies beside it.
    return entity.prototype
  }

  record(key: string, pk: string): object | undefined {
    const cell = cellOf(this.state, key, pk)
    if (cell === undefined) return undefined
    this.mark(cell)
    return rowOf(this.state, cell)
  }

  all(key: string): readonly string[] | undefined {
    const cells = cellsOf(this.state, key)
    // That a type is known, though there is none of it, is said by a row that was deleted.
    if (cells?.length === 0) {
      for (const cell of this.state.cells!.find(key)!.cells()) {
        if (stampOf(this.state, cell) === undefined) continue
        this.mark(cell)
        break
      }
    }
    return cells?.map(cell => cell.pk)
  }
}

function isEntityLike(schema: unknown): boolean {
  return isOfEntities(schema) || (typeof schema === 'object' && schema !== null)
}
