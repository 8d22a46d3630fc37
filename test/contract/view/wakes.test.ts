import { batch, computed, effect, signal } from '@preact/signals-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { All, Collection, Entity, Query } from '../../../src/index.ts'
import { Post as AnyPost, User as AnyUser } from './classes.ts'
import { runs } from '../../support/settings.ts'
import { bothWays } from './ways.ts'
import { Watch } from './watch.ts'
import { World } from './world.ts'

const test = suite('view: who wakes, and how much is made anew')

let made = 0

class User extends AnyUser {
  constructor() {
    super()
    made++
  }
}

class Post extends AnyPost {
  static override schema = { author: User }
  constructor() {
    super()
    made++
  }
}

class Filler extends Entity {
  id = ''
  static override key = 'Filler'
}

const posts = [Post]
const page = new Collection([Post])
let processed = 0
const titles = new Query(new All(Post), (all: readonly Post[]) => {
  processed++
  return all.map(post => post.title)
})

/** Ten posts by two users, three of them on a page; and as many rows that nobody reads, in their table and in another. */
function filled(fillers: number): World {
  const world = new World()
  const ten = Array.from({ length: 10 }, (_, i) => ({ id: `p${i}`, title: `t${i}`, author: { id: `u${i % 2}`, name: `n${i % 2}` } }))
  world.respond('posts', posts, ten)
  world.write(page, ten.slice(0, 3), [{}])
  world.write([Filler], Array.from({ length: fillers }, (_, i) => ({ id: `f${i}` })))
  world.write([User], Array.from({ length: fillers }, (_, i) => ({ id: `f${i}`, name: 'f' })))
  return world
}

/** How many entities a change makes, how often the query is computed, and which effects run. */
const changes: readonly (readonly [title: string, change: (world: World) => void, made: number, processed: number, ran: string])[] = [
  ['a title on the page', world => world.write(Post, { id: 'p1', title: 'x' }), 1, 1, 'list page titles'],
  ['a title off the page', world => world.write(Post, { id: 'p9', title: 'x' }), 1, 1, 'list one titles'],
  // The titles are of the same posts, made anew because they show their author; the list of titles is the same.
  ['an author', world => world.write(User, { id: 'u1', name: 'x' }), 6, 1, 'list page one author'],
  ['the same again', world => world.write(Post, { id: 'p9', title: 'x' }), 0, 0, ''],
  ['a row that nobody reads', world => world.write(Filler, { id: 'f0', more: 1 }), 0, 0, ''],
  ['a new post', world => world.write(Post, { id: 'p10', title: 'new', author: 'u0' }), 1, 1, 'titles'],
  ['a post onto the page', world => world.write(page.push, { id: 'p10' }, [{}]), 0, 0, 'page'],
  ['a post is gone', world => world.remove(Post, 'p2'), 0, 1, 'list page titles'],
  ['two in one commit', world => world.write(posts, ['p0', 'p1'].map(id => ({ id, title: 'y' }))), 2, 1, 'list page both titles'],
  ['two in one batch', world => batch(() => ['p0', 'p1'].forEach(id => world.write(Post, { id, title: 'z' }))), 2, 2, 'list page both titles'],
]

for (const fillers of [10, 1_000, Math.min(100_000, runs(100_000))]) {
  test(`INV-22 a write makes and wakes exactly what shows it, among ${fillers.toLocaleString('en')} other entities`, () => {
    const world = filled(fillers)
    const watches = {
      list: world.watchResult(posts, 'posts'),
      page: world.watch(page, {}),
      one: world.watch(Post, 'p9'),
      author: world.watch(User, 'u1'),
      both: new Watch(() => [world.get(Post, 'p0'), world.get(User, 'u0')]),
      titles: world.watch(titles),
    }
    for (const [title, change, ...counts] of changes) {
      for (const watch of Object.values(watches)) watch.fresh()
      made = processed = 0
      change(world)
      const ran = Object.entries(watches).flatMap(([name, watch]) => Array.from({ length: watch.fresh() }, () => name))
      assert.equal([made, processed, ran.join(' ')], counts, title)
    }
  })
}

