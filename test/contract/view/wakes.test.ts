import { batch, computed, effect, signal } from '@preact/signals-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { All, Collection, Entity, Query } from '../../../src/index.ts'
import { runs } from '../../support/settings.ts'
import { swept, Watch, World } from './world.ts'

const test = suite('view: who wakes, and how much is made anew')

let made = 0

class User extends Entity {
  id = ''
  name = ''
  static override key = 'User'
  constructor() {
    super()
    made++
  }
}

class Post extends Entity {
  id = ''
  title = ''
  author: User | undefined = undefined
  static override key = 'Post'
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

/** Everything that a few writes cause, in numbers. */
function counts(fillers: number): unknown {
  const world = filled(fillers)
  const watches = {
    list: world.watchResult(posts, 'posts'),
    page: world.watch(page, {}),
    one: world.watch(Post, 'p9'),
    author: world.watch(User, 'u1'),
    both: new Watch(() => [world.get(Post, 'p0'), world.get(User, 'u0')]),
    titles: world.watch(titles),
  }
  const measure = (work: () => void): object => {
    const before = { made, processed }
    const runs = Object.fromEntries(Object.entries(watches).map(([name, watch]) => [name, watch.runs]))
    work()
    const ran = Object.entries(watches).flatMap(([name, watch]) => (watch.runs === runs[name] ? [] : [`${name} ${watch.runs - runs[name]!}`]))
    return { made: made - before.made, processed: processed - before.processed, ran }
  }
  return {
    'a title on the page': measure(() => world.write(Post, { id: 'p1', title: 'x' })),
    'a title off the page': measure(() => world.write(Post, { id: 'p9', title: 'x' })),
    'an author': measure(() => world.write(User, { id: 'u1', name: 'x' })),
    'the same again': measure(() => world.write(Post, { id: 'p9', title: 'x' })),
    'a row that nobody reads': measure(() => world.write(Filler, { id: 'f0', more: 1 })),
    'a new post': measure(() => world.write(Post, { id: 'p10', title: 'new', author: 'u0' })),
    'a post onto the page': measure(() => world.write(page.push, { id: 'p10' }, [{}])),
    'a post is gone': measure(() => world.remove(Post, 'p2')),
    'two in one commit': measure(() => world.write(posts, [{ id: 'p0', title: 'y' }, { id: 'p1', title: 'y' }])),
    'two in one batch': measure(() =>
      batch(() => {
        world.write(Post, { id: 'p0', title: 'z' })
        world.write(Post, { id: 'p1', title: 'z' })
      }),
    ),
  }
}

const expected = {
  'a title on the page': { made: 1, processed: 1, ran: ['list 1', 'page 1', 'titles 1'] },
  'a title off the page': { made: 1, processed: 1, ran: ['list 1', 'one 1', 'titles 1'] },
  // The titles are of the same posts, made anew because they show their author; the list of titles is the same.
  'an author': { made: 6, processed: 1, ran: ['list 1', 'page 1', 'one 1', 'author 1'] },
  'the same again': { made: 0, processed: 0, ran: [] },
  'a row that nobody reads': { made: 0, processed: 0, ran: [] },
  'a new post': { made: 1, processed: 1, ran: ['titles 1'] },
  'a post onto the page': { made: 0, processed: 0, ran: ['page 1'] },
  'a post is gone': { made: 0, processed: 1, ran: ['list 1', 'page 1', 'titles 1'] },
  'two in one commit': { made: 2, processed: 1, ran: ['list 1', 'page 1', 'both 1', 'titles 1'] },
  'two in one batch': { made: 2, processed: 2, ran: ['list 1', 'page 1', 'both 1', 'titles 1'] },
}

for (const fillers of [10, 1_000, Math.min(100_000, runs(100_000))]) {
  test(`INV-22 a write makes and wakes exactly what shows it, among ${fillers.toLocaleString('en')} other entities`, () => {
    counts(10)
    assert.equal(counts(fillers), expected)
  })
}

test('INV-20 an effect never sees two versions at once', () => {
  const world = new World()
  const names = ['a', 'b', 'c', 'd']
  const committed = new Set<string>()
  const commit = (ids: readonly string[], title: string): void => {
    world.write(posts, ids.map(id => ({ id, title })))
    committed.add(names.map(id => versions.get(id)!).join())
  }
  const versions = new Map(names.map(id => [id, '']))
  const torn: string[] = []
  const see = (): string => names.map(id => world.get<Post | undefined>(Post, id)?.title ?? '').join()
  committed.add(see())
  const sum = computed(see)
  effect(() => void (committed.has(see()) || torn.push(see())))
  effect(() => void (committed.has(sum.value) || torn.push(sum.value)))
  effect(() => {
    const all = world.get<readonly Post[] | undefined>(new All(Post)) ?? []
    const tuple = names.map(id => all.find(post => post.id === id)?.title ?? '').join()
    if (!committed.has(tuple)) torn.push(tuple)
  })
  for (let i = 0; i < 300; i++) {
    const ids = names.filter((_, at) => (i * 7 + at * at * 3) % (at + 2) === 0)
    for (const id of ids) versions.set(id, `${i}`)
    committed.add(names.map(id => versions.get(id)!).join())
    commit(ids, `${i}`)
  }
  assert.equal(torn, [])
})

test('whoever writes sees it at once, even inside of an effect or a listener', () => {
  const world = new World()
  world.write(User, { id: '1', name: 'a' })
  const go = signal(0)
  const seen: unknown[] = []
  effect(() => {
    if (go.value === 0) return
    world.write(User, { id: '1', name: `b${go.value}` })
    seen.push(world.get<User>(User, '1').name)
  })
  world.subscribe(() => void seen.push(`heard ${world.get<User>(User, '1').name}`))
  go.value = 1
  assert.equal(seen, ['heard b1', 'b1'])
  go.value = 2
  assert.equal(seen, ['heard b1', 'b1', 'heard b2', 'b2'])
  // One that is woken by a commit, and answers it with another, which the graph does not know yet.
  const answers: unknown[] = []
  effect(() => {
    if (world.get<User | undefined>(User, '3')?.name !== 'ask') return
    world.write(User, { id: '2', name: 'answer' })
    answers.push(world.get<User | undefined>(User, '2')?.name)
  })
  world.write(User, { id: '3', name: 'ask' })
  assert.equal(answers, ['answer'])
})

test('an effect that writes does not become a reader of what it wakes', () => {
  const world = new World()
  world.write(User, { id: '1', name: 'a' })
  const user = world.watch<User>(User, '1')
  const go = signal(0)
  let runs = 0
  effect(() => {
    runs++
    world.write(User, { id: '1', name: `${go.value}` })
  })
  assert.is(user.last.name, '0')
  world.write(User, { id: '1', name: 'other' })
  assert.is(runs, 1)
  assert.is(user.last.name, 'other')
})

test('effects that answer each other for ever are stopped and reported', () => {
  const world = new World()
  world.write(User, { id: '1', name: '0' })
  effect(() => void world.write(User, { id: '1', name: String(Number(world.get<User>(User, '1').name) + 1) }))
  world.write(User, { id: '1', name: '1000' })
  assert.ok(world.reported.length > 0)
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

test('a computed that was read, left, swept and read again is current', async () => {
  const world = new World()
  world.write(User, { id: '1', name: 'a' })
  const name = computed(() => world.get<User>(User, '1').name)
  assert.is(name.value, 'a')
  world.write(User, { id: '1', name: 'b' })
  assert.is(name.value, 'b')
  await swept()
  world.write(User, { id: '1', name: 'c' })
  assert.is(name.value, 'c')
  await swept()
  world.write(User, { id: '1', name: 'd' })
  await swept()
  const watch = new Watch(() => name.value)
  assert.is(watch.last, 'd')
  world.write(User, { id: '1', name: 'e' })
  assert.equal(watch.seen, ['d', 'e'])
  watch.dispose()
  await swept()
  world.write(User, { id: '1', name: 'f' })
  assert.is(name.value, 'f')
})

test.run()
