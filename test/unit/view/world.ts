import { Invalidate } from '../../../src/index.ts'
import { normalizeInto } from '../../../src/normalize/normalize.ts'
import type { EntityClass } from '../../../src/schema/interface.ts'
import type { Cell } from '../../../src/store/cell.ts'
import type { Row } from '../../../src/store/rows.ts'
import { createStore, type Store } from '../../../src/store/store.ts'
import { createViewGraph, type ViewGraph } from '../../../src/view/graph.ts'
import { Watch } from '../../contract/view/watch.ts'
import { transact } from '../store/transact.ts'

export { swept, Watch } from '../../contract/view/watch.ts'

/** A store with a graph of views over it, and short words for what tests do to them. */
export class World {
  readonly store: Store = createStore()
  /** What effects threw. */
  readonly reported: unknown[] = []
  readonly graph: ViewGraph
  #now = 0

  /** `early` hears of commits before the graph does. */
  constructor(early?: () => void) {
    if (early !== undefined) this.store.subscribe(early)
    this.graph = createViewGraph(this.store, error => void this.reported.push(error))
  }

  /** Takes a response in; gives what stands for it. */
  write(schema: unknown, input: unknown, args: readonly unknown[] = []): unknown {
    const now = ++this.#now
    return transact(this.store, draft => normalizeInto(draft, schema, input, args, { fetchedAt: now, date: now, expiresAt: now + 1000 }))
  }

  /** Takes the response of an endpoint in, and keeps its result under `key`. */
  respond(key: string, schema: unknown, input: unknown, args: readonly unknown[] = []): void {
    const now = ++this.#now
    transact(this.store, draft => {
      const result = normalizeInto(draft, schema, input, args, { fetchedAt: now, date: now, expiresAt: now + 1000 })
      draft.write(draft.intern(draft.cells.endpoints, key), result as Row)
    })
  }

  remove(entity: unknown, ...pks: string[]): void {
    this.write([new Invalidate(entity as never)], pks)
  }

  get<T = unknown>(schema: unknown, ...args: unknown[]): T {
    return this.graph.query(schema, args) as T
  }

  /** Watches a query. */
  watch<T = unknown>(schema: unknown, ...args: unknown[]): Watch<T> {
    return new Watch(() => this.graph.query(schema, args) as T)
  }

  /** Watches the result of an endpoint. */
  watchResult<T = unknown>(schema: unknown, key: string, args: readonly unknown[] = []): Watch<T> {
    return new Watch(() => this.graph.result(schema, key, args) as T)
  }

  /** The cells that anybody looks at, entities and results alike. */
  watchedCells(): Cell[] {
    const cells = this.store.state.cells!
    const found: Cell[] = []
    for (const table of [...cells.tables, cells.endpoints]) {
      for (let slot = 0; slot < table.size; slot++) if (table.at(slot)?.watch !== undefined) found.push(table.at(slot)!)
    }
    return found
  }

  /** The cell of an entity. */
  cell(entity: unknown, pk: string): Cell {
    return this.store.state.cells!.find((entity as EntityClass).key)!.find(pk)!
  }
}
