import { useMemo } from 'preact/hooks'
import { PatchcordError } from '../../index.ts'
import type { AnyEndpoint } from '../../index.ts'
import { Blocked, createReading } from './reading.ts'
import type { Provided, Reading } from './reading.ts'
import { thisTurn, useMounted } from './useMounted.ts'

/** What the arguments spell; undefined for "not yet". */
export function keyOf(endpoint: AnyEndpoint, args: readonly unknown[]): string | undefined {
  if (args[0] === null) return undefined
  if (endpoint.sideEffect) {
    throw new PatchcordError('SIDE_EFFECT', `${endpoint.name} cannot be read: each call changes something. Call controller.fetch with it.`)
  }
  return endpoint.key(...args)
}

/**
 * The read that these arguments spell, the same for as long as they spell it. The same rows may be read by another
 * schema: with that one can wait, and show nothing.
 */
export function useReading(provided: Provided, endpoint: AnyEndpoint, args: readonly unknown[], key: string | undefined): Reading | undefined {
  const kept = useMemo<{ reading?: Reading | undefined }>(() => ({ reading: key === undefined ? undefined : provided.waiting.get(key) }), [provided, key])
  if (key === undefined) return undefined
  thisTurn()
  const { reading } = kept
  if (reading && reading.endpoint.schema === endpoint.schema) return Object.assign(reading, { endpoint, args })
  if (reading?.signal.peek() instanceof Blocked) return reading
  return (kept.reading = createReading(provided, endpoint, args, key))
}

/** Fetches what is stale for as long as the component is mounted; with `missing` also what is not there. */
export function useFresh(reading: Reading | undefined, missing: boolean = false): void {
  useMounted(() => reading?.follow(missing), [reading, missing])
}
