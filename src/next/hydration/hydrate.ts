import type { Clock } from '../base/clock.ts'
import { HydrationError } from '../base/errors.ts'
import type { Stamp } from '../base/stamp.ts'
import type { Freshness } from '../controller/Freshness.ts'
import type { Timeline } from '../order/Timeline.ts'
import type { Patch } from '../store/immer.ts'
import type { StampGroup } from '../store/patches.ts'
import { readExported, type ExportedState } from './transfer.ts'

/**
 * What can take in what was written down: a controller.
 *
 * @example
 * const load = (controller: HydrationTarget): boolean => hydrate(controller, localStorage.getItem('state'))
 */
export interface HydrationTarget {
  readonly clock: Clock
  /** @internal */ readonly timeline: Timeline
  /** @internal */ readonly freshness: Freshness
  /** @internal */ batch<T>(work: () => T): T
}

/**
 * Takes in what `dehydrate` wrote down, as an object or as its JSON. What the controller has fetched itself since then
 * stays. Anything else than dehydrated data is refused whole, with one warning: then everything is fetched as usual.
 *
 * @example
 * hydrate(controller, document.getElementById('patchcord')?.textContent)
 */
export function hydrate(controller: HydrationTarget, data: unknown): boolean {
  let written: ExportedState
  let fresh: readonly (readonly [string, number, number])[]
  try {
    const read: unknown = typeof data === 'string' ? JSON.parse(data) : data
    written = readExported(read)
    fresh = freshnessIn(read as { readonly freshness?: unknown })
  } catch (error) {
    console.warn(`patchcord: nothing was hydrated. ${error instanceof Error ? error.message : String(error)}`)
    return false
  }
  controller.batch(() => {
    const { clock, freshness, timeline } = controller
    const dates = new Map(fresh.map(([key, date]) => [key, date]))
    const isNews = (key: string): boolean => {
      const { fetchedAt, date } = freshness.get(key)
      return fetchedAt === undefined || date < (dates.get(key) ?? 0)
    }
    const { patches, stamps, newest } = newsIn(written, controller, isNews)
    const position = timeline.positionAt(fresh.reduce((date, entry) => Math.max(date, entry[1]), newest))
    const { fetchedAt } = position
    timeline.apply(patches, stamps.map(({ key, pks, stamp }) => ({ key, pks, stamp: { ...stamp, fetchedAt } })), { cause: 'applyPatches', origin: 'hydrate' }, position)
    for (const [key, date, expiresAt] of fresh) {
      const { fetchedAt = position.fetchedAt, endpoint, args } = freshness.get(key)
      if (!isNews(key)) continue
      freshness.answered(key, { fetchedAt, date }, local(clock, expiresAt), endpoint, args)
      if (expiresAt < 0) freshness.invalidate([key], fetchedAt + 1)
    }
  })
  return true
}

/** What was written down and the controller has not, or has from before, and the newest date in that. Its places mean nothing: another process counted otherwise. */
function newsIn({ entities, endpoints }: ExportedState, controller: HydrationTarget, isNews: (key: string) => boolean): { patches: Patch[]; stamps: (StampGroup & { stamp: Stamp })[]; newest: number } {
  // Not what is shown: what is only hoped for has nothing to say to what was told.
  const now = controller.timeline.base
  const patches: Patch[] = []
  const stamps: (StampGroup & { stamp: Stamp })[] = []
  let newest = 0
  for (const [key, rows] of entities) {
    for (const [pk, value, stamp] of rows) {
      const own = now.cell(key, pk)
      const ownStamp = own && now.stamp(own)
      if (ownStamp !== undefined && ownStamp.date >= (stamp?.date ?? 0)) continue
      const path = ['entities', key, pk]
      if (value !== null) patches.push({ op: 'add', path, value })
      else if (own && now.read(own) !== undefined) patches.push({ op: 'remove', path })
      if (stamp === null) continue
      newest = Math.max(newest, stamp.date)
      stamps.push({ key, pks: [pk], stamp: { ...stamp, expiresAt: local(controller.clock, stamp.expiresAt) } })
    }
  }
  for (const [key, value] of endpoints) if (isNews(key)) patches.push({ op: 'add', path: ['endpoints', key], value })
  return { patches, stamps, newest }
}

/** A wall time, on this controller's own clock. */
function local(clock: Clock, time: number): number {
  return time - clock.date() + clock.now()
}

function freshnessIn({ freshness = [] }: { readonly freshness?: unknown }): (readonly [string, number, number])[] {
  return (Array.isArray(freshness) ? freshness : [freshness]).map((entry: unknown) => {
    const [key, date, expiresAt] = Array.isArray(entry) ? (entry as unknown[]) : []
    // JSON has no Infinity.
    const until = expiresAt === null ? Infinity : expiresAt
    if (typeof key !== 'string' || typeof date !== 'number' || typeof until !== 'number') {
      throw new HydrationError('An entry of the freshness of what was written down is no [key, date, expiresAt].')
    }
    return [key, date, until] as const
  })
}
