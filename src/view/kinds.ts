import { allocateView, isPolluted } from '../schema/entityView.ts'
import { INVALID, type EntityClass, type Fields } from '../schema/interface.ts'
import { planOf, type Plan } from '../schema/plan.ts'
import type { Cell, CellTable } from '../store/cell.ts'
import type { Row } from '../store/rows.ts'
import { rowsOf, stampOf, type State } from '../store/state.ts'
import type { Vector } from '../store/vector.ts'

/** What is worth knowing of a class while views of one version are made. */
export interface Kind {
  readonly entity: EntityClass
  readonly plan: Plan
  /** It has nothing nested, so that what is allocated is complete. */
  readonly isLeaf: boolean
  readonly table: CellTable | undefined
  readonly records: Vector<Row> | undefined
  /** Finished views by slot, for whoever makes them for one view only. */
  readonly leaves: unknown[]
}

/** The kinds of one version; each class is looked into once. */
export class Kinds {
  readonly #state: State
  readonly #kinds = new Map<EntityClass, Kind>()
  // Entities of one class come in runs, or in turns with those that show them: one of the last two answers is nearly always the next.
  #last: Kind | undefined
  #other: Kind | undefined
  readonly #polluted = isPolluted()

  constructor(state: State) {
    this.#state = state
  }

  /** An instance of a class with the fields of a row; undefined when there is none, INVALID when it is deleted or the class will not have it. */
  allocate({ entity, plan, records }: Kind, cell: Cell, record: Row | undefined = records?.get(cell.slot)): unknown {
    if (record === undefined) return stampOf(this.#state, cell)?.deleted ? INVALID : undefined
    return allocateView(entity, record as Fields, plan, this.#polluted) ?? INVALID
  }

  of(entity: EntityClass): Kind {
    if (this.#last?.entity === entity) return this.#last
    let kind = this.#other?.entity === entity ? this.#other : this.#kinds.get(entity)
    this.#other = this.#last
    if (kind === undefined) {
      const plan = planOf(entity)
      const table = this.#state.cells?.find(plan.key)
      const records = table && rowsOf(this.#state, table).records
      this.#kinds.set(entity, (kind = { entity, plan, isLeaf: plan.fields.length === 0, table, records, leaves: [] }))
    }
    return (this.#last = kind)
  }
}
