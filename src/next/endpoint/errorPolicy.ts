import { NetworkError, ParseError, TimeoutError } from '../base/errors.ts'

/**
 * Failures that say nothing about the data are soft: it stays, and the error stands beside it. These are a transport
 * or a server that broke down, a deadline, "try later", and an answer that cannot be read.
 */
export function errorPolicy(error: unknown): 'hard' | 'soft' {
  if (error instanceof TimeoutError || error instanceof ParseError) return 'soft'
  const status = (error as { status?: unknown } | null | undefined)?.status
  if (status === undefined) return error instanceof NetworkError ? 'soft' : 'hard'
  return (status as number) >= 500 || status === 408 || status === 429 ? 'soft' : 'hard'
}
