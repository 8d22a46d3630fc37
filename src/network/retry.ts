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

/** Whether a request may arrive at the server twice. */
export function mayRepeat(endpoint: AnyEndpoint): boolean {
  return !endpoint.sideEffect || /^(put|delete)$/i.test((endpoint as { readonly method?: string }).method ?? '')
}

/** Whether another attempt can help: the failure says nothing about the request. */
export function mayRetry(error: unknown): boolean {
  return errorPolicy(error) === 'soft' && !(error instanceof ParseError)
}

/** The milliseconds that the server asks to wait, in seconds or by a date. */
export function retryAfter(error: unknown, now: number): number {
  const asked = (error instanceof NetworkError && error.response?.headers?.get('retry-after')?.trim()) || ''
  // Only a date as HTTP spells it: engines read a date into almost any text.
  const wait = /^\d+$/.test(asked) ? Number(asked) * 1000 : /^[a-z]+, .+ gmt$/i.test(asked) ? Date.parse(asked) - now : Number.NaN
  return wait > 0 ? wait : 0
}
