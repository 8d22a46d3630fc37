import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createLive, Entity, schema, type Fields } from '../../../src/index.ts'
import { tracker } from '../../support/tracker.ts'
import { collect, gc, turn } from './collect.ts'
import { LiveStore, watch } from './liveStore.ts'
import type { Watch } from './watch.ts'

const test = suite('live objects: what is retained')

class User extends Entity {
  id = ''
  name = ''
  posts: Post[] = []
  static override key = 'User'
  static override schema: Fields = {}
}

class Post extends Entity {
  id = ''
  title = ''
  author: User | object = {}
  written: Date | undefined = undefined
  static override key = 'Post'
  static override schema: Fields = { author: User, written: Date }
}
User.schema = { posts: [Post] }

const posts = new schema.Collection([Post])
const all = new schema.All(Post)
const titles = new schema.Query(all, list => list.map(post => post.title))
const page = { results: [Post], cursor: '' }
const read = (at: LiveStore): { results: Post[]; cursor: string } => at.result(page, 'page')

const setup = (): LiveStore => {
  const at = new LiveStore()
  const written = [1, 2, 3].map(n => ({ id: `${n}`, title: `t${n}`, author: 'u', written: '2020-01-01' }))
  at.write(posts, written)
  at.write(User, { id: 'u', name: 'U', posts: ['1', '2'] })
  at.respond('page', page, { results: written, cursor: 'a' })
  return at
}
/** A weak reference to what `make` gives, and no other. */
const weakly = (make: () => unknown): WeakRef<object> => new WeakRef(make() as object)
const gone = (...refs: WeakRef<object>[]): boolean[] => refs.map(ref => ref.deref() === undefined)

test('an object that nobody holds is collected, and so are arrays, results and queries', async () => {
  const at = setup()
  const refs = [
    weakly(() => at.entity(User, 'u')),
    weakly(() => at.entity(Post, '1')),
    weakly(() => at.entity(User, 'u')!.posts),
    weakly(() => at.query(posts)),
    weakly(() => at.query(all)),
    weakly(() => at.query(titles)),
    weakly(() => read(at)),
    weakly(() => read(at).results),
    weakly(() => at.entity(Post, '2')!.author),
  ]
  void JSON.stringify(at.query(posts)!.map(post => [post.title, post.written]))
  await collect()
  assert.equal(gone(...refs), refs.map(() => true))
})

test('what somebody holds is the same for as long as they hold it', async () => {
  const at = setup()
  const everything = (): unknown[] => [at.entity(User, 'u'), at.query(posts), at.entity(User, 'u')!.posts, read(at), read(at).results, at.query(all)]
  const retained = everything()
  await collect()
  at.write(User, { id: 'u', name: 'V' })
  const again = everything()
  assert.equal(retained.map((each, i) => each === again[i]), retained.map(() => true))
})

test('a row that is retained keeps neither the lists it was in nor the other rows', async () => {
  const at = setup()
  const retained = at.entity(Post, '1')!
  const list = weakly(() => at.query(posts))
  const other = weakly(() => at.entity(Post, '3'))
  const ofUser = weakly(() => at.entity(User, 'u')!.posts)
  const user = at.entity(User, 'u')!
  await collect()
  assert.equal(gone(list, other, ofUser), [true, true, true])
  assert.equal([retained.title, user.posts[0] === retained], ['t1', true])
})

test('an effect is woken though nobody holds what it read', async () => {
  const at = setup()
  const watches = [
    watch(() => at.entity(Post, '1')!.title),
    watch(() => at.query(posts)!.length),
    watch(() => at.entity(User, 'u')!.posts.length),
    watch(() => at.query(titles)!.join()),
    watch(() => read(at).cursor),
    watch(() => read(at).results.length),
    watch(() => at.entity(Post, '9')?.title),
    watch(() => at.query(all)!.length),
    watch(() => at.entity(Post, '3') !== undefined),
  ] as Watch<unknown>[]
  await collect()
  at.write([Post], [{ id: '1', title: 'x' }, { id: '9', title: 'n' }])
  at.respond('page', page, { results: [{ id: '1' }, { id: '2' }, { id: '3' }], cursor: 'b' })
  await collect()
  at.remove(Post, '2')
  assert.equal(watches.map(each => each.last), ['x', 2, 1, 'x,t3,n', 'b', 2, 'n', 3, true])
  await collect()
  at.remove(Post, '3')
  assert.equal(watches.map(each => each.last), ['x', 1, 1, 'x,n', 'b', 1, 'n', 2, false])
})

test('an effect that is stopped lets go of everything', async () => {
  const at = setup()
  const refs: WeakRef<object>[] = []
  const stops = [() => at.entity(Post, '1')!, () => at.query(posts)!, () => at.query(titles)!, () => read(at)].map(
    read =>
      watch(() => {
        const value = read()
        refs.push(new WeakRef(value))
        return Object.keys(value).map(name => (value as Fields)[name]).length
      }).stop,
  )
  await collect()
  for (const stop of stops) stop()
  stops.length = 0
  await collect()
  assert.equal(gone(...refs), refs.map(() => true))
})

test('a row that lists come and go over neither collects nor remembers them', async () => {
  const at = setup()
  const retained = at.entity(Post, '1')!
  const count = 5000
  const round = async (): Promise<number> => {
    for (let i = 0; i < count; i++) void at.query(new schema.Collection([Post]))
    await collect()
    return process.memoryUsage().heapUsed
  }
  const list = weakly(() => at.query(new schema.Collection([Post])))
  const before = await round()
  assert.equal(gone(list), [true])
  const after = [await round(), await round(), await round(), await round()]
  // In four rounds each list that was remembered would leave some two hundred bytes.
  const perList = (Math.min(...after.slice(-2)) - before) / count
  assert.ok(perList < 60, `${perList.toFixed(1)} bytes for each list`)
  assert.is(retained.title, 't1')
})

test('live views that nobody holds are collected, though their store lives', async () => {
  const at = setup()
  const ref = weakly(() => {
    const live = createLive(at.controller, tracker)
    watch(() => live.query(posts, {})!.map(post => post.title)).stop()
    live.dispose()
    return live
  })
  await collect()
  assert.equal(gone(ref), [true])
})

test('a store that is dropped between two collections does not end the cleaning up of the process', async () => {
  let at: LiveStore | undefined = setup()
  const look = (from: LiveStore): void => void [from.entity(Post, '1')!.title, from.query(posts)!.length]
  look(at)
  await turn()
  gc()
  at = undefined
  gc()
  await collect()
})

test('50,000 objects that were read and released leave nothing behind', async () => {
  const at = new LiveStore()
  const count = 50_000
  const few = new schema.Collection([Post], { argsKey: () => ({ few: '' }) })
  const rows = Array.from({ length: count }, (_, i) => ({ id: `${i}`, title: `t${i}` }))
  at.write(posts, rows)
  at.write(few, rows.slice(0, 2000))
  const round = async (list: typeof posts): Promise<number> => {
    watch(() => at.query(list)!.reduce((sum, post) => sum + post.title.length, 0)).stop()
    await collect()
    return process.memoryUsage().heapUsed
  }
  await round(few)
  const before = await round(few)
  await round(posts)
  const after = await round(few)
  // A name and a weak reference that stayed behind would be some seventy bytes; the rest is noise of the engine.
  const perObject = (after - before) / count
  assert.ok(perObject < 20, `${perObject.toFixed(1)} bytes for each object`)
})

test.run()
