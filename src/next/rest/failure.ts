import { AbortError, NetworkError, PatchcordError, TimeoutError } from '../base/errors.ts'

/** What a request that broke off ends with: the reason of its signal, if that ended it; else what the transport said. */
export function failure(error: unknown, signal: AbortSignal | null | undefined, request: string): Error {
  const reason: unknown = signal?.aborted ? signal.reason : error
  // The owner of the signal may have said it in our own words: reset, deadline, abort.
  if (reason instanceof PatchcordError) return reason
  const name = (reason as { name?: unknown } | null | undefined)?.name
  if (name === 'TimeoutError') return new TimeoutError(`${request} took too long.`, { cause: reason })
  if (signal?.aborted || name === 'AbortError') return new AbortError(undefined, { cause: reason })
  return new NetworkError(`${request} failed on the way: ${error instanceof Error ? error.message : String(error)}.`, { cause: error })
}
