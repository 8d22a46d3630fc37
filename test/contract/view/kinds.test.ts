import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { All, Collection, Entity, Lazy, Query, Union, Values, type Fields, type Patch } from '../../../src/index.ts'
import { same } from '../../support/same.ts'
import { Bot, Todo, User } from './classes.ts'
import type { ViewClient } from './client.ts'
import { reached } from './sameView.ts'
import { Watch } from './watch.ts'
import { bothWays } from './ways.ts'

const test = suite('view: what wakes each kind of schema')

class Board extends Entity {
  id = ''
  todos: Todo[] = []
  groups: { first: Todo[]; second: Todo[] } | undefined = undefined
  dates: Date[] = []
  fans: string[] = []
  static override key = 'Board'
  static override schema = { todos: [Todo], groups: { first: [Todo], second: [Todo] }, dates: [Date], fans: new Lazy([User]) }
}

const all = new All(Todo)
const list = new Collection([Todo])
const anyone = new Union({ user: User, bot: Bot }, 'type')
const named = new Collection(new Values([Todo]))
const { fans } = Board.schema
const either = [anyone]
const people = new Values(User)
const grid = [[Todo]]
const pairs = [{ todo: Todo, n: 0 }]
const columns = [{ todos: [Todo] }]
const many = [Todo]

type Change = (at: ViewClient) => void
const write = (schema: unknown, input: unknown, ...args: unknown[]): Change => at => at.write(schema, input, args)
const respond = (schema: unknown, input: unknown, ...args: unknown[]): Change => at => at.respond('key', schema, input, args)
const remove = (entity: unknown, ...pks: string[]): Change => at => at.remove(entity, ...pks)
const add = (path: Patch['path'], value: unknown): Change => at => at.commit([{ op: 'add', path, value }])
/** A todo from its text. */
const row = (text: string): object => ({ id: text.split(' ')[0], title: text.split(' ')[1] ?? '' })
const todos = (...texts: string[]): object[] => texts.map(row)
const todo = (text: string): Change => write(Todo, row(text))
const board = (fields: object): Change => write(Board, { id: 'b', ...fields })
const open = new Query(all, (rows: readonly Todo[], wanted?: string) => rows.filter(({ title }) => title !== 'done' && (wanted ?? title) === title))
const result = (schema: unknown, ...args: unknown[]) => (at: ViewClient): unknown => at.result(schema, 'key', args)
const query = (schema: unknown, ...args: unknown[]) => (at: ViewClient): unknown => at.get(schema, ...args)

/**
 * What is read, and changes with what is shown then: an entity as its id and its fields. A change without a text leaves
 * everything as it is. Nothing is shown of an empty store.
 */
