import { PatchError } from '../base/errors.ts'
import { copyRecord, isPlain, own, put, share, type Plain } from '../base/plain.ts'
import { patchRecord, type Patch } from './immer.ts'

/**
 * The record after `patches`, whose paths begin at the record. Fields and the members of lists are handled
 * here, because Immer copies a frozen list a hundred times slower than a spread does; what lies deeper is Immer's.
 */
export function editRecord(record: object, patches: readonly Patch[]): object {
  if (Array.isArray(record)) return editList(record, patches)
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
    copy[field] = editMember(value, patches.slice(i, end))
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
  const below = patches.map(patch => ({ ...patch, path: patch.path.slice(1) }))
  if (Array.isArray(value) && below.every(patch => patch.path.length === 1)) return editList(value, below)
  let next: object = value
  for (const patch of below) {
    checkDeep(next, patch)
    next = own(patchRecord(next, [patch])) as object
  }
  // Immer copies the values of patches, and with them what they share with the record.
  return share(value, next) as object
}

function editList(list: readonly unknown[], patches: readonly Patch[]): readonly unknown[] {
  // Additions at the end, one after the other: what `push` makes. One copy of the right length, and no growing.
  if (patches.every((patch, i) => patch.op === 'add' && patch.path.length === 1 && patch.path[0] === list.length + i)) {
    return Object.freeze([...list, ...patches.map(patch => patch.value as unknown)])
  }
  const copy = [...list]
  for (const patch of patches) {
    const at = indexOf(patch, copy.length)
    if (patch.path.length > 1) {
      const member = copy[at]
      if (typeof member !== 'object' || member === null) throw new PatchError(`There is nothing at place ${at} to change.`, patch)
      copy[at] = editMember(member, [patch])
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
  const through = patch.path.length > 1 && (name === 'constructor' || name === 'prototype')
  if (name === '__proto__' || through) throw new PatchError(`A path must not go through "${name}".`, patch)
  return name
}

/** What Immer does not check: that each step exists as data, and that the last one is a name or a place. */
function checkDeep(value: object, patch: Patch): void {
  let at: unknown = value
  patch.path.forEach((_, i) => {
    const step: Patch = { ...patch, path: patch.path.slice(i) }
    if (Array.isArray(at)) at = (at as unknown[])[indexOf(step, at.length)]
    else if (isPlain(at)) {
      const field = fieldOf(step)
      at = Object.hasOwn(at, field) ? at[field] : undefined
    } else throw new PatchError(`There is nothing at ${JSON.stringify(patch.path.slice(0, i))} to change.`, patch)
  })
}
