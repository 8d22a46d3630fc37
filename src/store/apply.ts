import { PatchError } from '../base/errors.ts'
import { isReserved } from '../base/keys.ts'
import { own, share, type Losses } from '../base/plain.ts'
import type { Stamp } from '../base/stamp.ts'
import type { CellTable } from './cell.ts'
import { Draft } from './draft.ts'
import { editRecord } from './edit.ts'
import type { Patch } from './immer.ts'
import { madeFrom } from './origin.ts'
import type { Row } from './rows.ts'
import type { State } from './state.ts'

/**
 * The rows of one table that share a stamp; what travels beside patches.
 *
 * @example
 * const fresh: StampGroup = { key: 'Todo', pks: ['1'], stamp: { fetchedAt: 1, date: Date.now(), expiresAt: Infinity } }
 * const next = applyPatches(state, [], [fresh])
 */
export interface StampGroup {
  readonly key: string
  readonly pks: readonly string[]
  /** `null` takes the stamp away. */
  readonly stamp: Stamp | null
}

/**
 * The state after `patches`. All of them apply, or none does and a `PatchError` says why.
 * Patches may come from `normalize`, from Immer, or from outside: nothing in them is trusted or aliased.
 *
 * @example
 * const next = applyPatches(state, [{ op: 'replace', path: ['entities', 'Todo', '1', 'done'], value: true }])
 */
export function applyPatches(state: State, patches: readonly Patch[], stamps: readonly StampGroup[] = []): State {
  checkLists(patches, stamps)
  const made = madeFrom(state, patches, stamps)
  if (made !== undefined) return made
  const draft = new Draft(state)
  try {
    patchDraft(draft, patches)
    stampDraft(draft, stamps)
    return draft.finish()
  } catch (error) {
    draft.abandon()
    throw error
  }
}

/** Everything else is found out where it matters. */
export function checkLists(patches: unknown, stamps: unknown): void {
  for (const list of [patches, stamps]) if (!Array.isArray(list)) throw new PatchError('Patches and stamps come as lists.', list)
  for (const group of stamps as readonly (Partial<StampGroup> | null | undefined)[]) if (!Array.isArray(group?.pks)) throw noStamps(group)
}

function noStamps(group: unknown): PatchError {
  return new PatchError('Stamps come as { key, pks, stamp: { fetchedAt, date, expiresAt } | null }.', group)
}

/** Applies `patches` to a draft. Consecutive patches of one record are applied to one copy of it. */
export function patchDraft(draft: Draft, patches: readonly Patch[]): void {
  for (let i = 0; i < patches.length; ) {
    const patch = patches[i]!
    const at = rootLength(patch)
    if (patch.path.length === at) {
      replaceRoot(draft, patch, ownValue(patch))
      i++
      continue
    }
    let end = i + 1
    while (end < patches.length && sharesRoot(patch, patches[end]!, at)) end++
    editRoot(draft, patches.slice(i, end), at)
    i = end
  }
}

/** Sets the stamps that came with patches. */
export function stampDraft(draft: Draft, groups: readonly StampGroup[]): void {
  for (const group of groups) {
    const { key, pks, stamp } = group
    if (typeof key !== 'string' || key === '' || isReserved(key) || !isStamp(stamp)) throw noStamps(group)
    const table = draft.cells.table(key)
    const frozen = stamp === null ? undefined : Object.isFrozen(stamp) ? stamp : Object.freeze({ ...stamp })
    for (const pk of pks) {
      if (typeof pk !== 'string' || pk === '') throw new PatchError('A stamp belongs to a pk that is a non-empty string.', pk)
      draft.mark(draft.intern(table, pk), frozen)
    }
  }
}

/** How many segments name the record or result that a patch belongs to. */
function rootLength(patch: Patch): 2 | 3 {
  const path: unknown = (patch as Patch | null | undefined)?.path
  if (!Array.isArray(path)) throw new PatchError('A patch needs `op` and a `path` that is a list.', patch)
  if (patch.op !== 'add' && patch.op !== 'replace' && patch.op !== 'remove') {
    throw new PatchError(`The operation ${String(patch.op)} is none of add, replace, remove.`, patch)
  }
  const length = path[0] === 'entities' ? 3 : 2
  if (path[0] !== 'entities' && path[0] !== 'endpoints') {
    throw new PatchError('A path begins with "entities" or "endpoints".', patch)
  }
  if (path.length < length) throw new PatchError('The path names no record: ["entities", key, pk, …] or ["endpoints", key, …].', patch)
  for (let i = 1; i < length; i++) {
    if (typeof path[i] !== 'string') throw new PatchError('Table, pk and endpoint key are strings.', patch)
  }
  if (length === 3 && (isReserved(path[1]) || path[1] === '' || path[2] === '')) {
    throw new PatchError(`The path names no usable ${path[2] === '' ? 'pk' : 'table'}.`, patch)
  }
  return length
}

function isStamp(stamp: Stamp | null): boolean {
  if (typeof stamp !== 'object') return false
  return stamp === null || [stamp.fetchedAt, stamp.date, stamp.expiresAt].every(time => typeof time === 'number' && !Number.isNaN(time))
}


function sharesRoot(a: Patch, b: Patch, length: number): boolean {
  if (rootLength(b) !== length || b.path.length === length) return false
  for (let i = 0; i < length; i++) if (a.path[i] !== b.path[i]) return false
  return true
}

/** Patches may say what is there already, which must keep its reference. */
function replaceRoot(draft: Draft, patch: Patch, value: unknown): void {
  const { table, pk } = rootOf(draft, patch)
  const isRow = table.ordinal >= 0
  if (patch.op === 'remove') {
    const cell = table.find(pk)
    if (cell === undefined) return
    draft.write(cell, undefined)
    if (isRow) draft.mark(cell, undefined)
    return
  }
  if (isRow && (typeof value !== 'object' || value === null)) throw new PatchError('A record is an object or a list.', patch)
  const cell = draft.intern(table, pk)
  draft.write(cell, share(draft.row(cell), value) as Row)
}

/** Where the record or the result is that a path begins with. */
export function rootOf({ cells }: Draft, { path }: Patch): { readonly table: CellTable; readonly pk: string; readonly length: 2 | 3 } {
  const [root, key, pk] = path as string[]
  return root === 'entities' ? { table: cells.table(key!), pk: pk!, length: 3 } : { table: cells.endpoints, pk: key!, length: 2 }
}

function editRoot(draft: Draft, patches: readonly Patch[], length: 2 | 3): void {
  const patch = patches[0]!
  const { table, pk } = rootOf(draft, patch)
  const cell = table.find(pk)
  const value = cell && draft.row(cell)
  if (cell === undefined || typeof value !== 'object' || value === null) {
    throw new PatchError(`There is nothing at ${JSON.stringify(patch.path.slice(0, length))} to change; add it first.`, patch)
  }
  const edited = editRecord(value, patches.map(each => ({ op: each.op, path: each.path.slice(length), value: ownValue(each) }) as Patch))
  draft.write(cell, share(value, edited) as Row)
}

function ownValue(patch: Patch): unknown {
  const losses: Losses = {}
  const value = own(patch.value, losses)
  if (losses.proto) throw new PatchError('The value has a key "__proto__"; patches with it are refused.', patch)
  return value
}
