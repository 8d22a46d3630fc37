import { equal } from '../base/plain.ts'
import { gather } from './gather.ts'

/** `previous[from, from + removed)` became `next[at, at + added)`. */
export interface Splice {
  readonly from: number
  readonly removed: number
  readonly at: number
  readonly added: number
}

/**
 * What turns one list into another, in order; undefined when it takes more than `limit` edits, because then the
 * new list says it better. Lists of pks are matched exactly, however they were shuffled; lists of plain objects
 * by what they have in common at both ends.
 */
export function splices(before: readonly unknown[], after: readonly unknown[], limit: number): Splice[] | undefined {
  // V8 reads a frozen list several times slower than it copies it: 10,000 members take 100 µs, or 3 and 30.
  const previous = [...before]
  const next = [...after]
  const shorter = Math.min(previous.length, next.length)
  // Nearly all comparisons are of one string with itself; they stand here, and not in a call, because of lists of 10,000.
  let start = 0
  for (; start < shorter; start++) {
    const a = previous[start]
    const b = next[start]
    if (a !== b && !equal(a, b)) break
  }
  let end = 0
  for (; end < shorter - start; end++) {
    const a = previous[previous.length - 1 - end]
    const b = next[next.length - 1 - end]
    if (a !== b && !equal(a, b)) break
  }

  const result: Splice[] = []
  let edits = 0
  let from = start
  let at = start
  const close = (keptFrom: number, keptAt: number): void => {
    const removed = keptFrom - from
    const added = keptAt - at
    if (removed > 0 || added > 0) result.push({ from, removed, at, added })
    edits += Math.max(removed, added)
    from = keptFrom + 1
    at = keptAt + 1
  }
  for (const [keptFrom, keptAt] of kept(previous, next, start, end)) close(keptFrom, keptAt)
  close(previous.length - end, next.length - end)
  return edits > limit ? undefined : result
}

/** Pairs of places whose members stay, in order: the longest such series for lists without repetition. */
function kept(previous: readonly unknown[], next: readonly unknown[], start: number, end: number): [number, number][] {
  const beforeEnd = previous.length - end
  const afterEnd = next.length - end
  if (start >= beforeEnd || start >= afterEnd) return []
  // The n-th occurrence of a member is matched with the n-th: each place is used once.
  const places = new Map<unknown, number[]>()
  for (let i = beforeEnd - 1; i >= start; i--) {
    const member = previous[i]
    if (typeof member === 'object' && member !== null) continue
    gather(places, member, i)
  }
  const pairs: [number, number][] = []
  for (let i = start; i < afterEnd; i++) {
    const place = places.get(next[i])?.pop()
    if (place !== undefined) pairs.push([place, i])
  }
  return longestRising(pairs)
}

/** The longest series of `pairs` whose first numbers rise (patience sorting). */
function longestRising(pairs: [number, number][]): [number, number][] {
  const tails: number[] = []
  const before: number[] = []
  for (let i = 0; i < pairs.length; i++) {
    const place = pairs[i]![0]
    let low = 0
    let high = tails.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (pairs[tails[middle]!]![0] < place) low = middle + 1
      else high = middle
    }
    before.push(low > 0 ? tails[low - 1]! : -1)
    tails[low] = i
  }
  const series: [number, number][] = []
  for (let i = tails.at(-1) ?? -1; i >= 0; i = before[i]!) series.push(pairs[i]!)
  return series.reverse()
}
