import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { All, Entity, Query, Values } from '../../../src/index.ts'
import type { Fields } from '../../../src/index.ts'
import { Todo, User } from './classes.ts'
import { Watch } from './watch.ts'
import { bothWays } from './ways.ts'
import { World } from './world.ts'

const test = suite('view: what queries make')

bothWays(test, 'a Query runs only when its input changed, once for all who ask the same, and not without its input', (at, way) => {
  let ran = 0
  const named = new Query(new All(User), users => {
    ran++
    return users.filter(user => user.name !== '')
  })
  const [list, count] = [at.watch<User[]>(named), new Watch(() => at.get<User[] | undefined>(named)?.length)]
  const follow = (change: () => void, runs: number, expected: number): void => {
    const before = [ran, list.fresh(), count.fresh()]
    change()
    at.get(named)
    assert.equal([ran - before[0]!, count.last], [runs, expected])
  }
  assert.equal([ran, count.last], [0, undefined])
  follow(() => at.write([User], [{ id: '1', name: 'a' }, { id: '2' }, { id: '3', name: 'c' }]), 1, 2)
  const before = list.last
  assert.is(before[0], at.get(User, '1'))
  follow(() => at.write(Todo, { id: '1' }), 0, 2)
  // Snapshots are made from whole rows, live objects from the fields that were read.
  follow(() => at.write(User, { id: '2', email: 'x' }), way === 'snapshots' ? 1 : 0, 2)
  // It runs, and finds the same.
  follow(() => at.write(User, { id: '4' }), 1, 2)
  assert.equal([list.fresh(), count.fresh(), list.last === before], [0, 0, true])
  follow(() => at.write(User, { id: '2', name: 'b' }), 1, 3)
  assert.equal([list.fresh(), count.fresh()], [1, 1])
  follow(() => at.remove(User, '4'), 1, 3)
  assert.is(list.fresh(), 0)
})

test('a Query does not run again when it is found again by other means', () => {
  const world = new World()
  let ran = 0
  const named = new Query(User, (user: User) => {
    ran++
    return { id: user.id }
  })
  world.write(User, { id: 'u', name: 'bob' })
  const watch = world.watch(named, { name: 'bob' })
  // A second one of that name, and then a third, are no change of the first.
  world.write([User], [{ id: 'v', name: 'bob' }, { id: 'w', name: 'bob' }])
  assert.equal([ran, watch.runs], [1, 1])
  world.write(User, { id: 'u', email: 'x' })
  assert.equal([ran, watch.runs], [2, 1])
})

bothWays(test, 'a list of queries gives each the arguments of who asked', at => {
  const signed = [new Query(User, (user: User, by: string) => `${user.name} by ${by}`)]
  at.respond('list', signed, [{ id: '1', name: 'a' }, { id: '2', name: 'b' }])
  assert.equal(at.watchResult(signed, 'list', ['me']).last, ['a by me', 'b by me'])
})

class Author extends Entity {
  id = ''
  count = 0
  static override key = 'Author'
  static override schema = { count: new Query([Todo], list => list.length) }
}

class Team extends Entity {
  id = ''
  name = ''
  lead: Author | undefined = undefined
  members: { [role: string]: Author } = {}
  static override key = 'Team'
  static override schema = { lead: Author, members: new Values(Author) }
}

/** One of a row, which knows its neighbours. */
interface Link { readonly todo: Todo; before: Link | undefined; after: Link | undefined }

const todos = (count: number): object[] => Array.from({ length: count }, (_, at) => ({ id: `${at}`, title: 'a' }))

/** What a query makes of all rows. Whatever it is, it must be shown, and shown anew when a row changes. */
const shapes: { readonly [title: string]: (list: readonly Todo[]) => Link } = {
  'what leads back to itself is shown, and again when it changes': list => row(list)[0]!,
  'what leads back to itself is shown, frozen too, and again when it changes': list => row(list).map(link => Object.freeze(link))[0]!,
  'a chain of 20,000 is shown, and again when it changes': list =>
    list.reduceRight((after: Link | undefined, todo): Link => ({ todo, before: undefined, after }), undefined)!,
}

function row(list: readonly Todo[]): Link[] {
  const links = list.map((todo): Link => ({ todo, before: undefined, after: undefined }))
  links.forEach((link, at) => Object.assign(link, { before: links[at - 1], after: links[at + 1] }))
  return links
}

for (const [title, make] of Object.entries(shapes)) {
  test(title, () => {
    const world = new World()
    world.write([Todo], todos(title.includes('20,000') ? 20_000 : 3))
    const watch = world.watch<Link>(new Query(new All(Todo), make))
    world.write(Todo, { id: '1', title: 'b' })
    assert.is(watch.last.after!.todo.title, 'b')
    assert.is(watch.last.after!.before, title.startsWith('a chain') ? undefined : watch.last)
    assert.equal([watch.runs, world.errors], [2, []])
  })
}

