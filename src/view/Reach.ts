import { isObject } from '../base/plain.ts'
import { compile } from '../schema/compile.ts'
import { isShown, type CollectionSource, type EntityClass, type Handler, type ViewHost } from '../schema/interface.ts'
import { planOf } from '../schema/plan.ts'
import type { Cell } from '../store/cell.ts'
import { findByIndex } from '../store/SecondaryIndex.ts'
import type { State } from '../store/State.ts'

/** Finds the rows that a read shows. It follows schemas as a builder does, and builds nothing. */
export class Reach implements ViewHost {
  readonly state: State
  args: readonly unknown[] = []
  readonly #visit: (cell: Cell, entity: unknown) => void
  /** The schemas by which each cell was reached. */
  readonly #reached = new Map<Cell, Set<unknown>>()
  /** Rows whose fields are still to be followed. A list instead of recursion: chains may be long. */
  readonly #open: (() => void)[] = []
  #isRunning = false

  constructor(state: State, visit: (cell: Cell, entity: unknown) => void) {
    this.state = state
    this.#visit = visit
  }

  /** Follows what `stored` shows by `schema`. */
  follow(schema: unknown, stored: unknown, args: readonly unknown[] = []): void {
    this.#open.push(() => {
      this.args = args
      this.visit(schema, stored)
    })
    if (this.#isRunning) return
    this.#isRunning = true
    try {
      for (let next = this.#open.pop(); next !== undefined; next = this.#open.pop()) next()
    } finally {
      this.#isRunning = false
    }
  }

  has(key: string, pk: string): boolean {
    const cell = this.state.cell(key, pk)
    return cell !== undefined && this.state.read(cell) !== undefined
  }

  record(key: string, pk: string): object | undefined {
    const cell = this.state.cell(key, pk)
    return cell && this.state.read(cell)
  }

  reached(cell: Cell): boolean {
    return this.#reached.has(cell)
  }

  /** Marks a row, and follows it by a schema. */
  mark(cell: Cell, schema: unknown): void {
    const known = this.#reached.get(cell)
    if (known?.has(schema)) return
    if (known === undefined) this.#reached.set(cell, new Set([schema]))
    else known.add(schema)
    this.#visit(cell, schema)
    const row = this.state.read(cell)
    if (row === undefined) return
    if (typeof schema === 'function') {
      for (const [name, inner] of planOf(schema as unknown as EntityClass).fields) this.follow(inner, (row as { [name: string]: unknown })[name])
    } else if (isObject(schema)) this.follow((schema as CollectionSource).definition, row)
  }

  visit(schema: unknown, stored: unknown): unknown {
    if (stored === null || stored === undefined) return stored
    const handler = compile(schema) as (Handler & { readonly query?: unknown }) | undefined
    // A lazy relation is not shown, but what it refers to is needed to read it.
    return (handler?.query ? this.visit(handler.query, stored) : handler?.denormalize(stored, this)) ?? stored
  }

  entity(entity: EntityClass, stored: unknown): unknown {
    const cell = typeof stored === 'string' ? this.state.cell(entity.key, stored) : undefined
    if (cell !== undefined) this.mark(cell, entity)
    return stored
  }

  collection(collection: CollectionSource, pk: string): unknown {
    const cell = this.state.cell(collection.key, pk)
    if (cell !== undefined) this.mark(cell, collection)
    return pk
  }

  list(element: unknown, members: readonly unknown[]): readonly unknown[] {
    return members.filter(member => isShown(this.visit(element, member)))
  }

  queryKey(schema: unknown, args: readonly unknown[]): unknown {
    return compile(schema)?.queryKey(args, this)
  }

  computed(_by: object, inputs: unknown): unknown {
    return inputs
  }

  all(key: string): readonly string[] | undefined {
    return this.state.all(key)?.map(cell => cell.pk)
  }

  lookup(key: string, field: string, value: unknown): string | undefined {
    return findByIndex(this.state, key, field, value)?.pk
  }
}
