import type { Clock } from '../base/clock.ts'
import type { Platform } from '../base/platform.ts'
import type { Transport } from '../endpoint/types.ts'
import type { Manager } from '../network/Manager.ts'
import type { RetryOptions } from '../network/retry.ts'
import type { State } from '../store/State.ts'
import type { Controller } from './Controller.ts'
import type { GcOptions } from './garbage.ts'

/**
 * Options of a controller.
 *
 * @example
 * const options: ControllerOptions = { timeout: 10_000, retry: { attempts: 2 }, onError: error => console.error(error) }
 * const controller = new Controller(options)
 */
export interface ControllerOptions {
  /** Sends requests; the platform's `fetch` unless given. */
  readonly fetch?: Transport
  readonly clock?: Clock
  readonly platform?: Platform
  /** Managers of your own. They see every action before the default ones do. */
  readonly managers?: readonly Manager[]
  /** What to start with: a state, or a function that fills the new controller, such as `hydrated(data)`. */
  readonly initialState?: State | ((controller: Controller) => void)
  /** Milliseconds for one attempt, headers and body; 30,000 unless given. */
  readonly timeout?: number
  /** How often, and how soon, a failed request is retried. */
  readonly retry?: RetryOptions | false
  /** How many requests may be in flight at once. */
  readonly concurrency?: number
  /** False: an entity is not fetched again after calls to it have met at the server. */
  readonly revalidateOverlap?: boolean
  /** When unused data is removed; `false`: never. */
  readonly gc?: GcOptions | false
  /** Called with errors that effects and listeners throw; `reportError` unless given. */
  readonly onError?: (error: unknown) => void
}
