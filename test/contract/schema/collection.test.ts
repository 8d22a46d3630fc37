import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { denormalize, normalize, schema, SchemaError } from '../../../src/index.ts'
import type { Collection, State } from '../../../src/index.ts'
import { caught } from '../../support/caught.ts'
import { deepFreeze } from '../../support/frozen.ts'
import { query, readRow } from '../../support/state.ts'
import { at, write } from '../../support/write.ts'
import { byType, entity, idsOf, Todo, todos, without } from './todos.ts'

const test = suite('schema.Collection')

const membersOf = (state: State, pk = '{}'): unknown => readRow(state, '[Todo]', pk)

test('its key is [K] for lists, {K} for values, (K) otherwise, with several types joined by ;', () => {
  const one = [[Todo], new schema.Array(Todo), new schema.Values(Todo), new schema.All(Todo)]
  const several = [[new schema.Union(byType, 'type')], new schema.Array(byType, 'type'), new schema.Values(byType, 'type')]
  const keys = [...one, ...several].map((each) => new schema.Collection(each as (typeof Todo)[]).key)
  assert.equal(keys, ['[Todo]', '[Todo]', '{Todo}', '(Todo)', '[Todo;Note]', '[Todo;Note]', '{Todo;Note}'])
})

test('anything but a list or a schema of one is refused', () => {
  for (const wrong of [Todo, { todo: Todo }, undefined, 'x']) assert.instance(caught(() => new schema.Collection(wrong as never)), SchemaError)
})

test('is stored as a row of pks under a pk made of the first argument, and found by that only', () => {
  const { result, state } = write(todos, [{ id: '1' }, { id: '2' }], undefined, [{ userId: 5 }])
  assert.is(result, '{"userId":"5"}')
  assert.equal(membersOf(state, '{"userId":"5"}'), ['1', '2'])
  const view = denormalize(todos, result, state)
  assert.equal(idsOf(view), ['1', '2'])
  assert.ok(Object.isFrozen(view))
  assert.equal(idsOf(query(todos, [{ userId: '5' }], state)), ['1', '2'])
  for (const args of [[{ never: 1 }], []]) assert.is(query(todos, args, state), undefined)
  assert.is(denormalize(todos, '{"never":"1"}', state), undefined)
})

const pkOf = (collection: unknown, ...args: unknown[]): unknown => normalize(collection, [], args).result
const byParams = new schema.Collection([Todo], { argsKey: (params: object) => params })

const pks: [string, unknown, unknown[], string][] = [
  ['its members become strings in sorted order, and undefined ones are dropped', todos, [{ b: 1, a: true, c: undefined }], '{"a":"true","b":"1"}'],
  ['a list becomes its JSON', todos, [{ list: [1, 'x'] }], '{"list":"[1,\\"x\\"]"}'],
  ['an object becomes its JSON in sorted order', todos, [{ deep: { z: 1, y: null } }], '{"deep":"{\\"y\\":null,\\"z\\":1}"}'],
  ['null is a value', todos, [{ n: null }], '{"n":"null"}'],
  ['without arguments it is empty', todos, [], '{}'],
  ['an undefined argument says nothing', todos, [undefined], '{}'],
  ['a null argument says nothing', todos, [null], '{}'],
  ['argsKey decides when given', byParams, [{ a: 1 }], '{"a":"1"}'],
  ['an argsKey that has nothing to go by names the list without arguments', byParams, [], '{}'],
  ['an argsKey that gives null names the list without arguments', byParams, [null], '{}'],
  ['an argsKey that gives one value names as an argument does', byParams, ['x'], pkOf(todos, 'x') as string],
]
for (const [title, collection, args, pk] of pks) test(`the pk: ${title}`, () => assert.is(pkOf(collection, ...args), pk))

test('arguments that differ give different pks, whatever they hold, and numbers are strings', () => {
  const args = [{}, { a: 1 }, { a: '[1]' }, { a: [2] }, { a: { b: 1 } }, { a: { b: 2 } }, { 'a":"1': 1 }, { a: 1, b: 1 }, { a: '1,b:1' }, 'a', 'b', 1]
  assert.is(new Set(args.map((each) => pkOf(todos, each))).size, args.length)
  assert.is(pkOf(todos, 1), pkOf(todos, '1'))
})

