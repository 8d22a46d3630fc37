import { NetworkError, PatchcordError, TimeoutError } from 'patchcord'

const statusOf = (error: unknown): number | undefined => (error instanceof NetworkError ? error.status : undefined)

/** Whether an issue was changed whose creation had failed. */
const wasNeverSaved = (error: unknown): boolean => error instanceof PatchcordError && error.code === 'MISSING'

/** What to tell somebody who does not know HTTP. */
export function reasonOf(error: unknown): string {
  if (error instanceof TimeoutError) return 'The server took too long.'
  if (wasNeverSaved(error)) return 'The issue was never saved.'
  if (!(error instanceof NetworkError)) return error instanceof Error ? error.message : String(error)
  if (error.status === undefined) return 'The server cannot be reached.'
  const { message } = (error.body ?? {}) as { message?: string }
  return message ?? `The server answered with ${error.status}.`
}

/** The same, where data is shown that may be old. */
export const troubleOf = (error: unknown, hasData: boolean): string => `${reasonOf(error)} ${hasData ? 'This is what was here before. ' : ''}Trying again…`

/** Whether there is no such issue: the server has none, or it is deleted here and the server does not know yet. */
export const isMissing = (error: unknown): boolean => statusOf(error) === 404 || wasNeverSaved(error) || (error instanceof PatchcordError && error.code === 'EMPTY')

/** Whether the server refused what was sent, so that it has to be edited. */
export const isRefused = (error: unknown): boolean => statusOf(error) === 400 || statusOf(error) === 422

/** Whether the same request can succeed later: not after a 4xx, but for a timeout and too many requests. */
export function canRetry(error: unknown): boolean {
  const status = statusOf(error) ?? 0
  return !wasNeverSaved(error) && (status < 400 || status >= 500 || status === 408 || status === 429)
}
