import { isReserved } from '../base/keys.ts'
import { equal, hasOwn, identical, isPlain } from '../base/plain.ts'
import type { Stamp } from '../base/stamp.ts'
import { RESULTS, type Cell } from './cell.ts'
import { eachChange, eachStampChange } from './changes.ts'
import type { Patch } from './immer.ts'
import type { State } from './State.ts'

/** Past this many edits of one list or object, one `replace` is shorter. */
const EDIT_LIMIT = 1000

type Path = readonly (string | number)[]

/**
 * Stamps that travel beside patches: the rows of one table that share a stamp.
 *
 * @example
 * const fresh: StampGroup = { key: 'Todo', pks: ['1'], stamp: { fetchedAt: 1, date: Date.now(), expiresAt: Infinity } }
 * const next = applyPatches(state, [], [fresh])
 */
export interface StampGroup {
  readonly key: string
  readonly pks: readonly string[]
  /** `null` removes the stamp. */
  readonly stamp: Stamp | null
}

/** The path of a row in the document. */
export function pathOf({ pk, table }: Cell): string[] {
  return table.ordinal === RESULTS ? ['endpoints', pk] : ['entities', table.key, pk]
}

/** The Immer patches that lead from one state to another. Swap the arguments for the inverse. */
export function patchesBetween(from: State, to: State): readonly Patch[] {
  const added: { readonly rank: number; readonly patch: Patch }[] = []
  const others: Patch[] = []
  eachChange(from, to, (cell, before, after) => {
    const path = pathOf(cell)
    if (before === undefined) added.push({ rank: to.rows(cell.table).rank(cell.slot), patch: { op: 'add', path, value: Object.freeze(after) } })
    else if (after === undefined) others.push({ op: 'remove', path })
    else diffValues(path, before, after, others)
  })
  // Whoever applies the patches to another state sees the rows of a table arrive in the same order.
  const tableOf = ({ path }: Patch): string => (path[0] === 'entities' ? `${path[1]}` : '')
  if (added.some((each, i) => i > 0 && each.rank < added[i - 1]!.rank && tableOf(each.patch) === tableOf(added[i - 1]!.patch))) added.sort((a, b) => a.rank - b.rank)
  return [...added.map(({ patch }) => patch), ...others]
}

/** The stamps that lead from one state to another, grouped. */
export function stampsBetween(from: State, to: State): readonly StampGroup[] {
  const groups: { readonly key: string; readonly pks: string[]; readonly stamp: Stamp | null }[] = []
  eachStampChange(from, to, ({ table, pk }, after) => {
    const stamp = after ?? null
    const last = groups.at(-1)
    if (last?.key === table.key && last.stamp === stamp) last.pks.push(pk)
    else groups.push({ key: table.key, pks: [pk], stamp })
  })
  return groups
}

function diffValues(path: Path, before: unknown, after: unknown, patches: Patch[]): void {
  if (identical(before, after)) return
  const start = patches.length
  if (Array.isArray(before) && Array.isArray(after)) diffLists(path, before, after, patches)
  else if (isPlain(before) && isPlain(after)) {
    for (const field of Object.keys(after)) {
      if (!hasOwn(before, field)) patches.push({ op: 'add', path: [...path, field], value: after[field] })
      // Immer refuses paths that go through these names, so the value at them is replaced.
      else if (isReserved(field)) equal(before[field], after[field]) || patches.push({ op: 'replace', path: [...path, field], value: after[field] })
      else diffValues([...path, field], before[field], after[field], patches)
    }
    for (const field of Object.keys(before)) if (!hasOwn(after, field)) patches.push({ op: 'remove', path: [...path, field] })
  } else patches.push({ op: 'replace', path: [...path], value: after })
  if (patches.length - start <= EDIT_LIMIT) return
  patches.length = start
  patches.push({ op: 'replace', path: [...path], value: after })
}

/** One splice between the common prefix and suffix; members that only moved inside it are replaced by index. */
function diffLists(path: Path, before: readonly unknown[], after: readonly unknown[], patches: Patch[]): void {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && equal(before[start], after[start])) start++
  let end = 0
  while (end < shorter - start && equal(before[before.length - 1 - end], after[after.length - 1 - end])) end++
  const removed = before.length - start - end
  const added = after.length - start - end
  const kept = before.length > after.length ? subsequence(before, after, start, removed, added) : subsequence(after, before, start, added, removed)
  if (Math.max(removed, added) > EDIT_LIMIT + kept.size) return void patches.push({ op: 'replace', path: [...path], value: after })
  if (kept.size > 0 || removed === 0 || added === 0) {
    // Only removals, or only insertions: from the last to the first, or the first to the last, so that indices stay true.
    if (before.length > after.length) for (let i = start + removed - 1; i >= start; i--) kept.has(i) || patches.push({ op: 'remove', path: [...path, i] })
    else for (let i = start; i < start + added; i++) kept.has(i) || patches.push({ op: 'add', path: [...path, i], value: after[i] })
    return
  }
  const replaced = Math.min(removed, added)
  for (let n = removed - 1; n >= replaced; n--) patches.push({ op: 'remove', path: [...path, start + n] })
  for (let n = 0; n < replaced; n++) equal(before[start + n], after[start + n]) || patches.push({ op: 'replace', path: [...path, start + n], value: after[start + n] })
  for (let n = replaced; n < added; n++) patches.push({ op: 'add', path: [...path, start + n], value: after[start + n] })
}

/** The indices in `longer` of the members of `shorter`, if all of them occur there in the same order; otherwise none. */
function subsequence(longer: readonly unknown[], shorter: readonly unknown[], start: number, long: number, short: number): ReadonlySet<number> {
  const found = new Set<number>()
  let at = start
  for (let i = start; i < start + short; i++, at++) {
    while (at < start + long && !equal(longer[at], shorter[i])) at++
    if (at === start + long) return new Set()
    found.add(at)
  }
  return found
}
