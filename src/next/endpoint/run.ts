import type { AnyEndpoint, Transport } from './types.ts'

/** What one run of an endpoint is given beside its arguments. */
export interface RunOptions {
  readonly signal?: AbortSignal | undefined
  readonly transport?: Transport | undefined
}

/**
 * Runs `endpoint` with a `this` of its own, derived from it: a run has its signal and its transport, and the endpoint,
 * which others are running too, stays as it is.
 *
 * @example
 * const abort = new AbortController()
 * const user = await runEndpoint(UserResource.get, [{ id: 1 }], { signal: abort.signal })
 */
export function runEndpoint<E extends AnyEndpoint>(endpoint: E, args: Parameters<E>, { signal, transport }: RunOptions = {}): ReturnType<E> {
  const run = Object.create(endpoint) as AnyEndpoint
  // Defined and not assigned: an option of a frozen object would refuse.
  if (signal) Object.defineProperty(run, 'signal', { value: signal, enumerable: true })
  if (transport) Object.defineProperty(run, 'transport', { value: transport, enumerable: true })
  return run.fetch(...args) as ReturnType<E>
}
