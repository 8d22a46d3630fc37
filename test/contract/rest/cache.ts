import { applyPatches, denormalize, emptyState, normalize } from '../../../src/index.ts'
import type { AnyEndpoint, State, ViewOf } from '../../../src/index.ts'
import { query } from '../../support/state.ts'

/** The least that a store does with endpoints: run, normalize, apply, read. */
export class Cache {
  state: State = emptyState
  readonly results = new Map<string, unknown>()
  #clock = 0

  /** Runs the endpoint, writes what it answers, and gives the view of it. */
  async fetch<E extends AnyEndpoint>(endpoint: E, ...args: Parameters<E>): Promise<ViewOf<E>> {
    return this.set(endpoint, await endpoint(...args), ...args)
  }

  /** Writes `answer` as if the endpoint had given it. */
  set<E extends AnyEndpoint>(endpoint: E, answer: unknown, ...args: Parameters<E>): ViewOf<E> {
    const fetchedAt = ++this.#clock
    const { result, patches, stamps } = normalize(endpoint.schema, answer, args, this.state, { fetchedAt, date: fetchedAt, expiresAt: Infinity })
    this.state = applyPatches(this.state, patches, stamps)
    if (!endpoint.sideEffect) this.results.set(endpoint.key(...args), result)
    for (const [key, next] of Object.entries(endpoint.update?.(result, ...args) ?? {})) {
      if (this.results.has(key)) this.results.set(key, next(this.results.get(key) as never))
    }
    return denormalize(endpoint.schema, result, this.state, args) as ViewOf<E>
  }

  /** What a read of the endpoint shows now. */
  read<E extends AnyEndpoint>(endpoint: E, ...args: Parameters<E>): ViewOf<E> | undefined {
    const key = endpoint.key(...args)
    if (!this.results.has(key)) return query<ViewOf<E>>(endpoint.schema, args, this.state)
    return denormalize(endpoint.schema, this.results.get(key), this.state, args) as ViewOf<E> | undefined
  }

  /** What these arguments name. */
  get(schema: unknown, ...args: readonly unknown[]): unknown {
    return query(schema, args, this.state)
  }
}
