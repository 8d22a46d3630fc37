import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Entity, schema, type Fields } from '../../../src/index.ts'
import { LiveStore, watch } from './liveStore.ts'

const test = suite('live lists')

class Todo extends Entity {
  id = ''
  title = ''
  done = false
  static override key = 'Todo'
}

class Board extends Entity {
  id = ''
  todos: Todo[] = []
  pinned: Todo[] = []
  groups: { first: Todo[]; second: Todo[]; name: string } | undefined = undefined
  dates: Date[] = []
  static override key = 'Board'
  static override schema: Fields = { todos: [Todo], pinned: new schema.Array(Todo), groups: { first: [Todo], second: [Todo] }, dates: [Date] }
}

const all = new schema.All(Todo)
const todos = new schema.Collection([Todo])
const items = (...ids: string[]): object[] => ids.map(id => ({ id, title: `t${id}` }))
const titles = (list: readonly Todo[] | undefined): string | undefined => list?.map(todo => todo.title).join()

test('a list is the same array until a member comes, goes or moves, and then has the same live objects', () => {
  const at = new LiveStore()
  at.write([todos, items('1', '2', '3')])
  const list = watch(() => at.live.query(todos)!)
  const first = list.last
  const [one, two, three] = first
  assert.ok(Object.isFrozen(first))
  at.write([Todo, { id: '2', title: 'new', done: true }])
  at.write([todos, items('1', '2', '3')])
  assert.is(list.runs, 1)
  assert.is(at.live.query(todos), first)
  at.write([todos, items('3', '1', '2')])
  assert.is(list.runs, 2)
  assert.is.not(list.last, first)
  assert.equal(list.last.map(todo => [one, two, three].indexOf(todo)), [2, 0, 1])
  at.write([todos.push, { id: '4', title: 't4' }])
  assert.is(list.runs, 3)
  assert.is(list.last[0], three)
  assert.is(list.last[3], at.live.entity(Todo, '4'))
  at.write([todos.remove, { id: '1' }])
  assert.equal(list.last.map(todo => todo.id), ['3', '2', '4'])
})

test('an array that was handed out never changes', () => {
  const at = new LiveStore()
  at.write([todos, items('1', '2')])
  const before = at.live.query(todos)!
  at.write([todos.unshift, { id: '0' }])
  assert.is(before.length, 2)
  assert.throws(() => (before as Todo[]).push(before[0]!), /object is not extensible|read.?only|Cannot add/i)
})

test('members that are not there, or are deleted, are left out until they come', () => {
  const at = new LiveStore()
  at.write([Board, { id: 'b', todos: ['1', '2', null, '3'] }], [[Todo], items('1', '3')])
  const board = at.live.entity(Board, 'b')!
  const list = watch(() => board.todos.map(todo => todo && todo.id))
  assert.equal(list.last, ['1', null, '3'])
  at.write([Todo, { id: '2' }])
  assert.equal(list.last, ['1', '2', null, '3'])
  at.remove(Todo, '1', '3')
  assert.equal([list.last, list.runs], [['2', null], 3])
  at.collect('Todo', '2')
  assert.equal(list.last, [null])
  at.write([[Todo], items('3', '1')])
  assert.equal([list.last, list.runs], [['1', null, '3'], 5])
})

test('a member that is deleted without ever having been there wakes no list', () => {
  const at = new LiveStore()
  at.write([Board, { id: 'b', todos: ['1', '2'] }], [[Todo], items('1')])
  const board = at.live.entity(Board, 'b')!
  const list = watch(() => board.todos)
  at.remove(Todo, '2')
  assert.is(list.runs, 1)
  at.write([Todo, { id: '2' }])
  assert.equal([list.last.length, list.runs], [2, 2])
})

test('a stored list that changes without showing other members keeps its array', () => {
  const at = new LiveStore()
  at.write([todos, items('1', '2', '3')])
  at.remove(Todo, '2')
  const before = at.live.query(todos)
  const list = watch(() => at.live.query(todos))
  at.write([todos, [{ id: '1' }, { id: '3' }]])
  assert.is(list.last, before)
  assert.is(list.runs, 1)
})

test('a member that left the list does not wake it any more', () => {
  const at = new LiveStore()
  at.write([todos, items('1', '2', '3')], [Board, { id: 'b', todos: ['1', '2', '3'] }])
  const board = at.live.entity(Board, 'b')!
  const list = watch(() => at.live.query(todos))
  const field = watch(() => board.todos)
  const left = at.live.entity(Todo, '2')
  at.write([todos, [{ id: '1' }, { id: '3' }]], [Board, { id: 'b', todos: ['1', '3'] }])
  assert.equal([list.fresh(), field.fresh()], [2, 2])
  at.remove(Todo, '2')
  at.write([Todo, { id: '2' }])
  assert.equal([list.fresh(), field.fresh()], [0, 0])
  assert.is(at.live.entity(Todo, '2'), left)
  at.remove(Todo, '3')
  assert.equal([list.fresh(), field.fresh()], [1, 1])
})