bothWays(test, 'whoever writes sees it at once, even inside of an effect or a listener', at => {
  const name = (id: string): string | undefined => at.get<User | undefined>(User, id)?.name
  at.write(User, { id: '1', name: 'a' })
  const go = signal(0)
  const seen: unknown[] = []
  effect(() => {
    if (go.value === 0) return
    at.write(User, { id: '1', name: `b${go.value}` })
    seen.push(name('1'))
  })
  at.subscribe(() => void seen.push(`heard ${name('1')}`))
  go.value = 1
  go.value = 2
  assert.equal(seen, ['heard b1', 'b1', 'heard b2', 'b2'])
  // One that is woken by a commit, and answers it with another, which the graph does not know yet.
  const answers: unknown[] = []
  effect(() => {
    if (name('3') !== 'ask') return
    at.write(User, { id: '2', name: 'answer' })
    answers.push(name('2'))
  })
  at.write(User, { id: '3', name: 'ask' })
  assert.equal(answers, ['answer'])
})

bothWays(test, 'an effect that writes is seen whole, ends, and does not become a reader of what it wakes', at => {
  at.write([User], [{ id: '1', name: 'a' }, { id: '2' }])
  const name = (id: string): string => at.get<User>(User, id).name
  const seen = new Watch(() => [name('1'), name('2')])
  const copy = new Watch(() => at.write(User, { id: '2', name: name('1') }))
  const changes: [id: string, name: string, runs: number, seen: string[]][] = [['1', 'a', 1, ['a', 'a']], ['2', 'other', 1, ['a', 'other']], ['1', 'b', 2, ['b', 'b']]]
  for (const [id, name, runs, expected] of changes) {
    at.write(User, { id, name })
    assert.equal([copy.runs, seen.last], [runs, expected])
  }
})

bothWays(test, 'what a commit listener commits is shown commit by commit', at => {
  const put = (votes: number): void => at.write(posts, ['1', '2'].map(id => ({ id, votes })))
  const votes = (id: string): number => at.get<Post>(Post, id).votes
  put(1)
  at.subscribe(() => {
    if (votes('1') < 4) put(votes('1') + 1)
  })
  // Both rows change in each commit; a row first read while another commit waits must not show that one already.
  const seen = new Watch(() => `${votes('1')} ${votes('2')}`)
  put(2)
  assert.is(seen.last, '4 4')
  for (const text of seen.seen) assert.match(text, /^(\d) \1$/)
})

test('effects that answer each other for ever are stopped and reported', () => {
  const world = new World()
  world.write(User, { id: '1', name: '0' })
  effect(() => void world.write(User, { id: '1', name: String(Number(world.get<User>(User, '1').name) + 1) }))
  world.write(User, { id: '1', name: '1000' })
  assert.ok(world.errors.length > 0)
  assert.ok(Number(world.get<User>(User, '1').name) < 2000)
})

test('a query that reads a signal or another view does not make its reader depend on them', () => {
  const world = new World()
  world.write(User, { id: '1', name: 'a' })
  const other = signal(0)
  const query = new Query(User, (user: User) => `${user.name}${other.value}${world.get<Post | undefined>(Post, 'p')?.title ?? ''}`)
  const watch = world.watch(query, '1')
  assert.is(watch.last, 'a0')
  assert.is(watch.during(() => void (other.value = 1)), 0)
  assert.is(watch.during(() => world.write(Post, { id: 'p', title: 'x' })), 0)
  world.write(User, { id: '1', name: 'b' })
  assert.is(watch.last, 'b1x')
})

test('a computed that was read, left and read again is current', () => {
  const world = new World()
  const put = (name: string): void => world.write(User, { id: '1', name })
  const name = computed(() => world.get<User>(User, '1').name)
  for (const next of ['a', 'b']) {
    put(next)
    assert.is(name.value, next)
  }
  put('c')
  const watch = new Watch(() => name.value)
  put('d')
  assert.equal(watch.seen, ['c', 'd'])
  watch.stop()
  put('e')
  assert.is(name.value, 'e')
})

test('a computed that nobody watches is current after its view was released', () => {
  const releases: { readonly [why: string]: (world: World) => void } = {
    'after a minute': ({ clock }) => clock.advance(60_000),
    'by 65 other reads': world => Array.from({ length: 65 }, (_, id) => world.get(User, `other ${id}`)),
  }
  for (const [why, release] of Object.entries(releases)) {
    const world = new World()
    world.write(User, { id: '1', name: 'a' })
    const name = computed(() => world.get<User>(User, '1').name)
    assert.is(name.value, 'a')
    release(world)
    world.write(User, { id: '1', name: 'b' })
    assert.is(name.value, 'b', why)
  }
})

test.run()
