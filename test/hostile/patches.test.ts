import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { applyPatches, Controller, emptyState, exportState, PatchcordError, PatchError } from '../../src/index.ts'
import type { Patch } from '../../src/index.ts'
import { caught } from '../support/caught.ts'
import { write } from '../support/write.ts'
import { User } from './entities.ts'
import { pristine } from './pristine.ts'

const test = suite('hostile patches')
test.after.each(() => assert.ok(pristine()))

const record = { id: '1', n: 1, text: 'x', list: [1, 2, 3], deep: { list: [{ a: 1 }], constructor: { a: 1 }, nil: null } }
const { state: rows } = write(User, record)
const state = applyPatches(rows, [{ op: 'add', path: ['endpoints', 'GET /x'], value: { list: [1] } }])
const at = (...path: unknown[]): unknown[] => ['entities', 'User', '1', ...path]
const own = (text: string): unknown => JSON.parse(text)

const refused: [string, unknown][] = [
  ['a path through __proto__ at the root', { op: 'add', path: ['__proto__', 'x'], value: 1 }],
  ['__proto__ hidden in a list', { op: 'add', path: [['__proto__'], 'x'], value: 1 }],
  ['constructor.prototype at the root', { op: 'add', path: ['constructor', 'prototype', 'x'], value: 1 }],
  ['a table called __proto__', { op: 'add', path: ['entities', '__proto__', 'x'], value: {} }],
  ['a table called constructor', { op: 'add', path: ['entities', 'constructor', 'prototype'], value: {} }],
  ['a table without a name', { op: 'add', path: ['entities', '', 'x'], value: {} }],
  ['a table hidden in a list', { op: 'add', path: ['entities', ['User'], 'x'], value: {} }],
  ['an empty pk', { op: 'add', path: ['entities', 'User', ''], value: {} }],
  ['a pk that is no text', { op: 'add', path: ['entities', 'User', 5], value: {} }],
  ['a pk hidden in a list', { op: 'add', path: ['entities', 'User', ['__proto__']], value: {} }],
  ['the field __proto__', { op: 'add', path: at('__proto__'), value: { isAdmin: true } }],
  ['a path through the field __proto__', { op: 'add', path: at('__proto__', 'isAdmin'), value: true }],
  ['__proto__ hidden in a list, in a field', { op: 'add', path: at(['__proto__'], 'isAdmin'), value: true }],
  ['__proto__ hidden in an object', { op: 'add', path: at({ toString: () => '__proto__' }, 'isAdmin'), value: true }],
  ['a path through constructor', { op: 'add', path: at('constructor', 'prototype', 'x'), value: 1 }],
  ['a path through constructor, deep', { op: 'replace', path: at('deep', 'constructor', 'a'), value: 2 }],
  ['__proto__ deep', { op: 'add', path: at('deep', '__proto__', 'x'), value: 1 }],
  ['__proto__ as the last step, deep', { op: 'add', path: at('deep', '__proto__'), value: {} }],
  ['__proto__ of a list', { op: 'add', path: at('list', '__proto__', 'x'), value: 1 }],
  ['__proto__ in a result', { op: 'add', path: ['endpoints', 'GET /x', '__proto__'], value: {} }],
  ['a value with an own __proto__', { op: 'add', path: at('meta'), value: own('{"__proto__":{"isAdmin":true}}') }],
  ['a value with an own __proto__ deep inside', { op: 'add', path: ['entities', 'User', '2'], value: own('{"id":"2","a":[{"b":{"__proto__":1}}]}') }],
  ['a frozen value with an own __proto__', { op: 'add', path: at('meta'), value: Object.freeze(own('{"__proto__":1}')) }],
  ['a result with an own __proto__', { op: 'add', path: ['endpoints', 'GET /y'], value: own('{"__proto__":1}') }],
  ['the index four billion', { op: 'replace', path: at('list', 4e9), value: 1 }],
  ['an index past the end', { op: 'add', path: at('list', 4), value: 1 }],
  ['the index after the last, replaced', { op: 'replace', path: at('list', 3), value: 1 }],
  ['a negative index', { op: 'remove', path: at('list', -1) }],
  ['half an index', { op: 'remove', path: at('list', 0.5) }],
  ['an index as text', { op: 'replace', path: at('list', '0'), value: 1 }],
  ['the length of a list', { op: 'replace', path: at('list', 'length'), value: 0 }],
  ['the length of a list, deep', { op: 'replace', path: at('deep', 'list', 'length'), value: 1e9 }],
  ['the index four billion, deep', { op: 'add', path: at('deep', 'list', 4e9), value: 1 }],
  ['the length of a result', { op: 'replace', path: ['endpoints', 'GET /x', 'list', 'length'], value: 0 }],
  ['a path through a number', { op: 'add', path: at('n', 'x'), value: 1 }],
  ['a path through a text', { op: 'add', path: at('text', 0), value: 'y' }],
  ['a path through null', { op: 'add', path: at('deep', 'nil', 'x'), value: 1 }],
  ['a path through what is not there', { op: 'add', path: at('deep', 'no', 'x'), value: 1 }],
  ['a path through an inherited member', { op: 'add', path: at('deep', 'toString', 'x'), value: 1 }],
  ['a field of a row that is not there', { op: 'replace', path: ['entities', 'User', '9', 'n'], value: 1 }],
  ['a field in a table that is not there', { op: 'replace', path: ['entities', 'Other', '1', 'n'], value: 1 }],
  ['a part of a result that is not there', { op: 'replace', path: ['endpoints', 'GET /y', 'n'], value: 1 }],
  ['the whole document', { op: 'replace', path: [], value: {} }],
  ['all entities', { op: 'replace', path: ['entities'], value: {} }],
  ['a whole table', { op: 'replace', path: ['entities', 'User'], value: {} }],
  ['another root', { op: 'add', path: ['stamps', 'User', '1'], value: {} }],
  ['an unknown operation', { op: 'move', path: at('n'), value: 1 }],
  ['no operation', { path: at('n'), value: 1 }],
  ['no path', { op: 'add', value: 1 }],
  ['a path that is text', { op: 'replace', path: 'entities/User/1', value: {} }],
  ['null for a patch', null],
  ['a text for a patch', 'x'],
  ['a record that is text', { op: 'add', path: ['entities', 'User', '2'], value: 'x' }],
  ['a record that is null', { op: 'replace', path: at(), value: null }],
  ['a record that is not given', { op: 'add', path: ['entities', 'User', '2'] }],
  ['a value that contains itself', { op: 'add', path: at('loop'), value: (() => { const loop: { loop?: unknown } = {}; return (loop.loop = loop) })() }],
]