test('fields that hold lists: each with its own array, distinguished', () => {
  const at = new LiveStore()
  at.write([Board, { id: 'b', todos: items('1', '2'), pinned: items('2'), groups: { first: items('1'), second: items('2', '1'), name: 'g' } }])
  const board = at.live.entity(Board, 'b')!
  const [many, pinned, first, second, name] = [
    watch(() => board.todos),
    watch(() => board.pinned),
    watch(() => board.groups!.first),
    watch(() => board.groups!.second),
    watch(() => board.groups!.name),
  ]
  assert.is(board.todos, many.last)
  assert.is(board.groups, board.groups)
  assert.is(board.groups!.second[1], board.todos[0])
  const before = { many: many.last, first: first.last, second: second.last }
  at.write([Board, { id: 'b', pinned: items('2', '1') }])
  assert.equal([many, pinned, first, second].map(each => each.runs), [1, 2, 1, 1])
  assert.is(board.todos, before.many)
  // A nested object is one field: all who read it hear of it, and what it shows unchanged is the same.
  at.write([Board, { id: 'b', groups: { first: items('1'), second: items('2'), name: 'g' } }])
  assert.is(first.last, before.first)
  assert.is.not(second.last, before.second)
  assert.is(second.last[0], board.todos[1])
  assert.is(name.last, 'g')
  assert.is(many.runs, 1)
})

test('the two lists of one field do not take each other’s array when they swap', () => {
  const at = new LiveStore()
  at.write([Board, { id: 'b', groups: { first: items('1'), second: items('2'), name: '' } }])
  const board = at.live.entity(Board, 'b')!
  const ids = (): string => `${board.groups!.first.map(todo => todo.id).join()}|${board.groups!.second.map(todo => todo.id).join()}`
  assert.is(ids(), '1|2')
  at.write([Board, { id: 'b', groups: { first: items('2'), second: items('1'), name: '' } }])
  assert.is(ids(), '2|1')
  at.write([Board, { id: 'b', groups: { first: items('2'), second: items('2'), name: '' } }])
  assert.is(ids(), '2|2')
  at.write([Board, { id: 'b', groups: { first: items('1', '2'), second: [], name: '' } }])
  assert.is(ids(), '1,2|')
})

test('a list of deserialized values is the same until it changes', () => {
  const at = new LiveStore()
  at.write([Board, { id: 'b', dates: ['2020-01-01', '2021-01-01'] }])
  const board = at.live.entity(Board, 'b')!
  const dates = watch(() => board.dates)
  assert.is(board.dates, dates.last)
  assert.is(board.dates[0]!.getUTCFullYear(), 2020)
  at.write([Board, { id: 'b', todos: items('1') }])
  assert.is(board.dates, dates.last)
  assert.is(dates.runs, 1)
})

test('All shows every row in the order of arrival, and wakes when one comes or goes', () => {
  const at = new LiveStore()
  const list = watch(() => at.live.query(all))
  assert.is(list.last, undefined)
  at.write([[Todo], items('2', '1')])
  assert.equal([titles(list.last), list.fresh()], ['t2,t1', 2])
  at.write([Todo, { id: '1', title: 'x' }], [Board, { id: 'b' }])
  assert.is(list.fresh(), 0)
  at.remove(Todo, '2')
  assert.equal([titles(list.last), list.fresh()], ['x', 1])
  at.write([[Todo], items('3', '2')])
  assert.equal([titles(list.last), list.fresh()], ['t2,x,t3', 1])
  at.remove(Todo, '1', '2', '3')
  assert.equal([list.last, list.fresh()], [[], 1])
})

test('All is not woken by the deletion of a row that was never there, nor when that is forgotten', () => {
  class Desk extends Entity {
    id = ''
    all: Todo[] = []
    static override key = 'Desk'
    static override schema = { all }
  }
  const at = new LiveStore()
  at.write([Desk, { id: 'd', all: items('1') }])
  const desk = at.live.entity(Desk, 'd')!
  const list = watch(() => desk.all.length)
  at.remove(Todo, '2')
  at.collect('Todo', '2')
  assert.is(list.runs, 1)
  at.remove(Todo, '1')
  assert.equal([list.last, list.runs], [0, 2])
})

