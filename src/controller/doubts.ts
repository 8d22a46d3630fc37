import type { Place, Timeline } from '../order/timeline.ts'
import type { Reader, Target } from './readerOf.ts'

/** Rows of which nobody can say what the server has. Whoever shows one asks again, now or when a read that is under way turns out to. */
export interface Doubts {
  add(target: Target): void
  begin(read: Place): void
  end(read: Place): void
  clear(): void
}

export function createDoubts(readerOf: (target: Target) => Reader | undefined, ask: (reader: Reader) => void, timeline: Timeline): Doubts {
  /** Rows that nobody shows but, it may be, a read that is under way; and since when. */
  const doubts = new Map<Target, number>()
  /** Reads under way, the oldest first. */
  const reads = new Set<Place>()
  return {
    add(target) {
      const reader = readerOf(target)
      if (reader !== undefined) ask(reader)
      else if (reads.size > 0) doubts.set(target, timeline.now().fetchedAt)
    },
    begin: read => void reads.add(read),
    /** One that starts after a doubt answers it by itself. */
    end(read) {
      reads.delete(read)
      const [oldest] = reads
      for (const [target, since] of doubts) {
        const reader = readerOf(target)
        if (reader !== undefined || oldest === undefined || oldest.fetchedAt > since) doubts.delete(target)
        if (reader !== undefined && read.fetchedAt < since) ask(reader)
      }
    },
    clear: () => doubts.clear(),
  }
}
