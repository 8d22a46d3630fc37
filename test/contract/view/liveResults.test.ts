import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Entity, PatchcordError, schema, type Fields } from '../../../src/index.ts'
import { LiveStore, watch } from './liveStore.ts'

const test = suite('live results and queries')

class Todo extends Entity {
  id = ''
  title = ''
  done = false
  owner: User | undefined = undefined
  static override key = 'Todo'
  static override schema: Fields = {}
}

class User extends Entity {
  id = ''
  name = ''
  email = ''
  friends: readonly string[] = []
  open: number | undefined = undefined
  static override key = 'User'
  static override indexes = ['email']
  static override schema: Fields = {}
}
Todo.schema = { owner: User }
const friends = new schema.Lazy([User])
User.schema = { friends }

const all = new schema.All(Todo)
const page = { results: [Todo], first: Todo, at: Date, meta: { top: [Todo] }, cursor: '' }
const todo = (id: string, done = false): object => ({ id, title: `t${id}`, done })
const body = { results: [todo('1'), todo('2')], at: '2020-01-01', cursor: 'a', total: 2, meta: { top: [{ id: '2' }], n: 1 }, tags: ['x'] }
const setup = (): LiveStore => {
  const at = new LiveStore()
  at.respond('page', page, body)
  return at
}

interface Page {
  results: Todo[]
  first?: Todo
  at: Date
  cursor: string
  total: number
  meta: { top: Todo[]; n: number }
  tags: string[]
}
const read = (at: LiveStore): Page | undefined => at.live.result(page, 'page') as unknown as Page | undefined

test('a result that is no entity is one object, tracked by field', () => {
  const at = setup()
  const root = watch(() => read(at)!)
  const { last: result } = root
  const [results, cursor, total, date, meta, tags] = [
    watch(() => result.results),
    watch(() => result.cursor),
    watch(() => result.total),
    watch(() => result.at),
    watch(() => result.meta),
    watch(() => result.tags),
  ]
  assert.is(result.results[0], at.live.entity(Todo, '1'))
  assert.is(result.meta.top[0], result.results[1])
  assert.is(date.last.getUTCFullYear(), 2020)
  const before = { results: results.last, meta: meta.last, date: date.last }
  at.respond('page', page, { ...body, cursor: 'b' })
  assert.equal([root, results, cursor, total, date, meta, tags].map(each => each.runs), [1, 1, 2, 1, 1, 1, 1])
  assert.is(cursor.last, 'b')
  at.respond('page', page, { ...body, cursor: 'b', results: [todo('2')], total: 1 })
  assert.equal([root, results, cursor, total, date, meta, tags].map(each => each.runs), [1, 2, 2, 2, 1, 1, 1])
  assert.is(results.last[0], before.results[1])
  assert.is(read(at), result)
  assert.is(result.at, before.date)
  assert.is(result.meta, before.meta)
})

test('the same response again wakes nobody', () => {
  const at = setup()
  const seen = watch(() => JSON.stringify(read(at)))
  at.respond('page', page, structuredClone(body))
  assert.is(seen.runs, 1)
})

test('a change of a row wakes who reads that row', () => {
  const at = setup()
  const result = read(at)!
  const list = watch(() => result.results)
  const title = watch(() => result.results[0]!.title)
  at.write([Todo, { id: '1', title: 'x' }])
  assert.equal([list.runs, title.runs, title.last], [1, 2, 'x'])
})

test('it looks like a plain object', () => {
  const at = setup()
  const result = read(at)!
  assert.is(Object.getPrototypeOf(result), Object.prototype)
  assert.equal(Object.keys(result), ['results', 'at', 'cursor', 'total', 'meta', 'tags'])
  assert.equal(['cursor', 'nope', 'toString'].map(name => name in result), [true, false, true])
  assert.is(JSON.parse(JSON.stringify(result)).results[1].title, 't2')
  assert.is({ ...result }.results, result.results)
  assert.is(String(result), '[object Object]')
  assert.throws(() => (result.cursor = 'x'), (error: unknown) => error instanceof PatchcordError && error.code === 'READ_ONLY')
  const names = watch(() => Object.keys(result).length)
  at.respond('page', page, { ...body, cursor: 'z' })
  assert.is(names.runs, 1)
  at.respond('page', page, { ...body, more: true })
  assert.equal([names.runs, names.last], [2, 7])
})

