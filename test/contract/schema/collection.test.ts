import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { query, readRow } from '../../support/state.ts'
import { Collection, denormalize, Entity, normalize, schema, SchemaError, ValidationError } from '../../../src/index.ts'
import { deepFreeze } from '../../support/frozen.ts'
import { caught } from '../../support/caught.ts'
import { at, write } from '../../support/write.ts'

const test = suite('schema.Collection')

class Todo extends Entity {
  id = ''
  static override key = 'Todo'
}
class Note extends Entity {
  id = ''
  static override key = 'Note'
}
const todos = new schema.Collection([Todo])

test('is also exported by name', () => {
  assert.is(schema.Collection, Collection)
})

test('its key is [K] for lists, {K} for values, (K) otherwise, with several types joined by ;', () => {
  const both = { todo: Todo, note: Note }
  assert.is(todos.key, '[Todo]')
  assert.is(new schema.Collection(new schema.Array(Todo)).key, '[Todo]')
  assert.is(new schema.Collection(new schema.Values(Todo)).key, '{Todo}')
  assert.is(new schema.Collection(new schema.All(Todo)).key, '(Todo)')
  assert.is(new schema.Collection([new schema.Union(both, 'type')]).key, '[Todo;Note]')
  assert.is(new schema.Collection(new schema.Array(both, 'type')).key, '[Todo;Note]')
  assert.is(new schema.Collection(new schema.Values(both, 'type')).key, '{Todo;Note}')
})

test('anything but a list or a schema of one is refused', () => {
  for (const wrong of [Todo, { todo: Todo }, undefined, 'x']) assert.instance(caught(() => new schema.Collection(wrong as never)), SchemaError)
})

test('is stored as a row of pks under a pk made of the first argument', () => {
  const { result, state } = write(todos, [{ id: '1' }, { id: '2' }], undefined, [{ userId: 5 }])
  assert.is(result, '{"userId":"5"}')
  assert.equal(readRow(state, '[Todo]', '{"userId":"5"}'), ['1', '2'])
  const view = denormalize(todos, result, state)!
  assert.equal(view.map((todo) => todo.id), ['1', '2'])
  assert.ok(Object.isFrozen(view))
})

const pkOf = (collection: schema.Collection<unknown>, ...args: unknown[]): unknown => normalize(collection, [], args).result

test('members of the pk become strings in sorted order, and undefined ones are dropped', () => {
  assert.is(pkOf(todos, { b: 1, a: true, c: undefined }), '{"a":"true","b":"1"}')
  assert.is(pkOf(todos, { list: [1, 'x'], deep: { z: 1, y: null } }), '{"deep":"{\\"y\\":null,\\"z\\":1}","list":"[1,\\"x\\"]"}')
  assert.is(pkOf(todos, { n: null }), '{"n":"null"}')
  assert.is(pkOf(todos), '{}')
  assert.is(pkOf(todos, undefined), '{}')
  assert.is(pkOf(todos, null), '{}')
})

test('a first argument that is no object identifies too', () => {
  assert.is.not(pkOf(todos, 'a'), pkOf(todos, 'b'))
  assert.is(pkOf(todos, 1), pkOf(todos, '1'))
})

test('arguments that differ give different pks, whatever they hold', () => {
  const args = [{}, { a: 1 }, { a: '[1]' }, { a: [2] }, { a: { b: 1 } }, { a: { b: 2 } }, { 'a":"1': 1 }, { a: 1, b: 1 }, { a: '1,b:1' }]
  assert.is(new Set(args.map((each) => pkOf(todos, each))).size, args.length)
})

test('argsKey decides when given, else nestKey, and both receive what they need', () => {
  const received: unknown[] = []
  const byArgs = new schema.Collection([Todo], {
    argsKey: (...args: unknown[]) => {
      received.push(args)
      return { only: 1 }
    },
    nestKey: () => ({ never: 1 }),
  })
  assert.is(pkOf(byArgs, { x: 1 }, 'body'), '{"only":"1"}')
  assert.equal(received, [[{ x: 1 }, 'body']])
  const byNest = new schema.Collection([Todo], { nestKey: (parent: { id: string }, key: string) => ({ of: parent.id, key }) })
  class List extends Entity {
    static override key = 'List'
    static override schema = { items: byNest }
  }
  const { state } = write(List, { id: '7', items: [{ id: '1' }] }, undefined, [{ x: 1 }])
  assert.equal(readRow(state, 'List', '7'), { id: '7', items: '{"key":"items","of":"7"}' })
})

