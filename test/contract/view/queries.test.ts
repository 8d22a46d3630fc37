import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { All, Entity, Query, Values } from '../../../src/index.ts'
import type { Fields } from '../../../src/index.ts'
import { World } from './world.ts'

const test = suite('view: what queries make')

class Post extends Entity {
  id = ''
  title = ''
  static override key = 'Post'
}

class User extends Entity {
  id = ''
  name = ''
  count = 0
  static override key = 'User'
  static override schema = { count: new Query([Post], list => list.length) }
}

class Team extends Entity {
  id = ''
  name = ''
  lead: User | undefined = undefined
  members: { [role: string]: User } = {}
  static override key = 'Team'
  static override schema = { lead: User, members: new Values(User) }
}

/** One of a row, which knows its neighbours. */
interface Link {
  readonly post: Post
  before: Link | undefined
  after: Link | undefined
}

const posts = (count: number): object[] => Array.from({ length: count }, (_, at) => ({ id: `${at}`, title: 'a' }))

for (const close of [(link: Link): Link => link, (link: Link): Link => Object.freeze(link)]) {
  test(`what leads back to itself is shown${Object.isFrozen(close({} as Link)) ? ', frozen too' : ''}, and again when it changes`, () => {
    const world = new World()
    const row = new Query(new All(Post), list => {
      const links = list.map((post): Link => ({ post, before: undefined, after: undefined }))
      links.forEach((link, at) => Object.assign(link, { before: links[at - 1], after: links[at + 1] }))
      return links.map(close)[0]!
    })
    world.write([Post], posts(3))
    const watch = world.watch<Link>(row)
    world.write(Post, { id: '1', title: 'b' })
    assert.is(watch.last.after!.before, watch.last)
    assert.is(watch.last.after!.post.title, 'b')
    assert.equal([watch.runs, world.reported], [2, []])
  })
}

test('a chain of 20,000 is shown, and again when it changes', () => {
  const world = new World()
  const chain = new Query(new All(Post), list => list.reduceRight((after: Link | undefined, post): Link => ({ post, before: undefined, after }), undefined))
  world.write([Post], posts(20_000))
  const watch = world.watch<Link>(chain)
  world.write(Post, { id: '1', title: 'b' })
  assert.is(watch.last.after!.post.title, 'b')
  assert.equal([watch.runs, world.reported], [2, []])
})

test('a query that has found nothing, and says so with null, shows what it finds later', () => {
  const world = new World()
  world.write(Post, { id: '1', title: 'a' })
  const watch = world.watch<Post | null>(new Query(new All(Post), list => list.find(post => post.title === 'b') ?? null))
  world.write(Post, { id: '2', title: 'b' })
  assert.equal([watch.runs, watch.last?.id, world.reported], [2, '2', []])
  world.remove(Post, '2')
  assert.equal([watch.runs, watch.last], [3, null])
  world.write(Post, { id: '3', title: 'c' })
  assert.is(watch.runs, 3)
})

test('an entity in which a query comes to the same is the same, and so is whoever shows it', () => {
  const world = new World()
  world.write([Post], posts(2))
  world.write(Team, { id: '1', lead: { id: '1', count: ['0', '1'] } })
  const [user, team] = [world.watch<User>(User, '1'), world.watch<Team>(Team, '1')]
  world.write(Post, { id: '1', title: 'b' })
  assert.equal([user.runs, team.runs], [1, 1])
  world.remove(Post, '1')
  assert.equal([user.last.count, team.last.lead!.count], [1, 1])
  assert.is(team.last.lead, user.last)
})

test('an entity with a query of what was never there is the same when that is deleted', () => {
  class Card extends Entity {
    id = ''
    of: Post | undefined = undefined
    static override key = 'Card'
    static override schema = { of: new Query(Post, post => post) }
  }
  const world = new World()
  world.write(Card, { id: '1', of: '7' })
  const [card, all] = [world.watch<Card>(Card, '1'), world.watch(new All(Card))]
  world.remove(Post, '7')
  assert.equal([card.runs, all.runs], [1, 1])
  world.write(Post, { id: '7', title: 'a' })
  assert.equal([card.runs, all.runs, card.last.of!.title], [2, 2, 'a'])
})

test('an object that holds such an entity is the same, though its owner is another', () => {
  const world = new World()
  world.write([Post], posts(2))
  world.write(Team, { id: '1', members: { first: { id: '1', count: ['0', '1'] } } })
  const team = world.watch<Team>(Team, '1')
  const { members } = team.last
  world.commit([{ op: 'replace', path: ['entities', 'Post', '1', 'title'], value: 'b' }, { op: 'add', path: ['entities', 'Team', '1', 'name'], value: 'x' }])
  assert.is(team.last.name, 'x')
  assert.is(team.last.members, members)
})

/** A forum shows how many threads it has, a thread shows posts by a query, and those show the forum: a circle. */
class Forum extends Entity {
  id = ''
  count = 0
  static override key = 'Forum'
  static override schema: Fields = {}
}

class Reply extends Entity {
  id = ''
  forum: Forum | undefined = undefined
  about: Post | undefined = undefined
  static override key = 'Reply'
  static override schema: Fields = { forum: Forum, about: Post }
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
    about: Post | undefined = undefined
    static override key = 'Step'
    static override schema: Fields = {}
  }
  Step.schema = { first: new Query(new All(Step), list => list[0]), about: Post }
  const world = new World()
  world.write([Step], [{ id: '1', first: [] }, { id: '2', first: [], about: { id: '7' } }])
  const [first, second] = [world.watch<Step>(Step, '1'), world.watch<Step>(Step, '2')]
  world.write(Post, { id: '7', title: 'b' })
  assert.equal([second.runs, second.last.about!.title], [2, 'b'])
  assert.is(second.last.first, first.last)
})

test('a list of many queries computes only those whose input changed', () => {
  const world = new World()
  let runs = 0
  const cards = [
    new Query(Post, post => {
      runs++
      return { of: post }
    }),
  ]
  world.respond('cards', cards, posts(100))
  const watch = world.watchResult<{ of: Post }[]>(cards, 'cards')
  const before = watch.last
  assert.is(runs, 100)
  world.write(Post, { id: '50', title: 'b' })
  assert.is(runs, 101)
  assert.equal(watch.last.filter((card, at) => card !== before[at]), [{ of: world.get(Post, '50') }])
  world.commit([{ op: 'remove', path: ['endpoints', 'cards', 0] }])
  assert.is(runs, 101)
  assert.is(watch.last[98], before[99])
})

test.run()
