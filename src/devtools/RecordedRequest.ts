import { NetworkError } from '../base/errors.ts'
import type { FetchAction } from '../network/Manager.ts'

/**
 * One request, from when somebody asked for it until its answer was in the store. Times are milliseconds since the page
 * was opened.
 *
 * @example
 * const { recording } = devtools(controller, { panel: false })
 * await controller.fetch(TodoResource.getList)
 * const request: RecordedRequest | undefined = recording.requests[0]
 * console.log(request?.key, request?.status) // GET /todos done
 */
export class RecordedRequest {
  declare readonly id: number
  declare readonly key: string
  /** Whether it changes something on the server. */
  declare readonly isCall: boolean
  declare readonly startedAt: number
  /** When it left the queue. */
  declare sentAt: number | undefined
  declare answeredAt: number | undefined
  /** When it was over, answered or not. */
  declare landedAt: number | undefined
  status: 'pending' | 'done' | 'failed' = 'pending'
  declare error: unknown
  /** It shows a row that was changed by a request which started after it. */
  isLate = false
  /** Its answer waits until it is released. */
  isDelayed = false
  /** The ids of the commits that it made. */
  readonly commits: number[] = []
  #verbs: { abort(): void; fail(error: unknown): void } | undefined
  #release: (() => void) | undefined

  constructor(id: number, key: string, isCall: boolean, startedAt: number) {
    this.id = id
    this.key = key
    this.isCall = isCall
    this.startedAt = startedAt
  }

  /** Ends it, at the network too. */
  abort(): void {
    this.#verbs?.abort()
  }

  /** Its answer, when it comes, is not stored before `release`. */
  delay(): void {
    this.isDelayed = this.landedAt === undefined
  }

  release(): void {
    this.isDelayed = false
    this.#release?.()
    this.#release = undefined
  }

  /** Lets it fail as if the network had. */
  fail(error: unknown = new NetworkError(`${this.key} failed because devtools let it fail.`)): void {
    this.#verbs?.fail(error)
    this.#verbs?.abort()
  }

  /** @internal Puts this request between whoever sends it and the store. `land` runs what stores its answer. */
  follow(action: FetchAction, now: () => number, land: (store: () => void) => void): void {
    const given = action as { -readonly [name in keyof FetchAction]: FetchAction[name] }
    const { answer, fail, signal } = action
    const own = new AbortController()
    if (signal.aborted) own.abort(signal.reason)
    else signal.addEventListener('abort', () => own.abort(signal.reason), { once: true })
    given.signal = own.signal
    const known = Object.getOwnPropertyDescriptor(action, 'args')!
    Object.defineProperty(action, 'args', {
      get: () => {
        this.sentAt ??= now()
        return known.get ? (known.get.call(action) as unknown) : (known.value as unknown)
      },
    })
    const receive = (store: () => void): void => {
      this.answeredAt ??= now()
      if (this.isDelayed) this.#release = () => land(store)
      else land(store)
    }
    given.answer = value => receive(() => answer(value))
    given.fail = error => {
      // Whoever aborts a request does not wait for it.
      if (own.signal.aborted) land(() => fail(error))
      else receive(() => fail(error))
    }
    this.#verbs = { abort: () => own.abort(), fail: error => land(() => fail(error)) }
    const end = (status: 'done' | 'failed', error?: unknown): void => {
      this.landedAt ??= now()
      this.status = status
      this.error = error
      this.isDelayed = false
      this.#verbs = this.#release = undefined
    }
    action.outcome.then(() => end('done'), (error: unknown) => end('failed', error))
  }
}
