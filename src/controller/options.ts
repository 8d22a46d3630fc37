import type { Clock } from '../base/clock.ts'
import type { Platform } from '../base/platform.ts'
import type { Transport } from '../endpoint/types.ts'
import type { GcOptions } from '../managers/collection.ts'
import type { Manager } from '../managers/manager.ts'
import type { RetryOptions } from '../managers/retry.ts'
import type { State } from '../store/state.ts'
import type { Dehydrated } from './dehydrate.ts'

/**
 * What a controller may be told.
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
  /** What else goes on beside the application. They see every action before the default ones do. */
  readonly managers?: readonly Manager[]
  /** What to begin with: a state, or what `dehydrate` gave. */
  readonly initialState?: State | Dehydrated
  /** Milliseconds for one attempt, headers and body; 30,000 unless given. */
  readonly timeout?: number
  /** How often, and how soon, a failed request is tried again. */
  readonly retry?: RetryOptions | false
  /** How many requests may be on their way at once. */
  readonly concurrency?: number
  /** False: an entity is not fetched again after calls to it have met at the server. */
  readonly revalidateOverlap?: boolean
  /** How many steps can be undone; 100 unless given. 0: none, and nothing is kept. */
  readonly history?: { readonly limit?: number }
  /** When what nobody needs is let go; `false`: never. */
  readonly gc?: GcOptions | false
  /** Told of what effects and listeners throw; `reportError` unless given. */
  readonly onError?: (error: unknown) => void
}
