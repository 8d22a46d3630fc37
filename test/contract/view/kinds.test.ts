import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { All, Collection, Entity, Query, Union, Values } from '../../../src/index.ts'
import { World } from './world.ts'

const test = suite('view: what wakes each kind of schema')

class Todo extends Entity {
  id = ''
  title = ''
  done = false
  static override key = 'Todo'
}

class User extends Entity {
  id = ''
  name = ''
  email = ''
  static override key = 'User'
  static override indexes = ['name', 'email']
}

class Bot extends Entity {
  id = ''
  name = ''
  static override key = 'Bot'
}

const ids = (rows: readonly { id: string }[] | undefined): string[] | undefined => rows?.map(row => row.id)
const todo = (id: string, title = '', done = false): object => ({ id, title, done })

test('All wakes on arrival, change and deletion, and not on other tables', () => {
  const world = new World()
  const all = world.watch<Todo[] | undefined>(new All(Todo))
  assert.is(all.last, undefined)
  world.write([Todo], [todo('2'), todo('1')])
  assert.equal(ids(all.last), ['2', '1'])
  const [two] = all.last!
  assert.is(all.during(() => world.write(User, { id: 'u' })), 0)
  world.write(Todo, todo('3'))
  assert.equal(ids(all.last), ['2', '1', '3'])
  assert.is(all.last![0], two)
  world.write(Todo, { id: '1', title: 'x' })
  assert.is(all.last![1]!.title, 'x')
  world.remove(Todo, '1')
  assert.equal(ids(all.last), ['2', '3'])
  // A row that comes back comes back to its position.
  world.write(Todo, todo('1'))
  assert.equal(ids(all.last), ['2', '1', '3'])
  world.remove(Todo, '1', '2', '3')
  assert.equal(all.last, [])
  assert.is(all.runs, 7)
})

test('All of a type that is only known to be deleted is empty, and not missing', () => {
  const world = new World()
  const all = world.watch(new All(Todo))
  world.remove(Todo, '1')
  assert.equal(all.seen, [undefined, []])
  assert.is(all.during(() => world.remove(Todo, '2')), 0)
})

test('All of several types wakes on each of them, and keeps its list otherwise', () => {
  const world = new World()
  const all = world.watch<{ id: string }[] | undefined>(new All({ user: User, bot: Bot }, 'type'))
  world.write(Bot, { id: 'b' })
  world.write(User, { id: 'u' })
  assert.equal(ids(all.last), ['u', 'b'])
  const before = all.last
  assert.is(all.during(() => world.remove(Bot, 'other')), 0)
  assert.is(world.get(Todo, '1'), undefined)
  assert.is(all.last, before)
  world.remove(User, 'u')
  assert.equal(ids(all.last), ['b'])
})

test('Query runs only when its input changed, and keeps a result with the same members', () => {
  const world = new World()
  let runs = 0
  const open = new Query(new All(Todo), (todos: readonly Todo[], title?: string) => {
    runs++
    return todos.filter(each => !each.done && (title === undefined || each.title === title))
  })
  const watch = world.watch<Todo[] | undefined>(open)
  const titled = world.watch<Todo[] | undefined>(open, 'a')
  assert.is(runs, 0)
  world.write([Todo], [todo('1', 'a'), todo('2', 'b'), todo('3', 'a', true)])
  assert.is(runs, 2)
  assert.equal(ids(watch.last), ['1', '2'])
  assert.equal(ids(titled.last), ['1'])
  world.write(Todo, todo('3', 'c', true))
  // Both looked at the changed one, and neither shows it.
  assert.is(runs, 4)
  assert.equal([watch.runs, titled.runs], [2, 2])
  world.get(open)
  world.write(User, { id: 'u' })
  assert.is(runs, 4)
  world.write(Todo, todo('1', 'b'))
  assert.equal([watch.runs, titled.runs], [3, 3])
  assert.equal(titled.last, [])
})

test('a joined Query waits for all of its inputs, and looks at each', () => {
  const world = new World()
  let runs = 0
  const both = new Query({ user: User, todos: new All(Todo) }, ({ todos, user }) => {
    runs++
    return `${user.name} ${todos.length}`
  })
  const watch = world.watch(both, { id: 'u' })
  world.write(Todo, todo('1'))
  assert.is(runs, 0)
  world.write(User, { id: 'u', name: 'a' })
  assert.is(watch.last, 'a 1')
  world.write(Todo, todo('2'))
  assert.is(watch.last, 'a 2')
  assert.is(runs, 2)
  world.write(User, { id: 'v', name: 'b' })
  assert.is(runs, 2)
  world.remove(User, 'u')
  assert.is(watch.last, undefined)
  assert.is(runs, 2)
})

