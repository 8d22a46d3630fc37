import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { applyPatches, emptyState, exportState, normalize, PatchError, schema } from '../../../src/index.ts'
import type { Normalized, Patch, State } from '../../../src/index.ts'
import { readRow } from '../../support/state.ts'
import { at, write } from '../../support/write.ts'
import { entity } from '../schema/todos.ts'

const test = suite('patches that normalize made, applied')

const Todo = entity('Todo')
const Tag = entity('Tag')
const todos = new schema.Collection([Todo])
const both = { todos: [Todo], tags: [Tag] }

const data = (state: State): unknown => JSON.parse(JSON.stringify(exportState(state).entities))
const apply = (state: State, { patches, stamps }: Partial<Normalized>): State => applyPatches(state, patches!, stamps)
/** What patches do when nothing is known of their making, to a state whose cells nobody else has seen. */
const judged = (make: () => State, { patches, stamps = [] }: Partial<Normalized>): unknown =>
  data(apply(make(), structuredClone({ patches, stamps }) as never))
const start = (): State => write([Todo], [{ id: '1', n: 1, list: ['a'] }, { id: '2' }, { id: '3' }]).state

test('leave no trace before they are applied', () => {
  const state = start()
  const next = apply(state, normalize(both, { todos: [{ id: '8' }], tags: [{ id: 'x' }] }, [], state))
  assert.equal(data(state), data(start()))
  assert.not.equal(data(next), data(start()))
})

test('have nothing that a list of the same patches has not', () => {
  const { patches } = normalize([Todo], [{ id: '1' }, { id: '2' }])
  assert.equal(Reflect.ownKeys(patches), ['0', '1', 'length'])
  assert.ok(Object.getPrototypeOf(patches) === Array.prototype && Object.isExtensible(patches))
  assert.equal(structuredClone(patches), [...patches])
})

for (const [table, tags] of [['of one table', false], ['of two tables', true]] as const) {
  test(`of one state, applied to it one after the other, are branches that do not mix: ${table}`, () => {
    const state = start()
    const changes = ['a', 'b', 'c'].map(id => normalize(both, { todos: [{ id, of: id }], tags: tags ? [{ id }] : [] }, [], state, at(5)))
    for (const order of [[0, 1, 2], [2, 0, 1, 0], [1, 1, 2, 0]]) {
      for (const i of order) assert.equal(data(apply(state, changes[i]!)), judged(start, changes[i]!))
    }
    const second = apply(apply(state, changes[0]!), changes[1]!)
    assert.equal(['a', 'b', 'c'].map(id => readRow(second, 'Todo', id)), [{ id: 'a', of: 'a' }, { id: 'b', of: 'b' }, undefined])
  })
}

test('from before a table was known do not replace another', () => {
  const made = (): State => write(Todo, { id: 't' }).state
  const state = made()
  const tag = normalize(Tag, { id: 'x' }, [], state)
  const other = normalize(todos, [{ id: 'u' }], [{}], state)
  const [listed, tagged] = [apply(state, other), apply(state, tag)]
  const rows = [listed, tagged].map(each => [readRow(each, '[Todo]', '{}'), readRow(each, 'Tag', 'x')])
  assert.equal(rows, [[['u'], undefined], [undefined, { id: 'x' }]])
  assert.equal(data(tagged), judged(made, tag))
})

const answer = [{ id: 'z' }, { id: '1', n: 2, list: ['a', 'b'] }, { id: 'y' }]
const tampering: { [what: string]: (patches: Patch[]) => void } = {
  'another value': patches => (patches[0]!.value = { id: 'z', other: true }),
  'another value of a field': patches => (patches.find(({ path }) => path.length > 3)!.value = 77),
  'another pk': patches => (patches[0]!.path[2] = 'moved'),
  'another table': patches => (patches[0]!.path[1] = 'Tag'),
  'another field': patches => (patches.find(({ path }) => path.length > 3)!.path[3] = 'm'),
  'another operation': patches => Object.assign(patches[0]!, { op: 'remove' }),
  'a longer path': patches => patches[0]!.path.push('deep') && patches.reverse() && (patches[patches.length - 1]!.path.length = 3),
  'one less': patches => patches.pop(),
  'one more': patches => patches.push({ op: 'add', path: ['entities', 'Todo', 'more'], value: { id: 'more' } }),
  'one instead of another': patches => (patches[1] = { op: 'replace', path: ['entities', 'Todo', '3'], value: { id: '3', x: 1 } }),
}
for (const [what, tamper] of Object.entries(tampering)) {
  test(`are taken at their word when somebody has changed them: ${what}`, () => {
    const state = start()
    const change = normalize([Todo], answer, [], state)
    tamper(change.patches as Patch[])
    const expected = judged(start, change)
    assert.equal(data(apply(state, change)), expected)
  })
}

