import { useLayoutEffect, useMemo } from 'preact/hooks'
import { PatchcordError } from '../../src/index.ts'
import type { AnyEndpoint } from '../../src/index.ts'
import { createReading } from './reading.ts'
import type { Provided, Reading } from './reading.ts'

/** What the arguments spell; undefined for "not yet". */
export function keyOf(endpoint: AnyEndpoint, args: readonly unknown[]): string | undefined {
  if (args[0] === null) return undefined
  if (endpoint.sideEffect) {
    throw new PatchcordError('SIDE_EFFECT', `${endpoint.name} cannot be read: each call changes something. Call controller.fetch with it.`)
  }
  return endpoint.key(...args)
}

/** The read that these arguments spell, the same for as long as they spell it. */
export function useReading(provided: Provided, endpoint: AnyEndpoint, args: readonly unknown[], key: string | undefined): Reading | undefined {
  return useMemo(() => (key === undefined ? undefined : (provided.waiting.get(key) ?? createReading(provided, endpoint, args, key))), [provided, key])
}

// Layout effects, because the others are cleaned up only some time after the component has gone.
/** Fetches what is stale for as long as the component is mounted; with `missing` also what is not there. */
export function useFresh(reading: Reading | undefined, missing: boolean = false): void {
  useLayoutEffect(() => reading?.follow(missing), [reading, missing])
}
