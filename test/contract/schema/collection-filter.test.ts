import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readRow } from '../../support/state.ts'
import { emptyState, Entity, schema } from '../../../src/index.ts'
import type { CollectionOptions, State } from '../../../src/index.ts'
import { write } from '../../support/write.ts'

const test = suite('which collections a creation goes into')

class Todo extends Entity {
  id = ''
  static override key = 'Todo'
}

/** A state with one empty collection for each of `keys`, and which of them a push with `args` goes into. */
function reached(keys: readonly object[], args: readonly unknown[], options: CollectionOptions = {}, todos: schema.Collection<(typeof Todo)[]> = new schema.Collection([Todo], options)): object[] {
  let state: State = emptyState
  const pks = keys.map((key) => {
    const written = write(todos, [], state, [key])
    state = written.state
    return written.result as string
  })
  state = write(todos.push, { id: 'new' }, state, args).state
  return keys.filter((_, i) => (readRow(state, '[Todo]', pks[i]!) as string[]).includes('new'))
}

test('every entry of its key must equal the URL parameter or the body member of that name', () => {
  const keys = [{}, { userId: 1 }, { userId: 2 }, { userId: 1, tag: 'a' }, { tag: 'a' }, { tag: 'b' }]
  assert.equal(reached(keys, [{ userId: 1 }]), [{}, { userId: 1 }])
  assert.equal(reached(keys, [{ userId: 1 }, { tag: 'a' }]), [{}, { userId: 1 }, { userId: 1, tag: 'a' }, { tag: 'a' }])
  assert.equal(reached(keys, [{ userId: 2 }, { userId: 1 }]), [{}, { userId: 1 }, { userId: 2 }])
})

test('numbers and strings compare equal, both ways', () => {
  assert.equal(reached([{ n: 1 }], [{ n: '1' }]), [{ n: 1 }])
  assert.equal(reached([{ n: '1' }], [{ n: 1 }]), [{ n: '1' }])
  assert.equal(reached([{ n: '1.0' }], [{ n: 1 }]), [{ n: '1.0' }])
  assert.equal(reached([{ n: 12 }], [{ n: 12n }]), [{ n: 12 }])
})

test('booleans, lists and nested values match by their string forms', () => {
  for (const value of [true, false, null, [1, 'a'], { b: 1, a: [null] }, new Date(0)]) {
    assert.equal(reached([{ v: value }], [{ v: value }]), [{ v: value }])
  }
  assert.equal(reached([{ v: { a: 1, b: 2 } }], [{ v: { b: 2, a: 1 } }]).length, 1)
  assert.equal(reached([{ v: true }], [{ v: false }]), [])
  assert.equal(reached([{ v: [1, 2] }], [{ v: [2, 1] }]), [])
  assert.equal(reached([{ v: { a: 1 } }], [{ v: { a: 2 } }]), [])
})

test('values that cannot become text by themselves are compared as data', () => {
  const bare = Object.assign(Object.create(null) as object, { a: 1 })
  assert.equal(reached([{ v: bare }], [{ v: bare }]).length, 1)
  const named = { toString: 'x', valueOf: 'y' }
  assert.equal(reached([{ v: named }], [{ v: named }]).length, 1)
  assert.equal(reached([{ v: 1 }], [{ v: bare }, { v: named }]), [])
})

test('a value with a toString of its own is not asked for it', () => {
  let asked = 0
  const value = { toString: () => (asked++, '1') }
  assert.equal(reached([{ v: 1 }], [{ v: value }]), [])
  assert.is(asked, 0)
})

test('entries whose name begins with order never filter', () => {
  const keys = [{ orderBy: 'x' }, { order: 'y', tag: 'a' }, { ordering: 1, tag: 'b' }, { reorder: 1 }]
  assert.equal(reached(keys, [{ tag: 'a' }]), [{ orderBy: 'x' }, { order: 'y', tag: 'a' }])
})