test('a member that must not be shown takes the object with it; a retained one keeps its values', () => {
  const at = new LiveStore()
  at.respond('page', page, { ...body, first: todo('1') })
  const root = watch(() => read(at))
  const result = root.last!
  const first = result.first
  at.remove(Todo, '2')
  assert.equal([root.runs, result.results.length], [1, 1])
  at.remove(Todo, '1')
  assert.equal([root.last, root.runs], [undefined, 2])
  assert.equal([result.cursor, result.first], ['a', undefined])
  at.write([Todo, todo('1')])
  assert.is(root.last, result)
  assert.is(result.first, first)
  at.forget('page')
  assert.equal([root.last, result.cursor, result.total], [undefined, 'a', 2])
})

test('a result without a schema is live too, as far as it is an object', () => {
  const at = new LiveStore()
  at.respond('plain', undefined, { a: { b: 1 }, c: 2 })
  at.respond('list', undefined, [1, 2])
  const result = at.live.result(undefined, 'plain') as { a: { b: number }; c: number }
  const a = watch(() => result.a)
  at.respond('plain', undefined, { a: { b: 1 }, c: 3 })
  assert.equal([a.runs, result.c], [1, 3])
  assert.equal(at.live.result(undefined, 'list'), [1, 2])
  assert.is(at.live.result(undefined, 'none'), undefined)
  assert.throws(() => (a.last.b = 2), TypeError)
})

test('a result that is an entity, or a list of them, is that', () => {
  const at = new LiveStore()
  at.respond('one', Todo, todo('1'))
  at.respond('many', [Todo], [todo('1'), todo('2')])
  at.respond('nested', new schema.Object({ list: [Todo] }), { list: [todo('2')] })
  const one = at.live.result(Todo, 'one')!
  const many = watch(() => at.live.result([Todo], 'many')!)
  assert.is(one, at.live.entity(Todo, '1'))
  assert.is(many.last[0], one)
  assert.is(at.live.result(new schema.Object({ list: [Todo] }), 'nested')!.list[0], many.last[1])
  at.write([Todo, { id: '1', done: true }])
  at.respond('many', [Todo], [todo('1', true), todo('2')])
  assert.is(many.runs, 1)
  at.respond('many', [Todo], [todo('2')])
  assert.equal([many.runs, many.last.length], [2, 1])
})

test('values are an object by name that changes with its members', () => {
  const prices = new schema.Values(Todo)
  const at = new LiveStore()
  at.respond('values', prices, { a: todo('1'), b: todo('2') })
  const values = watch(() => at.live.result(prices, 'values')!)
  const before = values.last
  assert.is(before['a'], at.live.entity(Todo, '1'))
  at.write([Todo, { id: '1', title: 'x' }])
  assert.is(values.runs, 1)
  at.remove(Todo, '2')
  assert.equal([Object.keys(values.last), values.runs], [['a'], 2])
  const collection = new schema.Collection(new schema.Values(Todo))
  at.write([collection, { x: todo('1') }])
  const named = watch(() => at.live.query(collection)!)
  at.write([collection.assign, { y: todo('3') }])
  assert.equal([Object.keys(named.last), named.runs], [['x', 'y'], 2])
})

test('rows are found by pk and by index, and only who asked for that value hears of it', () => {
  const at = new LiveStore()
  at.write([[User], [{ id: '1', name: 'Bob', email: 'b@x' }, { id: '2', name: 'Ann', email: 'a@x' }]])
  const bob = watch(() => at.live.query(User, [{ email: 'b@x' }])?.name)
  const zoe = watch(() => at.live.query(User, [{ email: 'z@x' }])?.name)
  assert.equal([bob.last, zoe.last], ['Bob', undefined])
  at.write([User, { id: '2', email: 'c@x' }])
  assert.equal([bob.fresh(), zoe.fresh()], [1, 1])
  at.write([User, { id: '1', email: 'z@x' }])
  assert.equal([bob.last, zoe.last, bob.fresh(), zoe.fresh()], [undefined, 'Bob', 1, 1])
  at.remove(User, '1')
  assert.equal([zoe.last, bob.fresh(), zoe.fresh()], [undefined, 0, 1])
})

test('a lazy field keeps the pks, and its query reads them', () => {
  const at = new LiveStore()
  at.write([User, { id: '1', friends: [{ id: '2', name: 'Ann' }, { id: '3', name: 'Zoe' }] }])
  const bob = at.live.entity(User, '1')!
  assert.equal(bob.friends, ['2', '3'])
  const names = watch(() => (at.live.query(friends.query, [bob.friends]) as User[] | undefined)?.map(user => user.name))
  assert.equal(names.last, ['Ann', 'Zoe'])
  at.write([User, { id: '3', name: 'Zoë' }])
  assert.equal(names.last, ['Ann', 'Zoë'])
  at.write([User, { id: '1', friends: ['3'] }])
  assert.equal(names.last, ['Zoë'])
})