const histories: readonly (readonly [title: string, read: (at: ViewClient) => unknown, ...changes: (readonly [Change, shown?: unknown])[]])[] = [
  ['All wakes on arrival, change and deletion, and not on other tables', query(all),
    [write([Todo], todos('2', '1')), ['2', '1']],
    [write(User, { id: 'u' })],
    [todo('3'), ['2', '1', '3']],
    [todo('1 x'), ['2', '1 x', '3']],
    [remove(Todo, '1'), ['2', '3']],
    // A row that comes back comes back to its position.
    [todo('1'), ['2', '1', '3']],
    [remove(Todo, 'never')],
    [at => at.collect('Todo', 'never')],
    [remove(Todo, '1', '2', '3'), []]],
  ['All of a type that is only known to be deleted is empty, and not missing', query(all), [remove(Todo, '1'), []], [remove(Todo, '2')]],
  ['All of several types wakes on each of them, and keeps its list otherwise', query(new All({ user: User, bot: Bot }, 'type')),
    [write(Bot, { id: 'b' }), ['b']],
    [write(User, { id: 'u' }), ['u', 'b']],
    [remove(Bot, 'other')],
    [todo('1')],
    [write(Bot, { id: 'b', name: 'x' }), ['u', 'b x']],
    [remove(User, 'u'), ['b x']]],
  ['a Collection wakes on membership and order, and on nothing that it does not list', query(list, { user: '1' }),
    [write(list, todos('1', '2', '3'), { user: '1' }), ['1', '2', '3']],
    [write(list, todos('1', '2', '3'), { user: '1' })],
    [write(list, todos('2', '1', '3'), { user: '1' }), ['2', '1', '3']],
    [write(list.push, row('4'), { user: '1' }), ['2', '1', '3', '4']],
    [write(list.unshift, row('0'), { user: '1' }), ['0', '2', '1', '3', '4']],
    [write(list.remove, row('1'), { user: '1' }), ['0', '2', '3', '4']],
    [write(list.push, row('5'), { user: '2' })],
    [write(list, todos('9'), { user: '2' })],
    // What has left does not count.
    [todo('1 x')],
    [remove(Todo, '1')],
    [todo('2 y'), ['0', '2 y', '3', '4']],
    [remove(Todo, '3'), ['0', '2 y', '4']],
    // Another list is stored, and it shows the same.
    [write(list, todos('0', '2 y', '4'), { user: '1' })]],
  ['a list in a field leaves out who is not there, until they come', at => at.get<Board | undefined>(Board, 'b')?.todos,
    [write(Todo, { id: '1' })],
    [board({ todos: ['1', '2', null, '3'] }), ['1', null]],
    [remove(Todo, '2')],
    [todo('2'), ['1', '2', null]],
    [todo('3'), ['1', '2', null, '3']],
    [remove(Todo, '1', '3'), ['2', null]],
    [at => at.collect('Todo', '2'), [null]],
    [write([Todo], todos('3', '1')), ['1', null, '3']],
    [board({ todos: ['1', '9'] }), ['1']],
    [board({ todos: ['1', '8'] })],
    [remove(Todo, '8')],
    [board({ todos: ['1'] })],
    [remove(Todo, '3')],
    [board({ todos: ['1', '1'] }), ['1', '1']]],
  ['two lists of one object do not take each other’s array', at => at.get<Board | undefined>(Board, 'b')?.groups,
    [board({ groups: { first: todos('1'), second: todos('2') } }), { first: ['1'], second: ['2'] }],
    [board({ groups: { first: ['1'], second: ['2', '1'] } }), { first: ['1'], second: ['2', '1'] }],
    [board({ groups: { first: ['2', '1'], second: ['1'] } }), { first: ['2', '1'], second: ['1'] }],
    [board({ groups: { first: ['1'], second: ['1'] } }), { first: ['1'], second: ['1'] }],
    [todo('2 x')],
    [board({ groups: { first: ['1', '2'], second: [] } }), { first: ['1', '2 x'], second: [] }]],
  ['a list of deserialized values is the same until it changes', at => at.get<Board | undefined>(Board, 'b')?.dates,
    [board({ dates: ['2020-01-01', '2021-01-01'] }), ['2020-01-01', '2021-01-01']],
    [board({ dates: ['2020-01-01', '2021-01-01'] })],
    [board({ dates: ['2020-01-01', '2022-01-01'] }), ['2020-01-01', '2022-01-01']]],
  ['a lazy relation shows pks', at => at.get<Board | undefined>(Board, 'b')?.fans,
    [board({ fans: [{ id: 'u' }, { id: 'v' }] }), ['u', 'v']],
    [write(User, { id: 'u', name: 'x' })],
    [board({ fans: ['v'] }), ['v']]],
  ['the query of a lazy relation reads them', at => at.get(fans.query, at.get<Board | undefined>(Board, 'b')?.fans),
    [board({ fans: [{ id: 'u' }, { id: 'v' }] }), ['u', 'v']],
    [write(User, { id: 'u', name: 'x' }), ['u x', 'v']],
    [board({ fans: ['v'] }), ['v']]],
  ['a look-up by pk wakes when the row arrives, changes and goes', query(User, 'u'),
    [write(User, { id: 'v' })],
    [write(User, { id: 'u', name: 'ann' }), 'u ann'],
    [write(User, { id: 'u', name: 'bob' }), 'u bob'],
    [remove(User, 'u'), undefined]],
  ['a look-up by index wakes when its value moves', query(User, { name: 'bob' }),
    [write(User, { id: 'u', name: 'ann' })],
    [write(User, { id: 'w', name: 'eve' })],
    [write(User, { id: 'u', name: 'bob' }), 'u bob'],
    // The first by arrival; a second one is no change.
    [write(User, { id: 'v', name: 'bob' })],
    [write(User, { id: 'u', name: 'ann' }), 'v bob'],
    [write(User, { id: 'u', email: 'b' })],
    [remove(User, 'v'), undefined]],
  ['a Union follows the entity that it names, of either type', result(either),
    [respond(either, [{ id: '1', type: 'user', name: 'a' }, { id: '1', type: 'bot' }]), ['1 a user', '1 bot']],
    [write(Bot, { id: '2', name: 'b' })],
    [write(User, { id: '1', name: 'x' }), ['1 x user', '1 bot']],
    [remove(User, '1'), ['1 bot']],
    [respond(either, [{ id: '2', type: 'bot' }]), ['2 b bot']]],
  ['a Union is looked up in its first type that has the row', query(anyone, { id: '1' }),
    [write(Bot, { id: '1', name: 'b' }), '1 b'],
    [write(User, { id: '1', name: 'a' }), '1 a'],
    [remove(User, '1'), '1 b']],
  ['Values shows who is there, by name, and keeps itself otherwise', result(people),
    [respond(people, { a: { id: '1', name: 'x' }, b: { id: '2', name: 'y' } }), { a: '1 x', b: '2 y' }],
    [write(User, { id: '1', name: 'z' }), { a: '1 z', b: '2 y' }],
    [remove(User, '1'), { b: '2 y' }],
    [respond(people, { a: '1', b: '2' })],
    [respond(people, { a: '9', b: '2' })],
    [write(User, { id: '9' }), { a: '9', b: '2 y' }]],
  ['a Collection of values takes in more names, and a list among them is the same until it changes', query(named, {}),
    [write(named, { a: todos('1', '2'), b: todos('2', '3') }, {}), { a: ['1', '2'], b: ['2', '3'] }],
    [todo('3 x'), { a: ['1', '2'], b: ['2', '3 x'] }],
    [write(named.assign, { c: todos('4') }, {}), { a: ['1', '2'], b: ['2', '3 x'], c: ['4'] }],
    // A name that comes first.
    [add(['entities', named.key, '{}', '0'], ['2']), { a: ['1', '2'], b: ['2', '3 x'], c: ['4'], 0: ['2'] }]],
  ['lists of lists follow what they show', result(grid),
    [respond(grid, [todos('1', '2'), todos('2'), todos('3')]), [['1', '2'], ['2'], ['3']]],
    [todo('1 x'), [['1 x', '2'], ['2'], ['3']]],
    [remove(Todo, '1'), [['2'], ['2'], ['3']]],
    [add(['endpoints', 'key', 0], ['3', '2']), [['3', '2'], ['2'], ['2'], ['3']]]],
  ['objects and lists in a list keep theirs when another one changes, comes or goes', result(columns),
    [respond(columns, [{ n: 1, todos: todos('1') }, { n: 2, todos: todos('2') }]), [{ n: 1, todos: ['1'] }, { n: 2, todos: ['2'] }]],
    [todo('2 x'), [{ n: 1, todos: ['1'] }, { n: 2, todos: ['2 x'] }]],
    [add(['endpoints', 'key', 0], { n: 3, todos: ['2', '1'] }), [{ n: 3, todos: ['2 x', '1'] }, { n: 1, todos: ['1'] }, { n: 2, todos: ['2 x'] }]],
    [at => at.commit([{ op: 'remove', path: ['endpoints', 'key', 1] }]), [{ n: 3, todos: ['2 x', '1'] }, { n: 2, todos: ['2 x'] }]]],
  ['objects in a list that hold entities fall with those', result(pairs),
    [respond(pairs, [{ todo: { id: '1' }, n: 1 }, { todo: { id: '2' }, n: 2 }]), [{ todo: '1', n: 1 }, { todo: '2', n: 2 }]],
    [todo('1 x'), [{ todo: '1 x', n: 1 }, { todo: '2', n: 2 }]],
    [remove(Todo, '1'), [{ todo: '2', n: 2 }]]],
  ['Query wakes when the members of its result change', query(open),
    [write([Todo], todos('1 a', '2 b', '3 done')), ['1 a', '2 b']],
    [write(User, { id: 'u' })],
    [todo('4 done')],
    [todo('1 c'), ['1 c', '2 b']],
    [todo('3 d'), ['1 c', '2 b', '3 d']],
    [remove(Todo, '4')],
    [todo('2 done'), ['1 c', '3 d']]],
  ['a Query takes the arguments of who asked', query(open, 'a'),
    [write([Todo], todos('1 a', '2 b', '3 a')), ['1 a', '3 a']],
    [todo('2 c')],
    [todo('1 b'), ['3 a']]],
  ['a joined Query waits for all of its inputs, and looks at each', query(new Query({ user: User, todos: all }, ({ todos, user }) => `${user.name} ${todos.length}`), { id: 'u' }),
    [todo('1')],
    [write(User, { id: 'u', name: 'a' }), 'a 1'],
    [todo('2'), 'a 2'],
    [write([User], [{ id: 'v', name: 'b' }, { id: 'u', email: 'x' }])],
    [write(User, { id: 'u', name: 'b' }), 'b 2'],
    [remove(User, 'u'), undefined]],
  ['a Query of one entity wakes with what it makes of it', query(new Query(User, (user: User) => user.name.toUpperCase()), 'u'),
    [write(User, { id: 'u', name: 'a' }), 'A'],
    [write(User, { id: 'u', email: 'x' })],
    [write(User, { id: 'u', name: 'A' })]],
  ['a query that has found nothing, and says so with null, shows what it finds later', query(new Query(all, rows => rows.find(each => each.title === 'b') ?? null)),
    [todo('1 a'), null],
    [todo('2 b'), '2 b'],
    [remove(Todo, '2'), null],
    [todo('3 c')]],
  ['an endpoint wakes when its result comes, changes and goes', result(many),
    [respond(many, todos('1', '2')), ['1', '2']],
    [respond(many, todos('1', '2'))],
    [at => at.respond('other', many, todos('3'))],
    [respond(many, todos('2')), ['2']],
    [at => at.forget('key'), undefined]],
  ['what a creation answers is shown as one entity', result(list.push, {}),
    [write(list, todos('1'), {})],
    [respond(list.push, { id: '2', title: 'a' }, {}), '2 a'],
    [todo('2 b'), '2 b']],
]

