import { define } from './callable.ts'
import type { AnyEndpoint, Transport } from './types.ts'

/** Settings of one run of an endpoint. */
export interface RunOptions {
  readonly signal?: AbortSignal | undefined
  readonly transport?: Transport | undefined
}

/**
 * Runs `endpoint` with a `this` derived from it, which carries the signal and the transport of this run. The endpoint
 * itself, which others may be running, does not change.
 *
 * @example
 * const abort = new AbortController()
 * const user = await runEndpoint(UserResource.get, [{ id: 1 }], { signal: abort.signal })
 */
export function runEndpoint<E extends AnyEndpoint>(endpoint: E, args: Parameters<E>, { signal, transport }: RunOptions = {}): ReturnType<E> {
  const run = Object.create(endpoint) as AnyEndpoint
  define(run, { signal, transport })
  return run.fetch(...args) as ReturnType<E>
}