test('an empty table that learns of a deletion is known, and empty', () => {
  const at = new LiveStore()
  const list = watch(() => at.live.query(all))
  at.remove(Todo, 'never')
  assert.equal([list.last, list.runs], [[], 2])
})

test('All of several types is one list', () => {
  class Note extends Entity {
    id = ''
    text = ''
    static override key = 'Note'
  }
  const both = new schema.All({ todo: Todo, note: Note }, 'type')
  const at = new LiveStore()
  const list = watch(() => at.live.query(both) as (Todo | Note)[] | undefined)
  at.write([[Todo], items('1')])
  at.write([[Note], [{ id: 'n' }]])
  assert.equal(list.last!.map(each => each.constructor.name), ['Todo', 'Note'])
  const before = list.last
  at.write([Note, { id: 'n', text: 'x' }])
  assert.is(at.live.query(both), before)
  assert.is(list.runs, 3)
})

test('lists of a union resolve to the live objects of their types', () => {
  class Text extends Entity {
    id = ''
    type = 'text'
    body = ''
    static override key = 'Text'
  }
  class Image extends Entity {
    id = ''
    type = 'image'
    url = ''
    static override key = 'Image'
  }
  const feed = new schema.Collection([new schema.Union({ text: Text, image: Image }, 'type')])
  const at = new LiveStore()
  const quiet = console.warn
  console.warn = () => {}
  at.write([feed, [{ id: '1', type: 'text', body: 'a' }, { id: '1', type: 'image', url: 'u' }]])
  at.write([feed.push, { id: '2', type: 'text', body: 'b' }])
  console.warn = quiet
  const list = watch(() => at.live.query(feed) as (Text | Image)[])
  const [text, image, second] = list.last
  assert.ok(text instanceof Text && image instanceof Image)
  assert.is(text, at.live.entity(Text, '1'))
  at.write([Text, { id: '1', body: 'c' }])
  assert.is(list.runs, 1)
  at.remove(Image, '1')
  assert.equal(list.last, [text, second])
  assert.is(list.runs, 2)
})

test('lists of lists, and of objects that hold entities, follow what they show', () => {
  const grid = [[Todo]]
  const paired = [{ todo: Todo, n: 0 }]
  const at = new LiveStore()
  at.respond('grid', grid, [items('1', '2'), items('2')])
  at.respond('pairs', paired, [{ todo: { id: '1' }, n: 1 }, { todo: { id: '2' }, n: 2 }])
  const rows = watch(() => at.live.result(grid, 'grid') as Todo[][])
  const pairs = watch(() => at.live.result(paired, 'pairs') as { todo: Todo; n: number }[])
  assert.equal(rows.last.map(row => row.map(todo => todo.id)), [['1', '2'], ['2']])
  assert.equal(pairs.last.map(pair => [pair.todo.id, pair.n]), [['1', 1], ['2', 2]])
  at.write([Todo, { id: '1', title: 'x' }])
  assert.equal([rows.runs, pairs.runs], [1, 1])
  const second = rows.last[1]
  at.remove(Todo, '1')
  assert.equal(rows.last.map(row => row.map(todo => todo.id)), [['2'], ['2']])
  assert.equal(pairs.last.map(pair => pair.n), [2])
  assert.is(rows.last[1], second)
  assert.equal([rows.runs, pairs.runs], [2, 2])
})

test('a list of 10,000 that gets one more looks up one', () => {
  const at = new LiveStore()
  const ids = Array.from({ length: 10_000 }, (_, i) => `${i}`)
  at.write([todos, items(...ids)])
  const list = watch(() => at.live.query(todos)!)
  const before = list.last
  at.write([todos.unshift, { id: 'new' }])
  assert.is(list.last.length, 10_001)
  assert.ok(before.every((todo, i) => list.last[i + 1] === todo))
})

test('one stored collection is one array, nested or at the top', () => {
  const at = new LiveStore()
  class Owner extends Entity {
    id = ''
    todos: Todo[] = []
    static override key = 'Owner'
    static override schema = { todos: new schema.Collection([Todo], { nestKey: (parent: { id: string }) => ({ owner: parent.id }) }) }
  }
  at.write([Owner, { id: 'o', todos: items('1', '2') }])
  at.write([todos, items('1', '2'), [{ owner: 'o' }]])
  const owner = at.live.entity(Owner, 'o')!
  const [nested, top] = [watch(() => owner.todos), watch(() => at.live.query(todos, [{ owner: 'o' }])!)]
  assert.is(nested.last, top.last)
  at.write([todos.push, { id: '3' }, [{ owner: 'o' }]])
  assert.is(nested.last, top.last)
  assert.equal([nested.runs, top.runs, top.last.length], [2, 2, 3])
})

test.run()
