import { NetworkError, ParseError, TimeoutError } from '../base/errors.ts'

/**
 * Errors that say nothing about the data are soft: the data stays visible beside the error. These are transport
 * failures, server errors, timeouts, "try later", and responses that cannot be parsed.
 */
export function errorPolicy(error: unknown): 'hard' | 'soft' {
  if (error instanceof TimeoutError || error instanceof ParseError) return 'soft'
  const status = (error as { status?: number } | null | undefined)?.status
  if (status === undefined) return error instanceof NetworkError ? 'soft' : 'hard'
  return status >= 500 || status === 408 || status === 429 ? 'soft' : 'hard'
}