test('an argsKey that has nothing to go by names the list without arguments, and one value names as an argument does', () => {
  const byParams = new schema.Collection([Todo], { argsKey: (params: object) => params })
  assert.is(pkOf(byParams), '{}')
  assert.is(pkOf(byParams, null), '{}')
  assert.is(pkOf(byParams, { a: 1 }), '{"a":"1"}')
  assert.is(pkOf(byParams, 'x'), pkOf(todos, 'x'))
})

test('what is named by its position is not looked for by arguments: nestKey is never asked without a parent', () => {
  const page = { items: new schema.Collection([Todo], { nestKey: (parent: { id: string }) => ({ of: parent.id }) }) }
  const { state, result } = write(page, { id: '7', items: [{ id: '1' }] })
  assert.is(query(page, [], state), undefined)
  assert.is(denormalize(page, result, state)!.items.length, 1)
})

test('with neither, a collection nested in an entity is named by that entity and its field', () => {
  class List extends Entity {
    id = ''
    items: Todo[] = []
    done: Todo[] = []
    static override key = 'List'
    static override schema = { items: todos, done: todos }
  }
  const { state, result } = write(List, { id: '7', items: [{ id: '1' }], done: [{ id: '2' }] }, undefined, [{ x: 1 }])
  assert.equal(readRow(state, 'List', '7'), { id: '7', items: '{"List":"7","field":"items"}', done: '{"List":"7","field":"done"}' })
  const view = denormalize(List, result, state)!
  assert.equal([view.items.map((todo) => todo.id), view.done.map((todo) => todo.id)], [['1'], ['2']])
})

test('beside an entity, and after one, a collection is not that entity\'s', () => {
  class List extends Entity {
    static override key = 'List'
    static override schema = { items: todos }
  }
  const { result } = write({ one: List, all: todos, many: [List] }, { one: { id: '7', items: [] }, all: [], many: [{ id: '8', items: [{ id: '1' }] }] }, undefined, [{ x: 1 }])
  assert.equal(result, { one: '7', all: '{"x":"1"}', many: ['8'] })
})

test('an entity that is itself called field keeps its pk in the name', () => {
  class Field extends Entity {
    static override key = 'field'
    static override schema = { items: todos }
  }
  const { state } = write([Field], [{ id: '1', items: [{ id: 'a' }] }, { id: '2', items: [{ id: 'b' }] }])
  const items = (pk: string): unknown => readRow(state, '[Todo]', (readRow(state, 'field', pk) as { items: string }).items)
  assert.equal([items('1'), items('2')], [['a'], ['b']])
})

test('outside of an entity it is named by the first argument, however deep in plain objects', () => {
  assert.equal(write({ page: { results: todos } }, { page: { results: [] } }, undefined, [{ q: 'x' }]).result, { page: { results: '{"q":"x"}' } })
})

test('arguments are never written to', () => {
  const args = deepFreeze([{ b: { c: 1 }, a: [1] }, { body: 1 }])
  write(todos, [{ id: '1' }], undefined, args)
  write(todos.push, { id: '2' }, undefined, args)
  assert.equal(args, [{ b: { c: 1 }, a: [1] }, { body: 1 }])
})

test('a response replaces the list, by splices, and an older one does not replace a newer', () => {
  const first = write(todos, [{ id: '1' }, { id: '2' }], undefined, [{}], at(5)).state
  const second = write(todos, [{ id: '2' }, { id: '3' }], first, [{}], at(6))
  assert.equal(readRow(second.state, '[Todo]', '{}'), ['2', '3'])
  assert.equal(second.change.patches.filter(({ path }) => path[1] === '[Todo]'), [
    { op: 'add', path: ['entities', '[Todo]', '{}', 2], value: '3' },
    { op: 'remove', path: ['entities', '[Todo]', '{}', 0] },
  ])
  const late = write(todos, [{ id: '9' }], second.state, [{}], at(4)).state
  assert.equal(readRow(late, '[Todo]', '{}'), ['2', '3'])
  assert.ok(readRow(late, 'Todo', '9'))
})

test('each member is named once, at its first position', () => {
  const { state } = write(todos, [{ id: '1' }, { id: '2' }, { id: 1, late: true }])
  assert.equal(readRow(state, '[Todo]', '{}'), ['1', '2'])
  assert.equal(readRow(state, 'Todo', '1'), { id: 1, late: true })
})