test('a Query of one entity wakes with what it makes of it', () => {
  const world = new World()
  const upper = new Query(User, (user: User) => user.name.toUpperCase())
  const watch = world.watch(upper, 'u')
  assert.is(watch.last, undefined)
  world.write(User, { id: 'u', name: 'a' })
  assert.is(watch.last, 'A')
  assert.is(watch.during(() => world.write(User, { id: 'u', email: 'x' })), 0)
  assert.is(watch.during(() => world.write(User, { id: 'u', name: 'A' })), 0)
})

test('a Query does not run again when it is found again by other means', () => {
  const world = new World()
  let runs = 0
  const named = new Query(User, (user: User) => {
    runs++
    return { id: user.id }
  })
  world.write(User, { id: 'u', name: 'bob' })
  const watch = world.watch<{ id: string }>(named, { name: 'bob' })
  // A second one of that name, and then a third, are no change of the first.
  world.write([User], [{ id: 'v', name: 'bob' }, { id: 'w', name: 'bob' }])
  assert.equal([runs, watch.runs], [1, 1])
  world.write(User, { id: 'u', email: 'x' })
  assert.equal([runs, watch.runs], [2, 1])
})

test('a list of queries gives each the arguments of who asked', () => {
  const world = new World()
  const signed = new Query(User, (user: User, by: string) => `${user.name} by ${by}`)
  world.respond('list', [signed], [{ id: '1', name: 'a' }, { id: '2', name: 'b' }])
  const watch = world.watchResult([signed], 'list', ['me'])
  assert.equal(watch.last, ['a by me', 'b by me'])
})

test('a Collection wakes on membership and order, and on nothing that it does not list', () => {
  const world = new World()
  const list = new Collection([Todo])
  const watch = world.watch<Todo[] | undefined>(list, { user: '1' })
  assert.is(watch.last, undefined)
  world.write(list, [todo('1'), todo('2'), todo('3')], [{ user: '1' }])
  const [one, two, three] = watch.last!
  world.write(list, [todo('2'), todo('1'), todo('3')], [{ user: '1' }])
  assert.equal(watch.last, [two, one, three])
  world.write(list.push, todo('4'), [{ user: '1' }])
  world.write(list.unshift, todo('0'), [{ user: '1' }])
  assert.equal(ids(watch.last), ['0', '2', '1', '3', '4'])
  world.write(list.remove, todo('1'), [{ user: '1' }])
  assert.equal(ids(watch.last), ['0', '2', '3', '4'])
  assert.is(watch.during(() => world.write(list.push, todo('5'), [{ user: '2' }])), 0)
  assert.is(watch.during(() => world.write(Todo, todo('1', 'x'))), 0)
  assert.is(watch.during(() => world.write(list, [todo('9')], [{ user: '2' }])), 0)
  world.remove(Todo, '3')
  assert.equal(ids(watch.last), ['0', '2', '4'])
  assert.is(watch.last![1], two)
})

test('what a creation answers is shown as one entity', () => {
  const world = new World()
  const list = new Collection([Todo])
  world.write(list, [todo('1')], [{}])
  world.respond('created', list.push, todo('2', 'a'), [{}])
  const watch = world.watchResult<Todo>(list.push, 'created', [{}])
  assert.is(watch.last.title, 'a')
  world.write(Todo, todo('2', 'b'))
  assert.is(watch.last.title, 'b')
  assert.is(watch.last, world.get<Todo[]>(list, {})[1])
})

test('a look-up by pk wakes when the row arrives, and one by index when its value moves', () => {
  const world = new World()
  const byPk = world.watch<User | undefined>(User, 'u')
  const byName = world.watch<User | undefined>(User, { name: 'bob' })
  world.write(User, { id: 'u', name: 'ann', email: 'a' })
  assert.is(byPk.last!.name, 'ann')
  assert.is(byName.last, undefined)
  assert.is(byName.during(() => world.write(User, { id: 'w', name: 'eve' })), 0)
  world.write(User, { id: 'u', name: 'bob' })
  assert.is(byName.last, byPk.last)
  world.write(User, { id: 'v', name: 'bob' })
  // The first by arrival; a second one is no change.
  assert.is(byName.runs, 2)
  world.write(User, { id: 'u', name: 'ann' })
  assert.is(byName.last!.id, 'v')
  assert.is(byName.during(() => world.write(User, { id: 'u', email: 'b' })), 0)
  world.remove(User, 'v')
  assert.is(byName.last, undefined)
  assert.is(byPk.last!.email, 'b')
})

