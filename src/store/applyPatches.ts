import { PatchError } from '../base/errors.ts'
import { isReserved } from '../base/keys.ts'
import { hasOwn, isObject, isPlain, keep, put, take, type Plain } from '../base/plain.ts'
import type { Stamp } from '../base/stamp.ts'
import { Draft } from './Draft.ts'
import type { Patch } from './immer.ts'
import { isShared, type StampGroup } from './patches.ts'
import type { Cell, Row, State } from './State.ts'

/**
 * The state after `patches`. All of them apply, or none does and a `PatchError` says why.
 * Patches may come from `normalize`, from Immer or from outside: nothing in them is trusted or aliased.
 *
 * @example
 * const next = applyPatches(state, [{ op: 'replace', path: ['entities', 'Todo', '1', 'done'], value: true }])
 */
export function applyPatches(state: State, patches: readonly Patch[], stamps: readonly StampGroup[] = []): State {
  const draft = new Draft(state)
  patchDraft(draft, patches)
  stampDraft(draft, stamps)
  return draft.finish()
}

/** Applies `patches` to a draft; `removed` is called for each row that they remove. */
export function patchDraft(draft: Draft, patches: readonly Patch[], removed?: (cell: Cell) => void): void {
  if (!Array.isArray(patches)) throw new PatchError('Pass a list of patches.', patches)
  /** Rows that are being edited, as they were before. */
  const edited = new Map<Cell, { readonly before: Row | undefined; row: unknown; readonly patch: Patch }>()
  for (const patch of patches as readonly Patch[]) {
    const { cell, path } = locate(draft, patch)
    const entry = edited.get(cell) ?? { before: draft.read(cell), row: draft.read(cell), patch }
    edited.set(cell, entry)
    if (path.length > 0) entry.row = edit(draft, entry.row, path, patch)
    else {
      entry.row = patch.op === 'remove' ? undefined : isShared(patch.value) ? patch.value : ownValue(patch)
      if (patch.op === 'remove') removed?.(cell)
      else if (cell.isEntity && !isObject(entry.row)) throw new PatchError('A record must be an object or a list.', patch)
    }
  }
  for (const [cell, { before, row }] of edited) {
    // The stamp of a deletion says nothing about a row that comes back.
    if (cell.isEntity && (row === undefined || draft.stamp(cell)?.deleted === true)) draft.setStamp(cell)
    draft.write(cell, keep(before, isShared(row) ? row : take(row, false)) as Row)
  }
}

/** Sets the stamps that came with patches. */
export function stampDraft(draft: Draft, groups: readonly StampGroup[]): void {
  if (!Array.isArray(groups)) throw new PatchError('Pass a list of stamps.', groups)
  for (const group of groups as readonly StampGroup[]) {
    const { key, pks, stamp } = (group ?? {}) as Partial<StampGroup>
    if (typeof key !== 'string' || key === '' || isReserved(key) || !Array.isArray(pks) || !isStamp(stamp)) {
      throw new PatchError('Stamps must be { key, pks, stamp: { fetchedAt, date, expiresAt } | null }.', group)
    }
    const own = stamp === null ? undefined : Object.freeze({ ...stamp! })
    for (const pk of pks as readonly string[]) {
      if (typeof pk !== 'string' || pk === '') throw new PatchError('Each pk must be a non-empty string.', group)
      draft.setStamp(draft.directory.table(key).cell(pk), own)
    }
  }
}

function isStamp(stamp: unknown): stamp is Stamp | null {
  if (!isObject(stamp)) return stamp === null
  const { fetchedAt, date, expiresAt } = stamp as Stamp
  return Number.isFinite(fetchedAt) && [date, expiresAt].every(time => typeof time === 'number' && !Number.isNaN(time))
}

/** The row that a patch belongs to, and the path inside of it. */
export function locate({ directory }: Draft, patch: Patch): { readonly cell: Cell; readonly path: Patch['path'] } {
  const { op, path } = (patch ?? {}) as Partial<Patch>
  if (!Array.isArray(path)) throw new PatchError('A patch needs `op` and a list as its `path`.', patch)
  if (op !== 'add' && op !== 'replace' && op !== 'remove') throw new PatchError(`The op must be add, replace or remove, not ${String(op)}.`, patch)
  const [root, key, pk] = path as readonly unknown[]
  const length = root === 'entities' ? 3 : 2
  if ((root !== 'entities' && root !== 'endpoints') || path.length < length) throw new PatchError('A path must be ["entities", key, pk, …] or ["endpoints", key, …].', patch)
  if (typeof key !== 'string' || (length === 3 && typeof pk !== 'string')) throw new PatchError('Table, pk and endpoint key must be strings.', patch)
  if (length === 3 && (isReserved(key) || key === '' || pk === '')) throw new PatchError(`The path needs another ${pk === '' ? 'pk' : 'table'}: this one is empty or reserved.`, patch)
  return { cell: length === 3 ? directory.table(key).cell(pk as string) : directory.results.cell(key), path: path.slice(length) }
}

function ownValue(patch: Patch): unknown {
  if (hasProto(patch.value)) throw new PatchError('The value has a key "__proto__". Remove it.', patch)
  return take(patch.value)
}

/** Whether an own key `__proto__` occurs anywhere in `value`. */
export function hasProto(value: unknown, depth = 0): boolean {
  // Deeper than the limit is refused by `take`.
  if (!isObject(value) || depth > 1000) return false
  return hasOwn(value, '__proto__') || Object.values(value).some(member => hasProto(member, depth + 1))
}

/** `container` with `patch` at `path`. The draft copies each container once, so many patches of one long list cost one copy. */
function edit(draft: Draft, container: unknown, path: Patch['path'], patch: Patch): unknown {
  if (!Array.isArray(container) && !isPlain(container)) throw new PatchError(`There is nothing to change at ${JSON.stringify(patch.path)}; add it first.`, patch)
  const [at] = path
  const copy = draft.copy<Plain | unknown[]>(container)
  const next = (member: unknown): unknown => (path.length > 1 ? edit(draft, member, path.slice(1), patch) : ownValue(patch))
  if (Array.isArray(copy)) editList(copy, path, patch, next)
  else {
    if (typeof at !== 'string' && typeof at !== 'number') throw new PatchError('A path must consist of names and indexes.', patch)
    const field = String(at)
    if (field === '__proto__' || (path.length > 1 && isReserved(field))) throw new PatchError(`A path must not go through "${field}".`, patch)
    if (path.length === 1 && (patch.op === 'remove' || patch.value === undefined)) delete copy[field]
    else put(copy, field, next(hasOwn(copy, field) ? copy[field] : undefined))
  }
  return copy
}

function editList(list: unknown[], path: Patch['path'], patch: Patch, next: (member: unknown) => unknown): void {
  const inserts = patch.op === 'add' && path.length === 1
  const at = path[0] === '-' && inserts ? list.length : path[0]
  // Immer would fill a gap with holes, or set `length`; here the index must exist.
  if (typeof at !== 'number' || !Number.isInteger(at) || at < 0 || at > (inserts ? list.length : list.length - 1)) {
    throw new PatchError(`${String(at)} is not an index in a list of ${list.length}.`, patch)
  }
  if (inserts) list.splice(at, 0, next(undefined))
  else if (patch.op === 'remove' && path.length === 1) list.splice(at, 1)
  else list[at] = next(list[at])
}
