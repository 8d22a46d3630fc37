import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { emptyState, schema } from '../../../src/index.ts'
import type { CollectionOptions, State } from '../../../src/index.ts'
import { readRow } from '../../support/state.ts'
import { write } from '../../support/write.ts'
import { Todo } from './todos.ts'

const test = suite('which collections a creation goes into')

type Todos = schema.Collection<(typeof Todo)[]>

/** The keys of those collections that a push with `args` goes into, of one collection for each of `keys`. */
function reached(keys: object[], args: unknown[], todos: Todos = new schema.Collection([Todo]), creation: unknown = todos.push): object[] {
  let state: State = emptyState
  const pks = keys.map((key) => {
    const written = write(todos, [], state, [key])
    state = written.state
    return written.result as string
  })
  state = write(creation, { id: 'new' }, state, args).state
  return keys.filter((_, i) => (readRow(state, '[Todo]', pks[i]!) as string[]).includes('new'))
}

const form = new FormData()
form.set('tag', 'a')
const keys = [{}, { userId: 1 }, { userId: 2 }, { userId: 1, tag: 'a' }, { tag: 'a' }, { tag: 'b' }]
const ordered = [{ orderBy: 'x' }, { order: 'y', tag: 'a' }, { ordering: 1, tag: 'b' }, { reorder: 1 }]
const rules: [string, object[], unknown[], object[]][] = [
  ['every entry of its key must equal the URL parameter of that name', keys, [{ userId: 1 }], [{}, { userId: 1 }]],
  ['or the body member of that name', keys, [{ userId: 1 }, { tag: 'a' }], [{}, { userId: 1 }, { userId: 1, tag: 'a' }, { tag: 'a' }]],
  ['either of the two', keys, [{ userId: 2 }, { userId: 1 }], [{}, { userId: 1 }, { userId: 2 }]],
  ['a form is a body too', keys, [{}, form], [{}, { tag: 'a' }]],
  ['search parameters are a body too', keys, [{}, new URLSearchParams({ tag: 'b' })], [{}, { tag: 'b' }]],
  ['entries whose name begins with order never filter', ordered, [{ tag: 'a' }], [{ orderBy: 'x' }, { order: 'y', tag: 'a' }]],
  ['a creation without arguments matches collections whose key has only such entries', [{}, ...ordered], [], [{}, { orderBy: 'x' }]],
  ['inherited members are no parameters', [{ toString: 'x' }, { constructor: 'y' }], [{}], []],
  ['members that an argument inherits are no parameters', [{ a: 1 }], [Object.create({ a: 1 })], []],
]
for (const [title, stored, args, expected] of rules) test(title, () => assert.equal(reached(stored, args), expected))

const bare = Object.assign(Object.create(null) as object, { a: 1 })
const named = { toString: 'x', valueOf: 'y' }
const values = [true, false, null, [1, 'a'], { b: 1, a: [null] }, new Date(0), bare, named]
const pairs: [string, [unknown, unknown][], boolean][] = [
  ['numbers and strings compare equal, both ways', [[1, '1'], ['1', 1], ['1.0', 1], [12, 12n]], true],
  ['booleans, lists, nested values and those that cannot become text by themselves equal themselves', values.map((each) => [each, each]), true],
  ['nested values are equal in any order of their names', [[{ a: 1, b: 2 }, { b: 2, a: 1 }]], true],
  ['other values differ', [[true, false], [[1, 2], [2, 1]], [{ a: 1 }, { a: 2 }], [1, bare], [1, named]], false],
]
for (const [title, both, isEqual] of pairs) {
  test(title, () => {
    for (const [key, argument] of both) assert.is(reached([{ v: key }], [{ v: argument }]).length === 1, isEqual, JSON.stringify(key))
  })
}

test('a value with a toString of its own is not asked for it', () => {
  let asked = 0
  assert.equal(reached([{ v: 1 }], [{ v: { toString: () => (asked++, '1') } }]), [])
  assert.is(asked, 0)
})

const sorted = [{ sort: 'x' }, { sort: 'x', tag: 'a' }, { orderBy: 'x' }]
for (const [name, nonFilterArgumentKeys] of [
  ['function', (key: string) => key === 'sort'],
  ['pattern', /^sort$/],
  ['pattern with the flag g', /sort/g],
  ['list', ['sort']],
] as const) {
  test(`nonFilterArgumentKeys replaces the rule about order: as a ${name}`, () => {
    const todos = new schema.Collection([Todo], { nonFilterArgumentKeys })
    assert.equal(reached(sorted, [{ tag: 'a' }], todos), [{ sort: 'x' }, { sort: 'x', tag: 'a' }])
    assert.equal(reached(sorted, [{ tag: 'b' }], todos), [{ sort: 'x' }])
  })
}

test('createCollectionFilter replaces the rules, and receives the arguments and the key as strings', () => {
  const received: unknown[] = []
  const createCollectionFilter: CollectionOptions['createCollectionFilter'] = (...args) => (key) => (received.push([...args, key]), key['n'] === '2')
  assert.equal(reached([{ n: 1 }, { n: 2 }], [{ a: 1 }, { b: 2 }], new schema.Collection([Todo], { createCollectionFilter })), [{ n: 2 }])
  assert.equal(received, [[{ a: 1 }, { b: 2 }, { n: '1' }], [{ a: 1 }, { b: 2 }, { n: '2' }]])
})

test('addWith takes a filter of its own', () => {
  const todos = new schema.Collection([Todo])
  const toSecond = todos.addWith((list: string[], added: string[]) => [...list, ...added], () => ({ n }) => n === '2')
  assert.equal(reached([{ n: 1 }, { n: 2 }], [], todos, toSecond), [{ n: 2 }])
})

test('methods of a subclass are asked, and may call super', () => {
  class Loose extends schema.Collection<(typeof Todo)[]> {
    override nonFilterArgumentKeys(key: string): boolean {
      return key === 'view' || super.nonFilterArgumentKeys(key)
    }
  }
  class Second extends schema.Collection<(typeof Todo)[]> {
    override createCollectionFilter(...args: unknown[]): (collectionKey: { readonly [name: string]: string }) => boolean {
      const usual = super.createCollectionFilter(...args)
      return key => usual(key) || key['n'] === '2'
    }
  }
  const stored = [{ n: 1 }, { n: 2 }, { n: 1, view: 'board' }, { n: 1, orderBy: 'id' }]
  assert.equal(reached(stored, [{ n: 1 }], new Loose([Todo])), [{ n: 1 }, { n: 1, view: 'board' }, { n: 1, orderBy: 'id' }])
  assert.equal(reached(stored, [{ n: 1 }], new Second([Todo])), [{ n: 1 }, { n: 2 }, { n: 1, orderBy: 'id' }])
})

test.run()
