import { computed, effect, signal, untracked } from '@preact/signals'
import type { ReadonlySignal } from '@preact/signals'
import { PatchcordError } from '../../index.ts'
import type { AnyEndpoint, Controller, ResponseView } from '../../index.ts'

/** A read that may not be shown as it is. Each look makes a new one, which tells whether anything has changed since. */
export class Blocked {
  readonly response: ResponseView<unknown>
  readonly error: unknown
  /** What may be shown all the same, by those who do not wait: data that has nothing but an error in its way. */
  readonly data: unknown

  constructor(response: ResponseView<unknown>, error: unknown, data: unknown) {
    this.response = response
    this.error = error
    this.data = data
  }
}

/** The data of a read, or what stands in the way. Tracked. */
export function look(controller: Controller, endpoint: AnyEndpoint, args: readonly unknown[]): unknown {
  const response = controller.getResponse(endpoint, ...args)
  const error = controller.getError(endpoint, ...args)
  const { data, expiryStatus, expiresAt } = response
  const invalid = expiryStatus === 1 || (expiryStatus === 2 && controller.clock.now() >= expiresAt)
  return invalid || (error !== undefined && endpoint.errorPolicy(error) !== 'soft') ? new Blocked(response, error, invalid ? undefined : data) : data
}

/** One read of an endpoint by components that fetch what they show. It asks once for each cause, whatever comes of it. */
export interface Reading {
  /** The endpoint and the arguments as they were last given: they spell the same, but may be called in another way. */
  endpoint: AnyEndpoint
  args: readonly unknown[]
  /** Data, or `Blocked`. */
  readonly signal: ReadonlySignal<unknown>
  /** What stood there when the last request was over. */
  readonly over: ReadonlySignal<unknown>
  /** The data; or throws what is in its way: a promise to wait for, or an error. Not tracked. */
  take(): unknown
  /**
   * Fetches what is stale, now and whenever it was marked so, until the function that it gives is called. `again`:
   * though nothing was marked, because the data is gone.
   */
  follow(again: boolean): () => void
}

/** What a `DataProvider` gives to those below it. */
export interface Provided {
  readonly controller: Controller
  /**
   * Reads that components wait for, by key. They stand here because a component that suspends before it was ever
   * shown loses the state of its hooks.
   */
  readonly waiting: Map<string, Reading>
  /** How many of them are not over. */
  pending: number
}

export function createReading(provided: Provided, endpoint: AnyEndpoint, args: readonly unknown[], key: string): Reading {
  const { controller, waiting } = provided
  const value = computed(() => look(controller, reading.endpoint, reading.args), { name: key })
  const over = signal<unknown>()
  let asked: number | undefined
  let failure: { readonly error: unknown } | undefined
  let wait: Promise<void> | undefined
  let release: (() => void) | undefined
  let leave: (() => void) | undefined
  let shown = false
  const reading: Reading = {
    endpoint,
    args,
    signal: value,
    over,
    take() {
      const now = value.peek()
      if (!(now instanceof Blocked)) {
        shown = true
        // Not at once: others who have waited for the same are rendered with this one, and have asked already.
        if (leave) queueMicrotask(() => leave?.())
        return now
      }
      const { error, response } = now
      const isOver = over.peek() === now
      if (error !== undefined && (isOver || shown || controller.clock.now() < controller.freshness.get(key).errorUntil)) throw error
      if (isOver) {
        // To wait again for what has just been waited for would never end.
        if (failure) throw failure.error
        if (response.expiryStatus !== 1) return response.data
        if (response.data === undefined) throw new PatchcordError('EMPTY', `${key} was answered with nothing that its schema can show. Look at the answer.`)
      }
      throw (wait ??= start())
    },
    follow: again => ask('fetchIfStale', again),
  }
  return reading

  function ask(verb: 'fetch' | 'fetchIfStale', again: boolean): () => void {
    if (again) asked = undefined
    return effect(() => {
      const { markedAt } = controller.getResponse(reading.endpoint, ...reading.args)
      if (verb === 'fetch' && asked !== undefined) {
        // Who still waits is rendered, and asks anew. Who has gone meanwhile does not, and could not be told apart here.
        if (markedAt !== asked) asked = undefined
        // What has come in another way need not be waited for.
        else if (value.peek() instanceof Blocked) return
        return release?.()
      }
      if (markedAt === asked) return
      asked = markedAt
      untracked(() => {
        const request = controller[verb](reading.endpoint, ...reading.args)
        // What was fresh, and so not asked for, may be gone before we hear of it.
        const sent = verb === 'fetch' || controller.isFetching(reading.endpoint, ...reading.args)
        const settled = (failed?: { readonly error: unknown }): void => {
          // Marked since, whether or not anybody still waits: then it says nothing.
          if (markedAt !== controller.getResponse(reading.endpoint, ...reading.args).markedAt) return
          failure = failed
          over.value = value.peek()
          release?.()
        }
        request.then(
          () => sent && settled(),
          (error: unknown) => settled({ error }),
        )
      })
    })
  }

  /** The promise never fails: who waits for it looks again, and finds what there is to show or to throw. */
  function start(): Promise<void> {
    leave?.()
    waiting.set(key, reading)
    provided.pending++
    const stop = ask('fetch', true)
    return new Promise(resolve => {
      release = () => {
        release = wait = undefined
        provided.pending--
        stop()
        // Whoever waited has nothing but this to know what came of it, until it is rendered again. It may wait for others first.
        let cancel: () => void
        const linger = (): void => {
          cancel = controller.clock.after(Math.max(100, endpoint.errorExpiryLength), () => (provided.pending > 0 && !failure ? linger() : leave?.()))
        }
        linger()
        leave = () => {
          cancel()
          leave = undefined
          waiting.delete(key)
        }
        resolve()
      }
    })
  }
}