test('argsKey decides before nestKey, and both receive what they need', () => {
  const received: unknown[] = []
  const byArgs = new schema.Collection([Todo], { argsKey: (...args: unknown[]) => (received.push(args), { only: 1 }), nestKey: () => ({ never: 1 }) })
  assert.is(pkOf(byArgs, { x: 1 }, 'body'), '{"only":"1"}')
  assert.equal(received, [[{ x: 1 }, 'body']])
  const byNest = new schema.Collection([Todo], { nestKey: (parent: { id: string }, key: string) => ({ of: parent.id, key }) })
  const List = entity('List', { schema: { items: byNest } })
  const { state } = write(List, { id: '7', items: [{ id: '1' }] }, undefined, [{ x: 1 }])
  assert.equal(readRow(state, 'List', '7'), { id: '7', items: '{"key":"items","of":"7"}' })
})

test('what is named by its position is not looked for by arguments: nestKey is never asked without a parent', () => {
  const page = { items: new schema.Collection([Todo], { nestKey: (parent: { id: string }) => ({ of: parent.id }) }) }
  const { state, result } = write(page, { id: '7', items: [{ id: '1' }] })
  assert.is(query(page, [], state), undefined)
  assert.is(denormalize(page, result, state)!.items.length, 1)
})

for (const [key, title] of [
  ['List', 'with neither, a collection nested in an entity is named by that entity and its field'],
  ['field', 'an entity that is itself called field keeps its pk in the name'],
] as const) {
  test(title, () => {
    const List = entity(key, { schema: { items: todos, done: todos } })
    const { state, result } = write([List], [{ id: '7', items: [{ id: '1' }], done: [{ id: '2' }] }, { id: '8', items: [{ id: '3' }] }])
    const [first, second] = denormalize([List], result, state) as unknown as { items: Todo[]; done: Todo[] }[]
    assert.equal([first!.items, first!.done, second!.items].map(idsOf), [['1'], ['2'], ['3']])
  })
}

test('outside of an entity, beside and after one, it is named by the first argument, however deep in plain objects', () => {
  const List = entity('List', { schema: { items: todos } })
  const page = { one: List, all: todos, deep: { many: [List], results: todos } }
  const input = { one: { id: '7', items: [] }, all: [], deep: { many: [{ id: '8', items: [{ id: '1' }] }], results: [] } }
  const { result, state } = write(page, input, undefined, [{ x: 1 }])
  assert.equal(result, { one: '7', all: '{"x":"1"}', deep: { many: ['8'], results: '{"x":"1"}' } })
  assert.equal(readRow(state, 'List', '8'), { id: '8', items: '{"List":"8","field":"items"}' })
})

test('arguments are never written to', () => {
  const args = deepFreeze([{ b: { c: 1 }, a: [1] }, { body: 1 }])
  write(todos, [{ id: '1' }], undefined, args)
  write(todos.push, { id: '2' }, undefined, args)
  assert.equal(args, [{ b: { c: 1 }, a: [1] }, { body: 1 }])
})

test('a response replaces the list, by splices, and an older one does not replace a newer', () => {
  const first = write(todos, [{ id: '1' }, { id: '2' }], undefined, [{}], at(5)).state
  const { state, change } = write(todos, [{ id: '2' }, { id: '3' }], first, [{}], at(6))
  assert.equal(membersOf(state), ['2', '3'])
  assert.equal(change.patches.filter(({ path }) => path[1] === '[Todo]'), [
    { op: 'add', path: ['entities', '[Todo]', '{}', 2], value: '3' },
    { op: 'remove', path: ['entities', '[Todo]', '{}', 0] },
  ])
  const late = write(todos, [{ id: '9' }], state, [{}], at(4)).state
  assert.equal([membersOf(late), readRow(late, 'Todo', '9')], [['2', '3'], { id: '9' }])
})

test('each member is named once, at its first position', () => {
  const { state } = write(todos, [{ id: '1' }, { id: '2' }, { id: 1, late: true }])
  assert.equal([membersOf(state), readRow(state, 'Todo', '1')], [['1', '2'], { id: 1, late: true }])
})

