import type { EntityClass } from '../schema/interface.ts'
import { planOf, type Plan } from '../schema/plan.ts'
import type { CellTable } from '../store/cell.ts'
import type { Row } from '../store/rows.ts'
import type { State } from '../store/state.ts'
import type { Vector } from '../store/vector.ts'

/** What is worth knowing of a class while views of one version are made. */
export interface Kind {
  readonly entity: EntityClass
  readonly plan: Plan
  readonly table: CellTable | undefined
  readonly records: Vector<Row> | undefined
}

/** The kinds of one version; each class is looked into once. */
export class Kinds {
  readonly #state: State
  readonly #kinds = new Map<EntityClass, Kind>()
  // Entities of one class come in runs, so the last answer is nearly always the next.
  #last: Kind | undefined

  constructor(state: State) {
    this.#state = state
  }

  of(entity: EntityClass): Kind {
    if (this.#last?.entity === entity) return this.#last
    let kind = this.#kinds.get(entity)
    if (kind === undefined) {
      const plan = planOf(entity)
      const table = this.#state.cells?.find(plan.key)
      const records = table && this.#state.entities.tables[table.ordinal]?.records
      this.#kinds.set(entity, (kind = { entity, plan, table, records }))
    }
    return (this.#last = kind)
  }
}