/** A view as text. Without fields an entity is its class and id. */
function spell(view: unknown, hasFields: boolean): unknown {
  if (view instanceof Date) return view.toISOString().slice(0, 10)
  if (Array.isArray(view)) return view.map(each => spell(each, hasFields))
  if (typeof view !== 'object' || view === null) return view
  if (!(view instanceof Entity)) return Object.fromEntries(Object.entries(view).map(([name, member]) => [name, spell(member, hasFields)]))
  return hasFields ? Object.values(view).filter(Boolean).join(' ') : `${view.constructor.name} ${view.pk()}`
}

/** What shows the same is the same object: entities wherever they are, lists and objects where they were, from the front or the end. */
function checkReused(before: unknown, after: unknown, spell: (view: unknown) => unknown): void {
  const name = (entity: object): string => `${entity.constructor.name} ${spell(entity)}`
  const entities = (view: unknown): Entity[] => [...reached(view)].filter(each => each instanceof Entity)
  const known = new Map(entities(before).map(entity => [name(entity), entity]))
  for (const entity of entities(after)) assert.is(entity, known.get(name(entity)) ?? entity)
  const checkParts = (old: unknown, next: unknown): void => {
    if (typeof old !== 'object' || typeof next !== 'object' || old === null || next === null || old instanceof Entity || old instanceof Date) return
    if (same(spell(old), spell(next))) assert.is(next, old)
    else if (Array.isArray(old) && Array.isArray(next)) {
      const isFront = same(spell(old[0]), spell(next[0]))
      old.forEach((member, i) => checkParts(member, next.at(isFront ? i : i - old.length)))
    } else for (const name of Object.keys(old)) checkParts((old as Fields)[name], (next as Fields)[name])
  }
  checkParts(before, after)
}

for (const [title, read, ...changes] of histories) {
  bothWays(test, title, (at, way) => {
    // A live object is the same, and the effect that shows it is not woken, whatever its fields are.
    const shape = (view: unknown): unknown => spell(view, way === 'snapshots')
    const view = new Watch(() => read(at))
    const text = new Watch(() => spell(read(at), true))
    assert.is(view.last, undefined)
    for (const [change, ...shown] of changes) {
      const before = { runs: [view.fresh(), text.fresh()], view: view.last, shape: shape(view.last), text: text.last }
      change(at)
      assert.equal(text.last, shown.length > 0 ? shown[0] : before.text)
      const runs = [same(shape(view.last), before.shape) ? 0 : 1, same(text.last, before.text) ? 0 : 1]
      assert.equal([view.fresh(), text.fresh()], runs, 'runs')
      assert.is(read(at), view.last)
      checkReused(before.view, view.last, shape)
    }
    assert.equal(at.errors, [])
  })
}

test.run()
