import { NetworkError, ParseError } from '../base/errors.ts'
import { errorPolicy } from '../endpoint/errorPolicy.ts'
import type { AnyEndpoint } from '../endpoint/types.ts'

/**
 * How a request that failed is tried again.
 *
 * @example
 * new Controller({ retry: { attempts: 5, base: 200 } })
 */
export interface RetryOptions {
  /** How often a request is sent at most, the first time included; 3 unless given. */
  readonly attempts?: number
  /** Milliseconds before the second attempt, doubled for each that follows; 500 unless given. */
  readonly base?: number
  /** Milliseconds beyond which nothing waits, not even when the server asks for it; 30,000 unless given. */
  readonly cap?: number
}

/**
 * Whether to send it again may help, and cannot harm: the failure says nothing about the request, and the request
 * changes nothing, or comes to the same when it arrives twice.
 */
export function mayRetry(endpoint: AnyEndpoint, error: unknown): boolean {
  const passing = errorPolicy(error) === 'soft' && !(error instanceof ParseError)
  return passing && (!endpoint.sideEffect || /^(put|delete)$/i.test((endpoint as { readonly method?: string }).method ?? ''))
}

/** The milliseconds that the server asks us to wait, in seconds or by a date; undefined when it does not, or not legibly. */
export function retryAfter(error: unknown, now: number): number | undefined {
  const said = error instanceof NetworkError ? error.response?.headers?.get('retry-after')?.trim() : undefined
  if (said === undefined) return undefined
  // Only a date as HTTP spells it: engines read one into almost any text.
  const wait = /^\d+$/.test(said) ? Number(said) * 1000 : /^[a-z]+, .+ gmt$/i.test(said) ? Date.parse(said) - now : Number.NaN
  return wait >= 0 ? wait : undefined
}
