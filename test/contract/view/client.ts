import { applyPatches, Controller, Endpoint, normalize, schema as schemas, type AnyEndpoint, type Commit, type Patch, type StampGroup, type State } from '../../../src/index.ts'
import { createClock, type HandClock } from '../../../src/testing/index.ts'
import { Watch } from './watch.ts'

type Response = readonly [schema: unknown, input: unknown, args?: readonly unknown[]]

const never = (): Promise<never> => new Promise(() => {})

/** A controller that nobody fetches with, and short words for what tests do to its store. */
export abstract class ViewClient {
  /** What was reported: errors of effects, listeners and classes. */
  readonly errors: unknown[] = []
  /** Time stands still unless a test lets it pass: a response that comes again changes no expiry. */
  readonly clock: HandClock = createClock(1_700_000_000_000)
  readonly controller: Controller
  readonly #endpoints = new Map<unknown, Map<string, AnyEndpoint>>()

  constructor() {
    // Views that nobody reads go; rows stay, however much time passes.
    this.controller = new Controller({ clock: this.clock, gc: { after: Infinity }, onError: error => void this.errors.push(error) })
  }

  get state(): State {
    return this.controller.snapshot()
  }

  subscribe(listener: (commit: Commit) => void): () => void {
    return this.controller.subscribePatches(listener)
  }

  /** What the store has for these arguments. */
  abstract get<T = unknown>(schema: unknown, ...args: unknown[]): T

  /** What is retained under an endpoint's key. */
  abstract result<T = unknown>(schema: unknown, key: string, args?: readonly unknown[]): T

  /** Watches a query. */
  watch<T = unknown>(schema: unknown, ...args: unknown[]): Watch<T> {
    return new Watch(() => this.get<T>(schema, ...args))
  }

  /** Watches the result of an endpoint. */
  watchResult<T = unknown>(schema: unknown, key: string, args: readonly unknown[] = []): Watch<T> {
    return new Watch(() => this.result<T>(schema, key, args))
  }

  /** Takes a response in. */
  write(schema: unknown, input: unknown, args: readonly unknown[] = []): void {
    this.controller.setResponse(new Endpoint(never, { name: 'write', schema, sideEffect: true }) as never, ...([...args, input] as never))
  }

  /** Takes several responses in, in one commit. */
  writeAll(...responses: readonly Response[]): void {
    let { state } = this
    const patches: Patch[] = []
    const stamps: StampGroup[] = []
    // A later date than any before it, so that the newest response wins.
    const fetchedAt = Date.now() + ++this.#later
    for (const [schema, input, args = []] of responses) {
      const change = normalize(schema, input, args, state, { fetchedAt, date: fetchedAt, expiresAt: 1000 })
      state = applyPatches(state, change.patches, change.stamps)
      patches.push(...change.patches)
      stamps.push(...change.stamps)
    }
    this.controller.applyPatches(patches, { stamps })
  }
  #later = 0

  /** Takes the response of an endpoint in, and keeps its result under `key`. */
  respond(key: string, schema: unknown, input: unknown, args: readonly unknown[] = []): void {
    this.controller.setResponse(this.endpoint(schema, key) as never, ...([...args, input] as never))
  }

  remove(entity: unknown, ...pks: string[]): void {
    this.write([new schemas.Invalidate(entity as never)], pks)
  }

  /** Applies patches. A row that they remove is gone as if it had never been: nobody spoke of a deletion. */
  commit(patches: readonly Patch[], stamps: readonly StampGroup[] = []): void {
    this.controller.applyPatches(patches, { origin: 'gc', stamps })
  }

  /** Takes rows away as a collection of garbage does: nothing says that they were deleted. */
  collect(key: string, ...pks: string[]): void {
    this.commit(pks.map(pk => ({ op: 'remove', path: ['entities', key, pk] })))
  }

  /** Forgets the result of an endpoint. */
  forget(key: string): void {
    this.commit([{ op: 'remove', path: ['endpoints', key] }])
  }

  /** An endpoint whose result is retained under `key`. */
  endpoint(schema: unknown, key: string): AnyEndpoint {
    const known = this.#endpoints.get(schema) ?? new Map<string, AnyEndpoint>()
    this.#endpoints.set(schema, known)
    const made = known.get(key) ?? (new Endpoint(never, { name: key, schema, key: () => key }) as unknown as AnyEndpoint)
    known.set(key, made)
    return made
  }
}