test('a Union follows the entity that it names, of either type', () => {
  const world = new World()
  const anyone = new Union({ user: User, bot: Bot }, 'type')
  world.respond('one', { by: anyone }, { by: { id: '1', type: 'user', name: 'a' } })
  const one = world.watchResult<{ by: User | Bot | undefined }>({ by: anyone }, 'one')
  const asked = world.watch<User | Bot | undefined>(anyone, { id: '1' })
  assert.is(asked.last, one.last.by)
  assert.is(one.during(() => world.write(Bot, { id: '1', name: 'b' })), 0)
  world.write(User, { id: '1', name: 'x' })
  assert.is(one.last.by!.name, 'x')
  world.remove(User, '1')
  assert.is(one.last, undefined)
  assert.is(asked.last, world.get(Bot, '1'))
  world.respond('one', { by: anyone }, { by: { id: '1', type: 'bot' } })
  assert.is(one.last.by, asked.last)
})

test('Values shows who is there, by name, and keeps itself otherwise', () => {
  const world = new World()
  const people = new Values(User)
  world.respond('map', people, { a: { id: '1', name: 'x' }, b: { id: '2', name: 'y' } })
  const map = world.watchResult<{ [name: string]: User }>(people, 'map')
  const { b } = map.last
  world.write(User, { id: '1', name: 'z' })
  assert.is(map.last['a']!.name, 'z')
  assert.is(map.last['b'], b)
  world.remove(User, '1')
  assert.equal(Object.keys(map.last), ['b'])
  assert.is(map.during(() => world.respond('map', people, { a: '1', b: '2' })), 0)
  assert.is(map.during(() => world.respond('map', people, { a: '9', b: '2' })), 0)
  world.write(User, { id: '9' })
  assert.equal(Object.keys(map.last), ['a', 'b'])
})

test('an endpoint wakes when its result comes, changes and goes', () => {
  const world = new World()
  const list = { items: [Todo], total: 0 }
  const watch = world.watchResult<{ items: Todo[]; total: number } | undefined>(list, 'GET /todos')
  assert.is(watch.last, undefined)
  world.respond('GET /todos', list, { items: [todo('1')], total: 1 })
  const before = watch.last!
  assert.equal([ids(before.items), before.total], [['1'], 1])
  world.respond('GET /todos', list, { items: [todo('1')], total: 2 })
  assert.is(watch.last!.items, before.items)
  assert.is(watch.last!.total, 2)
  assert.is(watch.during(() => world.respond('GET /other', list, { items: [], total: 0 })), 0)
  world.commit([{ op: 'remove', path: ['endpoints', 'GET /todos'] }])
  assert.is(watch.last, undefined)
})

test('many lists under one owner are found again', () => {
  const world = new World()
  const lists = new Values([Todo])
  const input = (from: number): object =>
    Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`l${i}`, [todo(`${i}`), todo(`${i === 5 ? from : i + 1}`)]]))
  world.respond('lists', lists, input(6))
  const watch = world.watchResult<{ [name: string]: Todo[] }>(lists, 'lists')
  const before = watch.last
  world.write(Todo, todo('20', 'x'))
  const changed = Object.keys(before).filter(name => watch.last[name] !== before[name])
  assert.equal(changed, ['l19', 'l20'])
})

test('a list among many entities is found again, and so are the members of one that changed', () => {
  const world = new World()
  const names = Array.from({ length: 30 }, (_, i) => `u${i}`)
  const shape = { ...Object.fromEntries(names.map(name => [name, User])), first: [Todo], second: [Todo] }
  const users = Object.fromEntries(names.map(name => [name, { id: name }]))
  world.respond('mixed', shape, { ...users, first: [todo('1')], second: [todo('2'), todo('3')] })
  const watch = world.watchResult<{ first: Todo[]; second: Todo[] }>(shape, 'mixed')
  const before = watch.last
  world.write(User, { id: 'u7', name: 'other' })
  assert.is.not(watch.last, before)
  assert.is(watch.last.first, before.first)
  assert.is(watch.last.second, before.second)
  world.respond('mixed', shape, { ...users, first: [todo('1')], second: [todo('2'), todo('3'), todo('4')] })
  assert.is(watch.last.first, before.first)
  assert.equal(ids(watch.last.second), ['2', '3', '4'])
  assert.is(watch.last.second[0], before.second[0])
})

test.run()
