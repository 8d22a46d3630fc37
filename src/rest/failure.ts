import { AbortError, NetworkError, PatchcordError, TimeoutError } from '../base/errors.ts'

/** The error of a request that broke off: the reason of its signal if that aborted it, else the error of the transport. */
export function failure(error: unknown, signal: AbortSignal | null | undefined, request: string): Error {
  const reason: unknown = signal?.aborted ? signal.reason : error
  if (reason instanceof PatchcordError) return reason
  const { name } = Object(reason) as Partial<Error>
  if (name === 'TimeoutError') return new TimeoutError(`${request} took too long.`, { cause: reason })
  if (signal?.aborted || name === 'AbortError') return new AbortError(undefined, { cause: reason })
  return new NetworkError(`${request} failed on the way: ${String((Object(error) as Partial<Error>).message ?? error)}.`, { cause: error })
}