test('an entity in which a query comes to the same is the same, and so is whoever shows it', () => {
  const world = new World()
  world.write([Todo], todos(2))
  world.write(Team, { id: '1', lead: { id: '1', count: ['0', '1'] } })
  const [user, team] = [world.watch<Author>(Author, '1'), world.watch<Team>(Team, '1')]
  world.write(Todo, { id: '1', title: 'b' })
  assert.equal([user.runs, team.runs], [1, 1])
  world.remove(Todo, '1')
  assert.equal([user.last.count, team.last.lead!.count], [1, 1])
  assert.is(team.last.lead, user.last)
})

test('an entity with a query of what was never there is the same when that is deleted', () => {
  class Card extends Entity {
    id = ''
    of: Todo | undefined = undefined
    static override key = 'Card'
    static override schema = { of: new Query(Todo, todo => todo) }
  }
  const world = new World()
  world.write(Card, { id: '1', of: '7' })
  const [card, all] = [world.watch<Card>(Card, '1'), world.watch(new All(Card))]
  world.remove(Todo, '7')
  assert.equal([card.runs, all.runs], [1, 1])
  world.write(Todo, { id: '7', title: 'a' })
  assert.equal([card.runs, all.runs, card.last.of!.title], [2, 2, 'a'])
})

test('an object that holds such an entity is the same, though its owner is another', () => {
  const world = new World()
  world.write([Todo], todos(2))
  world.write(Team, { id: '1', members: { first: { id: '1', count: ['0', '1'] } } })
  const team = world.watch<Team>(Team, '1')
  const { members } = team.last
  world.commit([{ op: 'replace', path: ['entities', 'Todo', '1', 'title'], value: 'b' }, { op: 'add', path: ['entities', 'Team', '1', 'name'], value: 'x' }])
  assert.is(team.last.name, 'x')
  assert.is(team.last.members, members)
})

/** A forum shows how many threads it has, a thread shows replies by a query, and those show the forum: a circle. */
class Forum extends Entity {
  id = ''
  count = 0
  static override key = 'Forum'
  static override schema: Fields = {}
}

class Reply extends Entity {
  id = ''
  forum: Forum | undefined = undefined
  about: Todo | undefined = undefined
  static override key = 'Reply'
  static override schema: Fields = { forum: Forum, about: Todo }
}

class Thread extends Entity {
  id = ''
  title = ''
  forum: Forum | undefined = undefined
  replies: Reply[] = []
  static override key = 'Thread'
  static override schema: Fields = { forum: Forum, replies: new Query([Reply], list => list.filter(Boolean)) }
}

Forum.schema = { count: new Query([Thread], list => list.length), last: Thread }

const circle = { id: '1', count: [{ id: '1', replies: [{ id: '1', forum: '1', about: '7' }] }] }

test('what a query in a circle has made shows the very objects that everybody shows', () => {
  const world = new World()
  world.write(Forum, circle)
  const watch = world.watch<{ forum: Forum; thread: Thread; reply: Reply }>({ forum: Forum, thread: Thread, reply: Reply }, '1')
  world.write(Thread, { id: '1', title: 'b' })
  assert.is(watch.last.thread.title, 'b')
  assert.is(watch.last.thread.replies[0], watch.last.reply)
})

test('what a query in a circle has picked is the object that everybody shows, also in a row that has changed', () => {
  class Step extends Entity {
    id = ''
    first: Step | undefined = undefined
    about: Todo | undefined = undefined
    static override key = 'Step'
    static override schema: Fields = {}
  }
  Step.schema = { first: new Query(new All(Step), list => list[0]), about: Todo }
  const world = new World()
  world.write([Step], [{ id: '1', first: [] }, { id: '2', first: [], about: { id: '7' } }])
  const [first, second] = [world.watch<Step>(Step, '1'), world.watch<Step>(Step, '2')]
  world.write(Todo, { id: '7', title: 'b' })
  assert.equal([second.runs, second.last.about!.title], [2, 'b'])
  assert.is(second.last.first, first.last)
})

test('a list of many queries computes only those whose input changed', () => {
  const world = new World()
  let runs = 0
  const cards = [
    new Query(Todo, todo => {
      runs++
      return { of: todo }
    }),
  ]
  world.respond('cards', cards, todos(100))
  const watch = world.watchResult<{ of: Todo }[]>(cards, 'cards')
  const before = watch.last
  assert.is(runs, 100)
  world.write(Todo, { id: '50', title: 'b' })
  assert.is(runs, 101)
  assert.equal(watch.last.filter((card, at) => card !== before[at]), [{ of: world.get(Todo, '50') }])
  world.commit([{ op: 'remove', path: ['endpoints', 'cards', 0] }])
  assert.is(runs, 101)
  assert.is(watch.last[98], before[99])
})

test.run()
