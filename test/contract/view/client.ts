import { applyPatches, Controller, Endpoint, normalize, schema as schemas, type AnyEndpoint, type Commit, type Patch, type StampGroup, type State } from '../../../src/index.ts'
import { createClock, type HandClock } from '../../../src/testing/index.ts'

type Response = readonly [schema: unknown, input: unknown, args?: readonly unknown[]]

const never = (): Promise<never> => new Promise(() => {})

/** A controller that nobody fetches with, and short words for what tests do to its store. */
export class ViewClient {
  /** What was reported: errors of effects, listeners and classes. */
  readonly errors: unknown[] = []
  /** Time stands still unless a test lets it pass: a response that comes again changes no expiry. */
  readonly clock: HandClock = createClock(1_700_000_000_000)
  readonly controller: Controller
  readonly #endpoints = new Map<unknown, Map<string, AnyEndpoint>>()

  constructor() {
    this.controller = new Controller({ clock: this.clock, gc: false, onError: error => void this.errors.push(error) })
  }

  get state(): State {
    return this.controller.snapshot()
  }

  subscribe(listener: (commit: Commit) => void): () => void {
    return this.controller.subscribePatches(listener)
  }

  /** Takes several responses in, in one commit. */
  writeAll(responses: readonly Response[]): void {
    const [first, ...others] = responses
    if (others.length === 0) return this.#answer(first![0], first![1], first![2] ?? [])
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
    this.#answer([new schemas.Invalidate(entity as never)], pks, [])
  }

  /** Applies patches. A row that they remove is gone as if it had never been: nobody spoke of a deletion. */
  commit(patches: readonly Patch[], stamps: readonly StampGroup[] = []): void {
    this.controller.applyPatches(patches, { origin: 'gc', stamps })
  }

  /** An endpoint whose result is retained under `key`. */
  endpoint(schema: unknown, key: string): AnyEndpoint {
    const known = this.#endpoints.get(schema) ?? new Map<string, AnyEndpoint>()
    this.#endpoints.set(schema, known)
    const made = known.get(key) ?? (new Endpoint(never, { name: key, schema, key: () => key }) as unknown as AnyEndpoint)
    known.set(key, made)
    return made
  }

  #answer(schema: unknown, input: unknown, args: readonly unknown[]): void {
    this.controller.setResponse(new Endpoint(never, { name: 'write', schema, sideEffect: true }) as never, ...([...args, input] as never))
  }
}