test('a view leaves out members that were deleted, and shows them again when they come back', () => {
  const { state, result } = write(todos, [{ id: '1' }, { id: '2' }])
  const gone = without(state, '1')
  const back = write(Todo, { id: '1' }, gone).state
  assert.equal([gone, back].map((each) => idsOf(denormalize(todos, result, each))), [['2'], ['1', '2']])
})

test('over values it is a map of unique names', () => {
  const byName = new schema.Collection(new schema.Values(Todo))
  const { result, state } = write(byName, { a: { id: '1' }, b: { id: '2' } }, undefined, [{ x: 1 }])
  assert.equal(readRow(state, '{Todo}', '{"x":"1"}'), { a: '1', b: '2' })
  assert.equal(Object.keys(denormalize(byName, result, state)!), ['a', 'b'])
})

test('over several types it holds { id, schema }, and the same id of two types is two members', () => {
  const mixed = new schema.Collection(new schema.Array(byType, 'type'))
  const { result, state } = write(mixed, [{ id: '1', type: 'todo' }, { id: '1', type: 'note' }, { id: '1', type: 'todo' }])
  assert.equal(readRow(state, '[Todo;Note]', '{}'), [{ id: '1', schema: 'todo' }, { id: '1', schema: 'note' }])
  assert.equal(idsOf(denormalize(mixed, result, state)), ['1', '1'])
})

test('lifecycle methods may be overridden in a subclass, and call super', () => {
  class Tenants extends schema.Collection<[typeof Todo]> {
    override pk(...received: Parameters<Collection['pk']>): string {
      return `tenant ${super.pk(...received)}`
    }
    override merge(existing: object, incoming: object): object {
      return [...new Set([...(existing as string[]), ...(incoming as string[])])]
    }
  }
  const tenants = new Tenants([Todo])
  const List = entity('List', { schema: { items: tenants } })
  const first = write([List], [{ id: '1', items: [{ id: 'a' }, { id: 'b' }] }, { id: '2', items: [{ id: 'c' }] }], undefined, [{ x: 1 }]).state
  const { state } = write(List, { id: '1', items: [{ id: 'b' }, { id: 'd' }] }, first)
  const [one, two] = ['1', '2'].map((pk) => membersOf(state, `tenant {"List":"${pk}","field":"items"}`))
  assert.equal([one, two], [['a', 'b', 'd'], ['c']])
  assert.is(pkOf(tenants, { x: 1 }), 'tenant {"x":"1"}')
})

test('so may they by statics, as in an entity, and call what they replace', () => {
  const received: unknown[] = []
  class Tenants extends schema.Collection<[typeof Todo]> {
    static override pk(this: Tenants, ...received: Parameters<Collection['pk']>): string {
      return `tenant ${super.pk.apply(this, received)}`
    }
    static override shouldReorder(...metas: Parameters<Collection['shouldReorder']>): boolean {
      received.push(metas.slice(2))
      return !super.shouldReorder(...metas)
    }
    static override merge(existing: readonly string[], incoming: readonly string[]): readonly string[] {
      return [...existing, ...incoming]
    }
  }
  const tenants = new Tenants([Todo], { argsKey: ({ a }: { a: number }) => ({ a }) })
  const first = write(tenants, [{ id: '1' }], undefined, [{ a: 1 }])
  assert.is(first.result, 'tenant {"a":"1"}')
  // Declared as the older one, so the existing members come after it.
  const { state } = write(tenants, [{ id: '2' }], first.state, [{ a: 1 }])
  assert.equal([membersOf(state, 'tenant {"a":"1"}'), received[0]], [['2', '1'], [['1'], ['2']]])
  class Frozen extends Tenants {
    static override mergeWithStore(...rest: Parameters<Collection['mergeWithStore']>): object {
      return rest[2]
    }
  }
  const stored = write(new Frozen([Todo], tenants.options), [{ id: '3' }], state, [{ a: 1 }]).state
  assert.equal(membersOf(stored, 'tenant {"a":"1"}'), ['2', '1'])
  assert.is(schema.Collection.merge(['1'], first), first)
})

test('a string is the pk of a collection that is there', () => {
  assert.equal(normalize({ list: todos }, { list: '{"a":"1"}' }).result, { list: '{"a":"1"}' })
})

test.run()