for (const [name, patch] of refused) {
  test(`H11 ${name} is refused with all patches of its set, and the state stays as it was`, () => {
    const before = JSON.stringify(exportState(state))
    const good: Patch[] = [{ op: 'replace', path: at('n') as string[], value: 2 }, { op: 'add', path: ['entities', 'User', '5'], value: { id: '5' } }]
    for (const set of [[patch], [...good, patch], [patch, ...good]]) {
      const { code } = caught(() => applyPatches(state, set as Patch[]), PatchcordError)
      assert.ok(code === 'PATCH' || code === 'DEPTH', String(code))
      assert.is(JSON.stringify(exportState(state)), before)
      assert.instance(caught(() => applyPatches(emptyState, set as Patch[])), PatchcordError)
    }
    assert.equal(exportState(applyPatches(state, good)).entities[0]![1].length, 2)
    assert.is(({} as { isAdmin?: unknown; x?: unknown }).isAdmin, undefined)
  })
}

test('H11 what is no list is refused as patches and as stamps, here and by a controller', () => {
  const controller = new Controller()
  for (const none of [null, 'x', '', 5, 0, true, {}, { length: 1 }, new Set(), new Map([[0, 1]])]) {
    for (const act of [
      () => applyPatches(state, none as never),
      () => applyPatches(state, [], none as never),
      () => controller.applyPatches(none as never),
      () => controller.applyPatches([], { stamps: none as never }),
    ]) {
      const error = caught(act)
      assert.instance(error, PatchError, String(none))
      assert.is(error['patch'], none)
    }
  }
  assert.instance(caught(() => applyPatches(state, undefined as never)), PatchError)
  controller.dispose()
})

test('H11 a list where a record belongs gives way to the next response', () => {
  const list = applyPatches(state, [{ op: 'replace', path: ['entities', 'User', '1'], value: ['x'] }])
  const { state: after } = write(User, { id: '1', n: 2 }, list)
  assert.equal(new Map(exportState(after).entities).get('User')?.map(([pk, row]) => [pk, row]), [['1', { id: '1', n: 2 }]])
})

test('H11 the error carries the patch', () => {
  const patch: Patch = { op: 'replace', path: ['entities', 'User', '9', 'n'], value: 1 }
  assert.is(caught(() => applyPatches(state, [patch]), PatchError)['patch'], patch)
})

test('H11 stamps that are no groups of pks are refused, here and by a controller', () => {
  const controller = new Controller()
  const stamp = { fetchedAt: 1, date: 1, expiresAt: 1 }
  for (const group of [null, undefined, 5, 'x', {}, { key: 'User', stamp }, ...[null, 5, '12', {}, [1]].map((pks) => ({ key: 'User', pks, stamp }))]) {
    assert.instance(caught(() => applyPatches(emptyState, [], [group as never])), PatchError)
    assert.instance(caught(() => controller.applyPatches([], { stamps: [group as never] })), PatchError)
  }
  controller.dispose()
})

test('H11 stamps from outside cannot name a table that no entity could have', () => {
  for (const key of ['__proto__', 'constructor', '']) {
    assert.throws(() => applyPatches(state, [], [{ key, pks: ['1'], stamp: { fetchedAt: 1, date: 1, expiresAt: 1 } }]))
  }
  assert.throws(() => applyPatches(state, [], [{ key: 'User', pks: [''], stamp: { fetchedAt: 1, date: 1, expiresAt: 1 } }]))
  assert.throws(() => applyPatches(state, [], [{ key: 'User', pks: ['1'], stamp: { fetchedAt: NaN, date: 1, expiresAt: 1 } }]))
})

test.run()
