import * as fc from 'fast-check'
import { suite } from 'uvu'
import { applyPatches, emptyState, exportState, normalize, PatchError } from '../../src/index.ts'
import type { Patch, State } from '../../src/index.ts'
import { difference, fold, foldBlind } from '../adapter.ts'
import { readStamp } from '../support/state.ts'
import { Coverage } from './coverage.ts'
import { documentOf, immer, orderOf, patchDocument, sameDocuments, type Document } from './document.ts'
import { anyName, anyValue, put } from './hostile.ts'
import { histories, walk, type Change } from './history.ts'
import { isJson, openPart, same, scribble } from '../support/same.ts'
import { broken, law } from '../support/settings.ts'
import { Tape, tapes } from '../support/tape.ts'
import { Watch } from './watch.ts'
import { makeZoo } from './zoo.ts'

const test = suite('laws: agreement')

const zoo = [...makeZoo(), ...makeZoo(new Watch())]

const coverage = new Coverage()

law(test, 'INV-07 What patches make of a state is what real Immer makes of its document, forwards and backwards', 20_000, histories(zoo), history => {
  const documents: Document[] = [documentOf(emptyState)]
  walk(history, (change, at) => {
    const { before, after, patches, inverse } = change
    coverage.see(patches)
    const ours = documentOf(after)
    const theirs = patchDocument(documents[at]!, patches)
    if (!sameDocuments(ours, theirs)) broken('forwards, Immer sees another document', patches, ours, theirs)
    documents.push(theirs)
    if (!sameDocuments(documents[at]!, patchDocument(theirs, inverse))) broken('backwards, Immer sees another document', patches, inverse)

    const isSame = before.entities === after.entities && before.endpoints === after.endpoints
    if (isSame !== (patches.length === 0)) broken(`${patches.length} patches, and the references are ${isSame ? 'the same' : 'new'}`, patches)
    for (const patch of patches) checkPath(patch)
    for (const patch of inverse) checkPath(patch)
    checkTrip(change, ours)
  })
  coverage.run()
}, () => coverage.finish())

/** Immer refuses to go through these names, and nothing may be stored under the first. */
function checkPath({ path }: Patch): void {
  const root = path[0] === 'entities' ? 3 : 2
  for (let i = root; i < path.length; i++) {
    if (path[i] === '__proto__') broken('a path names __proto__', path)
    if (i < path.length - 1 && (path[i] === 'constructor' || path[i] === 'prototype')) broken('a path goes through a name that Immer refuses', path)
  }
}

function checkTrip({ before, patches, stamps }: Change, expected: Document): void {
  if (patches.length === 0 || !isJson(patches)) return
  const text = JSON.stringify({ patches, stamps })
  const travelled = JSON.parse(text) as { patches: Patch[]; stamps: typeof stamps }
  const arrived = documentOf(applyPatches(before, travelled.patches, travelled.stamps))
  if (!sameDocuments(arrived, expected) || !same(orderOf(arrived), orderOf(expected))) broken('patches that went through JSON do something else', text)
}

law(test, 'INV-07 Patches say all that a response did: applied, they give what folding it into the state gave', 3_000, histories(zoo), history => {
  walk(history, ({ step, before, after, stamps }, at) => {
    if (step.endpoint !== undefined) return
    if (!same(stampLines(stamps), stampLines(difference(before, after).stamps))) broken(`version ${at}: stamps say other than what was stamped`, stamps)
    const { schema, input, args } = step.request
    const folded = fold(before, schema, input, args, step.meta)
    if (!same(exportState(folded), exportState(after))) broken(`version ${at}: patches leave something out`, exportState(folded), exportState(after))
    const later = foldBlind(before, schema, input, args, step.meta)
    if (!same(exportState(later), exportState(after))) broken(`version ${at}: what was not notified of the state does something else to it`, exportState(after))
    const forwards = difference(before, folded)
    if ((folded.entities === before.entities) !== (forwards.patches.length === 0)) broken('folding made new references and changed nothing', forwards.patches)
    const again = applyPatches(before, forwards.patches, forwards.stamps)
    if (!same(exportState(again), exportState(folded))) broken('the difference of two versions leaves something out')
    const backwards = difference(folded, before)
    const back = applyPatches(folded, backwards.patches, backwards.stamps)
    if (!same(exportState(back), exportState(before))) broken('the difference backwards leaves something out', exportState(before), exportState(back))
  })
})

/** Who got which stamp, in no order: they come as they were given. */
function stampLines(groups: Change['stamps']): string[] {
  return groups.flatMap(({ key, pks, stamp }) => pks.map(pk => JSON.stringify([key, pk, stamp]))).sort()
}

law(test, 'INV-07 Every patch changes something: what is equal is not mentioned, and keeps its reference', 3_000, histories(zoo), history => {
  walk(history, ({ before, after, patches }) => {
    const old = documentOf(before)
    const next = documentOf(after)
    for (const patch of patches) {
      if (patch.path.some((part, i) => typeof part === 'number' && i > 1)) continue
      const from = valueAt(old, patch.path)
      const to = valueAt(next, patch.path)
      if (same(from, to)) broken('a patch says what was so already', patch)
      if ((from === undefined) !== (patch.op === 'add')) broken('what is there is replaced, what is not is added', patch, from)
      if ((to === undefined) !== (patch.op === 'remove')) broken('what goes is removed', patch, to)
    }
    for (const [key, table] of next.entities) {
      for (const [pk, row] of table) checkShared(old.entities.get(key)?.get(pk), row, `${key} ${pk}`)
    }
  })
})