const broken: { [what: string]: (patches: unknown[]) => void } = {
  null: patches => (patches[0] = null),
  'nothing at all': patches => (patches[2] = undefined),
  'one without a path': patches => delete (patches[0] as { path?: unknown }).path,
}
for (const [what, breakOne] of Object.entries(broken)) {
  test(`are refused like any others when one has become ${what}`, () => {
    const state = start()
    const change = normalize([Todo], answer, [], state)
    breakOne(change.patches as unknown[])
    assert.throws(() => apply(state, change), (error: unknown) => error instanceof PatchError)
  })
}

test('take back only what they brought, not what somebody has written while they were made', () => {
  for (const fails of [false, true]) {
    const state = start()
    let inner = state
    const Busy = entity('Todo', {
      process(input) {
        if (input['id'] === 'b') inner = applyPatches(state, [{ op: 'add', path: ['entities', 'Todo', 'x'], value: { id: 'x' } }])
        if (fails && input['id'] === 'c') throw new RangeError('not this one')
        return input
      },
    })
    const rows = ['a', 'b', 'c', 'd'].map(id => ({ id }))
    const change = (): State => apply(state, normalize([Busy], rows, [], state))
    if (fails) assert.throws(change, /not this one/)
    else assert.equal(data(change()), data(write([Todo], rows, start()).state))
    assert.equal(['a', 'x'].map(id => readRow(inner, 'Todo', id)), [undefined, { id: 'x' }])
  }
})

test('with other stamps, or none, are applied with those', () => {
  const state = start()
  const { patches, stamps } = normalize(Todo, { id: '7' }, [], state, at(9))
  for (const others of [undefined, stamps.map(group => ({ ...group, stamp: at(50) }))]) {
    assert.equal(data(applyPatches(state, patches, others)), judged(start, { patches, ...(others && { stamps: others }) }))
  }
  assert.throws(() => (stamps as unknown[]).push(1))
  assert.throws(() => (stamps[0]!.pks as string[]).push('x'))
})

test('of a push are those that comparing the lists would give', () => {
  const ids = Array.from({ length: 1500 }, (_, i) => ({ id: `${i}` }))
  const fresh = Array.from({ length: 10 }, (_, i) => ({ id: `new${i}` }))
  const made = (): State => write(todos, ids, emptyState, [{}]).state
  const state = made()
  for (const [creation, whole] of [[todos.push, [...ids, ...fresh]], [todos.unshift, [...fresh, ...ids]]] as const) {
    const pushed = normalize(creation, fresh, [{}], state)
    assert.is(pushed.patches.length, 20)
    assert.equal(pushed.patches, normalize(todos, whole, [{}], state).patches)
    const next = apply(state, pushed)
    assert.equal(readRow(next, '[Todo]', '{}'), whole.map(({ id }) => id))
    assert.equal(data(next), judged(made, pushed))
    // What the list knows of its members has moved on with it.
    const longer = write(creation, fresh, state, [{}]).state
    assert.is(write(creation, fresh, longer, [{}]).change.patches.length, 0)
    assert.is(write(creation, { id: 'last' }, longer, [{}]).change.patches.length, 2)
  }
  const many = Array.from({ length: 1001 }, (_, i) => ({ id: `m${i}` }))
  const { patches } = normalize(todos.push, many, [{}], state)
  assert.is(patches.filter(({ path }) => path[1] === '[Todo]').length, 1)
})

test('of several changes of one list are what they come to', () => {
  const made = (): State => write(todos, [{ id: 'a' }, { id: 'b' }], emptyState, [{}]).state
  const three = { end: todos.push, start: todos.unshift, gone: todos.remove }
  const { change, state } = write(three, { end: { id: 'z' }, start: { id: 'y' }, gone: { id: 'a' } }, made(), [{}])
  assert.equal(readRow(state, '[Todo]', '{}'), ['y', 'b', 'z'])
  assert.equal(data(state), judged(made, change))
})

test.run()
