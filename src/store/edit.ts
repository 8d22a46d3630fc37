import { PatchError } from '../base/errors.ts'
import { isReserved } from '../base/keys.ts'
import { copyRecord, isPlain, own, put, share, type Plain } from '../base/plain.ts'
import type { Patch } from './immer.ts'

/**
 * The record after `patches`, whose paths begin at the record. Not by Immer: it copies a frozen list a hundred times
 * slower than a spread does, and gives the values of patches what a polluted `Object.prototype` lends them.
 */
export function editRecord(record: object, patches: readonly Patch[], edit: typeof editMember = editMember): object {
  if (Array.isArray(record)) return editList(record, patches, edit)
  if (!isPlain(record)) throw new PatchError('Only objects and lists can be changed in part.', patches[0])
  let copy = copyRecord(record)
  for (let i = 0; i < patches.length; ) {
    const patch = patches[i]!
    const field = fieldOf(patch)
    if (patch.path.length === 1) {
      // A field that holds undefined is a field that is not there.
      if (patch.op === 'remove' || patch.value === undefined) copy = without(copy, field)
      else put(copy, field, patch.value)
      i++
      continue
    }
    let end = i + 1
    while (end < patches.length && patches[end]!.path.length > 1 && patches[end]!.path[0] === field) end++
    const value = Object.hasOwn(copy, field) ? copy[field] : undefined
    if (typeof value !== 'object' || value === null) throw new PatchError(`There is nothing in the field "${field}" to change.`, patch)
    put(copy, field, edit(value, patches.slice(i, end)))
    i = end
  }
  return Object.freeze(copy)
}

/** A copy, because `delete` would leave a slow object behind. */
function without(record: Plain, field: string): Plain {
  const copy: Plain = {}
  for (const name of Object.keys(record)) if (name !== field) put(copy, name, record[name])
  return copy
}

function editMember(value: object, patches: readonly Patch[]): object {
  const next = editDeep(value, patches)
  // Members of a list come and go: the others are the same, and looking at all of them would cost more than the change.
  if (Array.isArray(value) && patches.every(({ path }) => path.length === 2)) return next
  // Values that are not too deep may have been put too deep.
  return share(value, own(next)) as object
}

function editDeep(value: object, patches: readonly Patch[]): object {
  return editRecord(value, patches.map(patch => ({ ...patch, path: patch.path.slice(1) })), editDeep)
}

function editList(list: readonly unknown[], patches: readonly Patch[], edit: typeof editMember): readonly unknown[] {
  // Additions at the end, one after the other: what `push` makes. By `concat`, because what is spread behind a copy makes it grow.
  if (patches.every((patch, i) => patch.op === 'add' && patch.path.length === 1 && patch.path[0] === list.length + i)) {
    return Object.freeze([...list].concat(patches.map(patch => patch.value as unknown)))
  }
  const copy = [...list]
  for (const patch of patches) {
    const at = indexOf(patch, copy.length)
    if (patch.path.length > 1) {
      const member = copy[at]
      if (typeof member !== 'object' || member === null) throw new PatchError(`There is nothing at place ${at} to change.`, patch)
      copy[at] = edit(member, [patch])
    } else if (patch.op === 'add') {
      if (at === copy.length) copy.push(patch.value)
      else copy.splice(at, 0, patch.value)
    } else if (patch.op === 'remove') copy.splice(at, 1)
    else copy[at] = patch.value
  }
  return Object.freeze(copy)
}

/** Immer would make a list of four billion holes, or set `length`; a place must exist. */
function indexOf(patch: Patch, length: number): number {
  const at = patch.path[0]
  if (at === '-' && patch.op === 'add' && patch.path.length === 1) return length
  const last = patch.op === 'add' && patch.path.length === 1 ? length : length - 1
  if (typeof at !== 'number' || !Number.isInteger(at) || at < 0 || at > last) {
    throw new PatchError(`${String(at)} is no place in a list of ${length}.`, patch)
  }
  return at
}

function fieldOf(patch: Patch): string {
  const field = patch.path[0]
  if (typeof field !== 'string' && typeof field !== 'number') throw new PatchError('A path consists of names and places.', patch)
  const name = String(field)
  if (name === '__proto__' || (patch.path.length > 1 && isReserved(name))) throw new PatchError(`A path must not go through "${name}".`, patch)
  return name
}