test('a view leaves out members that were deleted, and shows them again when they come back', () => {
  const { state, result } = write(todos, [{ id: '1' }, { id: '2' }])
  const gone = write(new schema.Invalidate(Todo), '1', state).state
  assert.equal(denormalize(todos, result, gone)!.map((todo) => todo.id), ['2'])
  const back = write(Todo, { id: '1' }, gone).state
  assert.equal(denormalize(todos, result, back)!.map((todo) => todo.id), ['1', '2'])
})

test('a collection that was never stored is undefined, also nested', () => {
  const { state } = write(Todo, { id: '1' })
  assert.is(denormalize(todos, '{"never":"1"}', state), undefined)
  assert.is(query(todos, [{ never: 1 }], state), undefined)
})

test('is found by the arguments that it was fetched with', () => {
  const { state } = write(todos, [{ id: '1' }], undefined, [{ page: 1 }])
  assert.equal(query<Todo[]>(todos, [{ page: '1' }], state)!.map((todo) => todo.id), ['1'])
  assert.is(query(todos, [], state), undefined)
})

test('over values it is a map of unique names', () => {
  const byName = new schema.Collection(new schema.Values(Todo))
  const { result, state } = write(byName, { a: { id: '1' }, b: { id: '2' } }, undefined, [{ x: 1 }])
  assert.equal(readRow(state, '{Todo}', '{"x":"1"}'), { a: '1', b: '2' })
  assert.equal(Object.keys(denormalize(byName, result, state)!), ['a', 'b'])
})

test('over several types it holds { id, schema }, and the same id of two types is two members', () => {
  const mixed = new schema.Collection(new schema.Array({ todo: Todo, note: Note }, 'type'))
  const { result, state } = write(mixed, [{ id: '1', type: 'todo' }, { id: '1', type: 'note' }, { id: '1', type: 'todo' }])
  assert.equal(readRow(state, '[Todo;Note]', '{}'), [{ id: '1', schema: 'todo' }, { id: '1', schema: 'note' }])
  assert.is((denormalize(mixed, result, state) as unknown[]).length, 2)
})

test('lifecycle methods may be overridden in a subclass', () => {
  class Growing extends schema.Collection<[typeof Todo]> {
    override merge(existing: object, incoming: object): object {
      return [...(existing as string[]), ...(incoming as string[]).filter((pk) => !(existing as string[]).includes(pk))]
    }
  }
  const growing = new Growing([Todo])
  const { state } = write(growing, [{ id: '2' }, { id: '3' }], write(growing, [{ id: '1' }, { id: '2' }]).state)
  assert.equal(readRow(state, '[Todo]', '{}'), ['1', '2', '3'])
})

test('a pk that says something more of what it would have been still tells the lists of two entities apart', () => {
  class Tenants extends schema.Collection<[typeof Todo]> {
    override pk(value: unknown, parent: unknown, key: string, args: readonly unknown[]): string {
      return `tenant ${super.pk(value, parent, key, args)}`
    }
  }
  const tenants = new Tenants([Todo])
  class List extends Entity {
    static override key = 'List'
    static override schema = { items: tenants }
  }
  const { state } = write([List], [{ id: '1', items: [{ id: 'a' }] }, { id: '2', items: [{ id: 'b' }] }], undefined, [{ x: 1 }])
  assert.equal(readRow(state, '[Todo]', 'tenant {"List":"1","field":"items"}'), ['a'])
  assert.equal(readRow(state, '[Todo]', 'tenant {"List":"2","field":"items"}'), ['b'])
  assert.is(write(tenants, [], state, [{ x: 1 }]).result, 'tenant {"x":"1"}')
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
  assert.equal(readRow(state, '[Todo]', 'tenant {"a":"1"}'), ['2', '1'])
  assert.equal(received[0], [['1'], ['2']])
  class Frozen extends Tenants {
    static override mergeWithStore(...rest: Parameters<Collection['mergeWithStore']>): object {
      return rest[2]
    }
  }
  const stored = write(new Frozen([Todo], tenants.options), [{ id: '3' }], state, [{ a: 1 }]).state
  assert.equal(readRow(stored, '[Todo]', 'tenant {"a":"1"}'), ['2', '1'])
  assert.is(schema.Collection.merge(['1'], first), first)
})

test('a string is the pk of a collection that is there; another scalar is an error, a boolean stays', () => {
  assert.equal(normalize({ list: todos }, { list: '{"a":"1"}' }).result, { list: '{"a":"1"}' })
  assert.equal(normalize({ list: todos }, { list: false }).result, { list: false })
  assert.instance(caught(() => normalize({ list: todos }, { list: 5 })), ValidationError)
})

test.run()
