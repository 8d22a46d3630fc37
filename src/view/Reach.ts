import { attempt } from '../base/report.ts'
import { isEntityClass, traitsOf } from '../schema/compile.ts'
import type { CollectionSource, EntityClass, Fields } from '../schema/interface.ts'
import { planOf } from '../schema/plan.ts'
import type { Cell, State } from '../store/State.ts'
import { Builder } from './Builder.ts'
import { obtain } from './WeakCache.ts'

/** Finds the rows that reads show, whether or not they may be shown now. It builds no instances and calls no query. */
export class Reach extends Builder {
  readonly #onReach: (cell: Cell) => void
  /** By schema: a row may be shown by several classes. */
  readonly #seen = new Map<unknown, Set<Cell>>()

  /** `wanted` are keys of tables: lists whose schema cannot lead to one of them are skipped. */
  constructor(state: State, onReach: (cell: Cell) => void, wanted?: ReadonlySet<unknown>) {
    super(state)
    this.#onReach = onReach
    if (wanted) this.list = (element, members) => (leadsTo(element, wanted) ? super.list(element, members) : members)
  }

  /** Follows what `find` gives, as `schema` shows it. A class that throws shows nothing, so it reaches nothing. */
  follow(schema: unknown, find: () => unknown, args: readonly unknown[] = []): void {
    this.args = args
    // Deeper than a view can be, it is not reached either.
    attempt(() => this.visit(schema, find()))
  }

  /** Follows one row, as a class or collection shows it; the one that it was stored by, unless given. */
  followRow(cell: Cell, by: unknown = cell.table.owner): void {
    if (by) this.follow(null, () => this.use(by, cell))
    else this.#onReach(cell)
  }

  override visit(schema: unknown, stored: unknown): unknown {
    // A lazy relation is not shown, but the rows it refers to are needed to read it.
    return super.visit(traitsOf(schema).query ?? schema, stored)
  }

  override computed(_by: object, inputs: unknown): unknown {
    return inputs
  }

  protected override use(schema: unknown, cell: Cell): unknown {
    this.#onReach(cell)
    const row = this.state.read(cell) as Fields | undefined
    const seen = obtain(this.#seen, schema, () => new Set<Cell>())
    if (seen.has(cell)) return row
    seen.add(cell)
    if (!isEntityClass(schema)) this.visit((schema as CollectionSource).definition, row)
    else if (row) for (const { name, schema: inner } of planOf(schema).fields) this.visit(inner, row[name])
    return row
  }
}

/** Whether a schema, or a schema nested in it, is that of one of these tables. */
function leadsTo(schema: unknown, tables: ReadonlySet<unknown>, seen: Set<unknown> = new Set()): boolean {
  if (schema !== Object(schema) || seen.has(schema)) return false
  seen.add(schema)
  const { key, schema: fields = {} } = schema as EntityClass
  return tables.has(key) || Object.values(typeof schema === 'function' ? fields : (schema as Fields)).some(each => leadsTo(each, tables, seen))
}
