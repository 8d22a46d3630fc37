import { isReserved } from '../base/keys.ts'
import { equal, hasOwn, identical, isObject, isPlain } from '../base/plain.ts'
import type { Stamp } from '../base/stamp.ts'
import type { Patch } from './immer.ts'
import { rowIn, type Cell, type Entry, type Row, type State, type Table } from './State.ts'
import { compareVectors, vectorGet, type Vector } from './vector.ts'

/** Calls `visit` for every row that differs between two states. The cost follows what differs. */
export function eachChange(from: State, to: State, visit: (cell: Cell, before: Row | undefined, after: Row | undefined) => void): void {
  eachTable(from, to, (before, after) => {
    compareTables<Entry>(before, after, [before && from.rows(before).records, after && to.rows(after).records], (cell, old, entry) => {
      if (rowIn(old) !== rowIn(entry)) visit(cell, rowIn(old), rowIn(entry))
    })
  })
}

/** A cell whose row, or whose mark "deleted", differs between two states. */
export interface CellChange {
  readonly cell: Cell
  readonly before: Row | undefined
  readonly after: Row | undefined
}

export function changesBetween(from: State, to: State): CellChange[] {
  const changes: CellChange[] = []
  eachChange(from, to, (cell, before, after) => void changes.push({ cell, before, after }))
  if (from.marks !== to.marks) {
    eachStampChange(from, to, (cell, stamp) => {
      const [before, after] = [from.read(cell), to.read(cell)]
      if (!before && !after && stamp?.deleted !== from.stamp(cell)?.deleted) changes.push({ cell, before, after })
    })
  }
  return changes
}

/** Calls `visit` for every stamp that differs between two states. */
export function eachStampChange(from: State, to: State, visit: (cell: Cell, after: Stamp | undefined) => void): void {
  if (from.stamps === to.stamps) return
  eachTable(from, to, (before, after) =>
    compareTables(before, after, [before && from.stamps[before.ordinal], after && to.stamps[after.ordinal]], (cell, _, stamp) => visit(cell, stamp)),
  )
}

function eachTable(from: State, to: State, visit: (before: Table | undefined, after: Table | undefined) => void): void {
  const later = to.directory ?? from.directory
  if (!later) return
  const earlier = from.directory ?? later
  for (const table of later.tables) visit(earlier === later ? table : earlier.find(table.key), table)
  if (earlier !== later) for (const table of earlier.tables) if (!later.find(table.key)) visit(table, undefined)
  visit(earlier.results, later.results)
}

/** Garbage collection gives a table new cells; then rows are matched by pk. */
function compareTables<T>(before: Table | undefined, after: Table | undefined, [from, to]: readonly (Vector<T> | undefined)[], visit: (cell: Cell, before: T | undefined, after: T | undefined) => void): void {
  if (before === after) return compareVectors(from, to, (slot, old, value) => visit(after!.bySlot[slot]!, old, value))
  compareVectors(from, undefined, (slot, old) => {
    const cell = before!.bySlot[slot]!
    if (!after?.find(cell.pk)) visit(cell, old, undefined)
  })
  compareVectors(undefined, to, (slot, _, value) => {
    const cell = after!.bySlot[slot]!
    const match = before?.find(cell.pk)
    const old = match && vectorGet(from, match.slot)
    if (old !== value) visit(cell, old, value)
  })
}

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
export function pathOf({ isEntity, pk, table }: Cell): string[] {
  return isEntity ? ['entities', table.key, pk] : ['endpoints', pk]
}

/** The Immer patches that lead from one state to another. Swap the arguments for the inverse. */
export function patchesBetween(from: State, to: State): readonly Patch[] {
  const added: { readonly rank: number; readonly patch: Patch }[] = []
  const others: Patch[] = []
  eachChange(from, to, (cell, before, after) => {
    const path = pathOf(cell)
    if (before === undefined) added.push({ rank: to.rows(cell.table).rank(cell.slot), patch: { op: 'add', path, value: shared(after!) } })
    else if (after === undefined) others.push({ op: 'remove', path })
    else diffValues(path, before, after, others)
  })
  // Patches applied to another state add the rows of a table in the same order.
  added.sort((a, b) => a.rank - b.rank)
  return [...added.map(({ patch }) => patch), ...others]
}

/** Rows and results that stand in patches. Nobody can write into them, so a store may take them as they are. */
const sharedRows = new WeakSet<object>()

function shared(row: Row): Row {
  if (isObject(row)) sharedRows.add(row)
  return Object.freeze(row)
}

export function isShared(row: unknown): row is Row {
  return isObject(row) && sharedRows.has(row)
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
  for (const group of groups) Object.freeze(Object.freeze(group).pks)
  return Object.freeze(groups)
}

function diffValues(path: Path, before: unknown, after: unknown, patches: Patch[]): void {
  if (identical(before, after)) return
  const start = patches.length
  if (Array.isArray(before) && Array.isArray(after)) diffLists(path, before, after, patches)
  else if (isPlain(before) && isPlain(after)) {
    for (const field of Object.keys(after)) {
      // Immer refuses paths that go through reserved names, so the value at them is replaced.
      if (!hasOwn(before, field)) patches.push({ op: 'add', path: [...path, field], value: after[field] })
      else if (!isReserved(field)) diffValues([...path, field], before[field], after[field], patches)
      else if (!equal(before[field], after[field])) patches.push({ op: 'replace', path: [...path, field], value: after[field] })
    }
    for (const field of Object.keys(before)) if (!hasOwn(after, field)) patches.push({ op: 'remove', path: [...path, field] })
  } else patches.push({ op: 'replace', path: [...path], value: after })
  if (patches.length - start <= EDIT_LIMIT) return
  patches.length = start
  patches.push({ op: 'replace', path: [...path], value: after })
}

/**
 * Insertions and removals of members, from the last index to the first, so that earlier indices stay true. A member that
 * moved alone is removed and added. Where more have changed their order, they are replaced, index by index.
 */
function diffLists(path: Path, before: readonly unknown[], after: readonly unknown[], patches: Patch[]): void {
  const first = patches.length
  let [start, from, to] = [0, before.length - 1, after.length - 1]
  while (start <= from && start <= to && equal(before[start], after[start])) start++
  for (; start <= from && start <= to && equal(before[from], after[to]); from--) to--
  const [old, next] = [new Set(before.slice(start, from + 1)), new Set(after.slice(start, to + 1))]
  // With more edits than this, `diffValues` replaces the whole list.
  while ((start <= from || start <= to) && patches.length - first <= EDIT_LIMIT) {
    const [member, value] = [before[from], after[to]]
    const isSame = start <= from && start <= to && equal(member, value)
    const isGone = !isSame && start <= from && (start > to || !next.has(member) || before[from - 1] === value)
    const isNew = !isSame && start <= to && (start > from || !old.has(value) || after[to - 1] === member)
    if (isGone !== isNew) patches.push(isGone ? { op: 'remove', path: [...path, from] } : { op: 'add', path: [...path, from + 1], value })
    else if (!isSame) patches.push({ op: 'replace', path: [...path, from], value })
    // A member that is removed here counts as new at a lower index, and the reverse.
    if (isGone) old.delete(member)
    if (isNew) next.delete(value)
    if (isGone || !isNew) from--
    if (isNew || !isGone) to--
  }
}
