import { applyPatches as immerApply, enableMapSet, enablePatches } from 'immer'
import type { Patch } from 'immer'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readResult, readRow } from '../../support/state.ts'
import { applyPatches, emptyState, Entity, PatchError } from '../../../src/index.ts'
import type { State } from '../../../src/index.ts'
import { caught } from '../../support/caught.ts'
import { write } from '../../support/write.ts'

const test = suite('bugs that Immer had')

enablePatches()
enableMapSet()

class Doc extends Entity {
  static override key = 'Doc'
}
const at = (...path: unknown[]): string[] => ['entities', 'Doc', '1', ...path] as string[]
const doc = (fields: object): State => write(Doc, { id: '1', ...fields }).state
const read = (state: State): unknown => readRow(state, 'Doc', '1')

/** Our patches between two contents, applied by Immer to the same record. */
function byImmer(before: object, after: object): { patches: readonly Patch[]; forwards: unknown; back: unknown } {
  const { change } = write(Doc, { id: '1', ...after }, doc(before))
  const document = new Map([['entities', new Map([['Doc', new Map([['1', { id: '1', ...before }]])]])]])
  const row = (from: unknown): unknown => (from as typeof document).get('entities')!.get('Doc')!.get('1')
  const next = immerApply(document, change.patches as Patch[])
  return { patches: change.patches, forwards: row(next), back: row(immerApply(next, change.inversePatches as Patch[])) }
}

test('CVE-2020-28477 a path through __proto__ pollutes nothing', () => {
  for (const path of [['__proto__', 'polluted'], at('__proto__', 'polluted'), at('deep', '__proto__', 'polluted')]) {
    assert.instance(caught(() => applyPatches(doc({ deep: {} }), [{ op: 'add', path, value: 1 }])), PatchError)
  }
  assert.is(({} as { polluted?: unknown }).polluted, undefined)
})

test('CVE-2021-23436 nor does one that hides the name in a list', () => {
  for (const path of [[['__proto__'], 'polluted'], at(['__proto__'], 'polluted'), at('deep', ['constructor'], ['prototype'], 'polluted')]) {
    assert.instance(caught(() => applyPatches(doc({ deep: {} }), [{ op: 'add', path: path as string[], value: 1 }])), PatchError)
  }
  assert.is(({} as { polluted?: unknown }).polluted, undefined)
})

test('#1259 #1271 constructor.prototype is refused by us, whatever Immer decides', () => {
  for (const path of [at('constructor', 'prototype', 'polluted'), at('deep', 'constructor', 'prototype', 'polluted')]) {
    assert.instance(caught(() => applyPatches(doc({ deep: {} }), [{ op: 'add', path, value: 1 }])), PatchError)
  }
})

test('a patch value with an own __proto__ is refused', () => {
  const value = JSON.parse('{"a":{"__proto__":{"isAdmin":true}}}') as unknown
  for (const path of [at('meta'), ['entities', 'Doc', '2'], ['endpoints', 'k']]) assert.instance(caught(() => applyPatches(doc({}), [{ op: 'add', path, value }])), PatchError)
})

test('#1201 #879 #1255 patches of lists are right for removals, insertions and moves at once', () => {
  const lists = [[], [1], [2, 1], [1, 2, 3, 4, 5], [5, 1, 2, 3, 4], [1, 9, 3], [3, 4, 1, 2], [1, 1, 2, 1], [2, 2, 2], [{ a: 1 }, { a: 2 }], [{ a: 2 }], [[1], [2], 1]]
  for (const from of lists) {
    for (const to of lists) {
      const { forwards, back } = byImmer({ list: from, deep: { list: from } }, { list: to, deep: { list: to } })
      assert.equal(forwards, { id: '1', list: to, deep: { list: to } } as never)
      assert.equal(back, { id: '1', list: from, deep: { list: from } } as never)
    }
  }
})

test('#888 a root that is a primitive is replaced', () => {
  let state = applyPatches(emptyState, [{ op: 'add', path: ['endpoints', 'k'], value: 1 }])
  state = applyPatches(state, [{ op: 'replace', path: ['endpoints', 'k'], value: 'two' }])
  assert.is(readResult(state, 'k'), 'two')
  assert.is(readResult(applyPatches(state, [{ op: 'replace', path: ['endpoints', 'k'], value: { list: [] } }]), 'k')!.constructor, Object)
})

test('#912 NaN is a value that changes once', () => {
  assert.is(byImmer({ n: 1 }, { n: NaN }).patches.length, 1)
  assert.is(byImmer({ n: NaN }, { n: NaN }).patches.length, 0)
  assert.is(byImmer({ n: NaN, list: [NaN] }, { n: 1, list: [NaN, 1] }).patches.length, 2)
})

test('#1262 a field that every object inherits is added, changed and removed as data', () => {
  const { forwards, back, patches } = byImmer({}, { toString: 'x', valueOf: 1 })
  assert.is(JSON.stringify(forwards), '{"id":"1","toString":"x","valueOf":1}')
  assert.equal(Object.keys(back as object), ['id'])
  assert.equal(patches.map(({ op }) => op), ['add', 'add'])
  assert.equal(Object.keys(read(applyPatches(doc({ toString: 'x' }), [{ op: 'remove', path: at('toString') }])) as object), ['id'])
})

test('#1251 a path through null is a PatchError', () => {
  assert.instance(caught(() => applyPatches(doc({ a: null }), [{ op: 'add', path: at('a', 'b'), value: 1 }])), PatchError)
  assert.instance(caught(() => applyPatches(doc({ a: { b: null } }), [{ op: 'add', path: at('a', 'b', 'c'), value: 1 }])), PatchError)
})

test('#1283 #1289 what ends where it began leaves the entities as they are', () => {
  const state = doc({ n: 1, list: [1, 2] })
  for (const patches of [
    [{ op: 'replace', path: at('n'), value: 1 }],
    [{ op: 'replace', path: at('list', 0), value: 1 }],
    [{ op: 'replace', path: at('n'), value: 2 }, { op: 'replace', path: at('n'), value: 1 }],
    [{ op: 'add', path: at('x'), value: 2 }, { op: 'remove', path: at('x') }],
    [{ op: 'add', path: ['entities', 'Doc', '2'], value: { id: '2' } }, { op: 'remove', path: ['entities', 'Doc', '2'] }],
    [{ op: 'replace', path: at(), value: { list: [1, 2], n: 1, id: '1' } }],
  ] as Patch[][]) {
    assert.is(applyPatches(state, patches).entities, state.entities, JSON.stringify(patches))
  }
})

test('#1096 symbols and hidden members do not get in the way of freezing', () => {
  const hidden = Object.defineProperty({ a: 1, [Symbol('s')]: { open: true } }, 'hidden', { value: { open: true } })
  const record = read(doc({ hidden })) as { hidden: object }
  assert.ok(Object.isFrozen(record.hidden))
  assert.equal(Reflect.ownKeys(record.hidden), ['a'])
})

test.run()
