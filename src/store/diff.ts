import { isReserved } from '../base/keys.ts'
import { equal, identical, isPlain } from '../base/plain.ts'
import type { Stamp } from '../base/stamp.ts'
import type { StampGroup } from './apply.ts'
import type { Cell, CellTable } from './cell.ts'
import { editRecord } from './edit.ts'
import { gather } from './gather.ts'
import type { Patch } from './immer.ts'
import type { Rows } from './rows.ts'
import { splices, type Splice } from './splices.ts'
import { readResult, readRow, rowsOf, stampsOf, type State } from './state.ts'
import { compareVectors } from './vector.ts'

/** Past this many edits of one list or object, one `replace` says it better. */
const EDIT_LIMIT = 1000

/**
 * The Immer patches that lead from one state to another of the same lineage. Swapping the arguments gives
 * the inverse. The cost follows what differs: shared pages are not looked at.
 */
export function diffStates(before: State, after: State): Patch[] {
  const patches: Patch[] = []
  const cells = after.cells ?? before.cells
  if (cells === undefined) return patches
  for (const table of [...cells.tables, cells.endpoints]) {
    const from = rowsOf(before, table)
    const to = rowsOf(after, table)
    if (from !== to) diffRows(table, from, to, patches)
  }
  return patches
}

/** Where patches find a row, or a result. */
export function pathOf({ pk, table }: Cell): string[] {
  return table.ordinal < 0 ? ['endpoints', pk] : ['entities', table.key, pk]
}

function diffRows(table: CellTable, before: Rows, after: Rows, patches: Patch[]): void {
  const start = patches.length
  const arrivals: number[] = []
  let sorted = true
  const changes: Patch[] = []
  compareVectors(before.records, after.records, (slot, from, to) => {
    const path = pathOf(table.at(slot)!)
    if (from === undefined) {
      const born = after.born(slot)!
      if (arrivals.length > 0 && born < arrivals[arrivals.length - 1]!) sorted = false
      arrivals.push(born)
      patches.push({ op: 'add', path, value: to })
    } else if (to === undefined) changes.push({ op: 'remove', path })
    else diffValues(path, from, to, changes)
  })
  // Whoever applies these patches to another state must see the rows arrive in the same order.
  if (!sorted) sortBy(patches, start, arrivals)
  for (const patch of changes) patches.push(patch)
}

/** Sorts the patches from `start` on by the number that belongs to each. */
function sortBy(patches: Patch[], start: number, ranks: readonly number[]): void {
  const sorted = ranks.map((rank, i) => ({ rank, patch: patches[start + i]! })).sort((a, b) => a.rank - b.rank)
  sorted.forEach(({ patch }, i) => (patches[start + i] = patch))
}

/** The stamps that differ, grouped as they travel. A stamp that is gone is `null`. Frozen. */
export function diffStamps(before: State, after: State): readonly StampGroup[] {
  const groups: { readonly key: string; readonly pks: string[]; readonly stamp: Stamp | null }[] = []
  for (const table of (after.cells ?? before.cells)?.tables ?? []) {
    let open: (typeof groups)[number] | undefined
    compareVectors(stampsOf(before, table), stampsOf(after, table), (slot, _, stamp) => {
      const { pk } = table.at(slot)!
      if (open?.stamp === (stamp ?? null)) open.pks.push(pk)
      else groups.push((open = { key: table.key, pks: [pk], stamp: stamp ?? null }))
    })
  }
  for (const group of groups) Object.freeze(Object.freeze(group).pks)
  return Object.freeze(groups)
}

/** The patches that take back `patches`, in the state that they were made for. */
export function invertPatches(before: State, patches: readonly Patch[]): Patch[] {
  const roots = new Map<string, Patch[]>()
  for (const patch of patches) {
    const length = patch.path[0] === 'entities' ? 3 : 2
    gather(roots, JSON.stringify(patch.path.slice(0, length)), patch)
  }
  const inverse: Patch[] = []
  for (const [root, group] of [...roots].reverse()) invertRoot(before, JSON.parse(root) as string[], group, inverse)
  return inverse
}

function invertRoot(before: State, root: string[], patches: readonly Patch[], inverse: Patch[]): void {
  const old = root.length === 3 ? readRow(before, root[1]!, root[2]!) : readResult(before, root[1]!)
  let next: unknown = old
  for (const patch of patches) {
    if (patch.path.length === root.length) next = patch.op === 'remove' ? undefined : patch.value
    else next = editRecord(next as object, [{ ...patch, path: patch.path.slice(root.length) }])
  }
  if (identical(next, old)) return
  if (next === undefined) inverse.push({ op: 'add', path: root, value: old })
  else if (old === undefined) inverse.push({ op: 'remove', path: root })
  else diffValues(root, next, old, inverse)
}

/** Patches from one owned value to another; equal parts are the same reference, or compare equal. */
export function diffValues(path: readonly (string | number)[], before: unknown, after: unknown, patches: Patch[]): void {
  const start = patches.length
  let told = true
  if (Array.isArray(before) && Array.isArray(after)) {
    const edits = splices(before, after, EDIT_LIMIT)
    told = edits !== undefined
    // From the last place to the first, so that an edit never moves the place of one that is still to come.
    for (const edit of edits?.reverse() ?? []) spliceList(path, edit, after, patches)
  } else if (isPlain(before) && isPlain(after)) diffObjects(path, before, after, patches)
  else told = false
  if (told && patches.length - start <= EDIT_LIMIT) return
  patches.length = start
  patches.push({ op: 'replace', path: [...path], value: after })
}

function diffObjects(
  path: readonly (string | number)[],
  before: { readonly [field: string]: unknown },
  after: { readonly [field: string]: unknown },
  patches: Patch[],
): void {
  for (const field of Object.keys(after)) {
    const to = after[field]
    if (!Object.hasOwn(before, field)) patches.push({ op: 'add', path: [...path, field], value: to })
    else if (!identical(before[field], to)) {
      // Immer refuses paths that go through these names, so the value is replaced at them.
      if (isReserved(field)) {
        if (!equal(before[field], to)) patches.push({ op: 'replace', path: [...path, field], value: to })
      } else diffValues([...path, field], before[field], to, patches)
    }
  }
  for (const field of Object.keys(before)) {
    if (!Object.hasOwn(after, field)) patches.push({ op: 'remove', path: [...path, field] })
  }
}

/** The patches of one splice; false, and none, when there are too many. */
export function spliceList(path: readonly (string | number)[], splice: Splice, after: readonly unknown[], patches: Patch[]): boolean {
  const { from, removed, at, added } = splice
  if (Math.max(removed, added) > EDIT_LIMIT) return false
  const replaced = Math.min(removed, added)
  for (let n = removed - 1; n >= replaced; n--) patches.push({ op: 'remove', path: [...path, from + n] })
  for (let n = 0; n < replaced; n++) patches.push({ op: 'replace', path: [...path, from + n], value: after[at + n] })
  for (let n = replaced; n < added; n++) patches.push({ op: 'add', path: [...path, from + n], value: after[at + n] })
  return true
}