test('a creation without arguments matches collections whose key has only such entries', () => {
  assert.equal(reached([{}, { orderBy: 'x' }, { tag: 'a' }], []), [{}, { orderBy: 'x' }])
})

test('inherited members are no parameters', () => {
  assert.equal(reached([{ toString: 'x' }, { constructor: 'y' }], [{}]), [])
  assert.equal(reached([{ a: 1 }], [Object.create({ a: 1 }) as object]), [])
})

test('a form is a body too', () => {
  const form = new FormData()
  form.set('tag', 'a')
  assert.equal(reached([{ tag: 'a' }, { tag: 'b' }], [{}, form]), [{ tag: 'a' }])
  assert.equal(reached([{ tag: 'a' }, { tag: 'b' }], [{}, new URLSearchParams({ tag: 'b' })]), [{ tag: 'b' }])
})

const sorted = [{ sort: 'x' }, { sort: 'x', tag: 'a' }, { orderBy: 'x' }]
for (const [name, nonFilterArgumentKeys] of [
  ['function', (key: string) => key === 'sort'],
  ['pattern', /^sort$/],
  ['pattern with the flag g', /sort/g],
  ['list', ['sort']],
] as const) {
  test(`nonFilterArgumentKeys replaces the rule about order: as a ${name}`, () => {
    assert.equal(reached(sorted, [{ tag: 'a' }], { nonFilterArgumentKeys }), [{ sort: 'x' }, { sort: 'x', tag: 'a' }])
    assert.equal(reached(sorted, [{ tag: 'b' }], { nonFilterArgumentKeys }), [{ sort: 'x' }])
  })
}

test('createCollectionFilter replaces the rules, and receives the arguments and the key as strings', () => {
  const received: unknown[] = []
  const options: CollectionOptions = {
    createCollectionFilter: (urlParams, body) => (collectionKey) => {
      received.push([urlParams, body, collectionKey])
      return collectionKey['n'] === '2'
    },
  }
  assert.equal(reached([{ n: 1 }, { n: 2 }], [{ a: 1 }, { b: 2 }], options), [{ n: 2 }])
  assert.equal(received, [[{ a: 1 }, { b: 2 }, { n: '1' }], [{ a: 1 }, { b: 2 }, { n: '2' }]])
})

test('addWith takes a filter of its own', () => {
  const todos = new schema.Collection([Todo])
  let { state } = write(todos, [], undefined, [{ n: 1 }])
  state = write(todos, [], state, [{ n: 2 }]).state
  const toSecond = todos.addWith((list: string[], added: string[]) => [...list, ...added], () => ({ n }) => n === '2')
  state = write(toSecond, { id: 'x' }, state).state
  assert.equal([readRow(state, '[Todo]', '{"n":"1"}'), readRow(state, '[Todo]', '{"n":"2"}')], [[], ['x']])
})

test('methods of a subclass are asked, and may call super', () => {
  class Loose extends schema.Collection<(typeof Todo)[]> {
    override nonFilterArgumentKeys(key: string): boolean {
      return key === 'view' || super.nonFilterArgumentKeys(key)
    }
  }
  class Second extends schema.Collection<(typeof Todo)[]> {
    override createCollectionFilter(urlParams?: unknown, body?: unknown): (collectionKey: { readonly [name: string]: string }) => boolean {
      const usual = super.createCollectionFilter(urlParams, body)
      return key => usual(key) || key['n'] === '2'
    }
  }
  const keys = [{ n: 1 }, { n: 2 }, { n: 1, view: 'board' }, { n: 1, orderBy: 'id' }]
  assert.equal(reached(keys, [{ n: 1 }], {}, new Loose([Todo])), [{ n: 1 }, { n: 1, view: 'board' }, { n: 1, orderBy: 'id' }])
  assert.equal(reached(keys, [{ n: 1 }], {}, new Second([Todo])), [{ n: 1 }, { n: 2 }, { n: 1, orderBy: 'id' }])
})

test.run()