/** Equal parts of two versions of one row are one object. */
function checkShared(old: unknown, next: unknown, where: string): void {
  if (old === next || typeof old !== 'object' || typeof next !== 'object' || old === null || next === null) return
  if (same(old, next)) broken(`${where} is equal to what it was, and a new object`, old)
  if (Array.isArray(next) || Array.isArray(old)) return
  for (const name of Object.keys(next)) {
    if (Object.hasOwn(old, name)) checkShared((old as { [name: string]: unknown })[name], (next as { [name: string]: unknown })[name], `${where}.${name}`)
  }
}

function valueAt(document: Document, path: readonly (string | number)[]): unknown {
  let at: unknown = path[0] === 'entities' ? document.entities.get(path[1] as string)?.get(path[2] as string) : document.endpoints.get(path[1] as string)
  for (const name of path.slice(path[0] === 'entities' ? 3 : 2)) {
    at = typeof at === 'object' && at !== null && Object.hasOwn(at, name) ? (at as { [name: string]: unknown })[name] : undefined
  }
  return at
}

law(test, 'INV-07 Nothing in a state or a patch can be written to, and no object of the caller is retained', 2_000, histories(zoo, 3), history => {
  walk(history, ({ step, before, after, patches }) => {
    for (const { value } of patches) {
      const open = openPart(value)
      if (open !== undefined) broken(`a patch can be written to at ${open}`, value)
    }
    for (const [key, rows] of documentOf(after).entities) {
      for (const [pk, record] of rows) {
        const open = openPart(record) ?? openPart(readStamp(after, key, pk))
        if (open !== undefined) broken(`${key} ${pk} can be written to at ${open}`, record)
      }
    }
    const input = structuredClone(step.request.input)
    const { result, patches: made } = normalize(step.request.schema, input, step.request.args, before, step.meta)
    const original = JSON.stringify([result, made])
    scribble(input)
    if (JSON.stringify([result, made]) !== original) broken('writing into a response later changed what was taken from it', original, [result, made])
    keepsNothing(before, structuredClone(made) as Patch[])
    // The list that normalize made, with values in it that it did not.
    made.forEach(patch => (patch.value = structuredClone(patch.value) as unknown))
    keepsNothing(before, made)
  })
})

function keepsNothing(before: State, patches: readonly Patch[]): void {
  const state = applyPatches(before, patches)
  const document = JSON.stringify(exportState(state))
  scribble(patches)
  if (JSON.stringify(exportState(state)) !== document) broken('writing into patches later changed the state', document)
}

law(test, 'INV-07 Patches that Immer made of edits in place do here what they do there', 3_000, fc.tuple(histories(zoo, 2), tapes(60)), ([history, bytes]) => {
  let last: State = emptyState
  walk(history, change => (last = change.after))
  const document = documentOf(last)
  const tape = new Tape(bytes)
  const [, patches, inverse] = immer.produceWithPatches(document, draft => editDraft(draft as Document, tape))
  if (patches.some(({ path }) => path.slice(3, -1).some(name => name === 'constructor' || name === 'prototype'))) return refuses(last, patches)
  const theirs = patchDocument(document, patches)
  const next = applyPatches(last, patches)
  if (!sameDocuments(documentOf(next), theirs)) broken('Immer and the store read its patches differently', patches, documentOf(next), theirs)
  // Of a field that was added and deleted again, Immer says in the inverse what Object.prototype has under its name.
  if (inverse.some(({ value }) => typeof value === 'function')) return
  if (!sameDocuments(documentOf(applyPatches(next, inverse)), document)) broken('its inverse does not lead back', patches, inverse)
})

function refuses(state: State, patches: readonly Patch[]): void {
  try {
    applyPatches(state, patches)
  } catch (error) {
    if (error instanceof PatchError) return
    throw error
  }
  broken('a path through a name that Immer refuses was followed', patches)
}

function editDraft(draft: Document, tape: Tape): void {
  const rows = [...draft.entities.values()].flatMap(table => [...table.values()])
  for (let edits = 1 + tape.int(4); edits > 0 && rows.length > 0; edits--) {
    let at = tape.pick(rows.slice(0, 256)) as object
    while (tape.chance(60)) {
      const inner = Object.values(at).filter(each => typeof each === 'object' && each !== null) as object[]
      if (inner.length === 0) break
      at = tape.pick(inner)
    }
    const value = clean(anyValue(tape))
    if (value === undefined) continue
    if (Array.isArray(at)) at.splice(tape.int(at.length + 1), tape.int(3), value)
    else if (tape.chance(25)) delete (at as { [name: string]: unknown })[tape.pick(Object.keys(at).concat('none'))]
    else {
      const name = anyName(tape, ['a', 'b', 'title'])
      if (name !== '__proto__') (at as { [name: string]: unknown })[name] = value
    }
  }
}

/** Without what JSON has no word for: Immer would keep it, and the store would not. */
function clean(value: unknown): unknown {
  if (Object.is(value, -0)) return 0
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.filter(each => each !== undefined).map(clean)
  const copy = {}
  for (const [name, member] of Object.entries(value)) if (name !== '__proto__' && member !== undefined) put(copy, name, clean(member))
  return copy
}

test.run()