test('a query computes from live objects, again only when what it read has changed', () => {
  const at = new LiveStore()
  let ran = 0
  const open = new schema.Query(all, todos => {
    ran++
    return todos.filter(each => !each.done)
  })
  at.write([[Todo], [todo('1'), todo('2', true), todo('3')]])
  const list = watch(() => at.live.query(open)!)
  const count = watch(() => at.live.query(open)!.length)
  const before = list.last
  assert.is(before[0], at.live.entity(Todo, '1'))
  assert.is(ran, 1)
  at.write([Todo, { id: '1', title: 'x' }])
  assert.is(ran, 1)
  // Another done one changes nothing of the result: it is computed, and nobody hears of it.
  at.write([Todo, todo('4', true)])
  assert.equal([ran, list.runs, count.runs], [2, 1, 1])
  assert.is(list.last, before)
  at.write([Todo, { id: '2', done: false }])
  assert.equal([ran, list.runs, count.last], [3, 2, 3])
  at.remove(Todo, '4')
  assert.equal([ran, list.runs], [4, 2])
})

test('a query takes arguments, and is not called without its input', () => {
  const at = new LiveStore()
  let ran = 0
  const sorted = new schema.Query(all, (todos: Todo[], by?: { desc?: boolean }) => {
    ran++
    return [...todos].sort((a, b) => (by?.desc ? -1 : 1) * a.title.localeCompare(b.title))
  })
  const up = watch(() => at.live.query(sorted))
  assert.equal([up.last, ran], [undefined, 0])
  at.write([[Todo], [todo('2'), todo('1')]])
  const down = watch(() => at.live.query(sorted, [{ desc: true }])!.map(each => each.id))
  assert.equal([up.last!.map(each => each.id), down.last], [['1', '2'], ['2', '1']])
  at.write([Todo, { id: '1', title: 'z' }])
  assert.equal([up.last!.map(each => each.id), down.last], [['2', '1'], ['1', '2']])
})

test('a join computes from all of its members, and only while all are there', () => {
  const at = new LiveStore()
  const join = new schema.Query({ user: User, todos: all }, ({ user, todos }) => `${user.name}: ${todos.filter(each => each.owner === user).length}`)
  const text = watch(() => at.live.query(join, [{ id: '1' }]))
  at.write([Todo, { ...todo('1'), owner: { id: '1', name: 'Bob' } }])
  assert.is(text.last, 'Bob: 1')
  at.write([Todo, { ...todo('2'), owner: '1' }])
  assert.is(text.last, 'Bob: 2')
  at.write([User, { id: '1', email: 'x' }])
  assert.is(text.runs, 3)
  at.write([User, { id: '1', name: 'Rob' }])
  assert.is(text.last, 'Rob: 2')
  at.remove(User, '1')
  assert.is(text.last, undefined)
})

test('a query in a field of an entity is a memo of its own', () => {
  let ran = 0
  class List extends Entity {
    id = ''
    title = ''
    todos: Todo[] = []
    static override key = 'List'
    static override schema: Fields = {
      todos: new schema.Query([Todo], todos => {
        ran++
        return todos.filter(each => !each.done)
      }),
    }
  }
  const at = new LiveStore()
  at.write([List, { id: 'l', todos: [todo('1'), todo('2', true)] }])
  const list = at.live.entity(List, 'l')!
  const open = watch(() => list.todos)
  const before = open.last
  assert.is(list.todos, before)
  at.write([List, { id: 'l', title: 'x' }])
  at.write([Todo, { id: '1', title: 'y' }])
  assert.equal([ran, open.runs], [1, 1])
  at.write([Todo, { id: '2', done: false }])
  assert.equal([ran, open.runs, open.last.length], [2, 2, 2])
  at.write([List, { id: 'l', todos: [todo('2'), todo('3', true)] }])
  assert.equal([open.last.map(each => each.id), ran], [['2'], 3])
})

test('what process throws reaches the reader, and the next change tries again', () => {
  const at = new LiveStore()
  const fragile = new schema.Query(all, todos => {
    if (todos.some(each => each.title === 'bad')) throw new Error('bad')
    return todos.length
  })
  at.write([Todo, { id: '1', title: 'bad' }])
  assert.throws(() => at.live.query(fragile), /bad/)
  assert.is(at.live.query(all)!.length, 1)
  at.write([Todo, { id: '1', title: 'good' }])
  assert.is(at.live.query(fragile), 1)
})

test.run()
