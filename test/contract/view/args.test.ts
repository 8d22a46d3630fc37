import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { All, Collection, Entity, Query } from '../../../src/index.ts'
import { LiveStore, watch } from './liveStore.ts'
import { World } from './world.ts'

const test = suite('view: arguments')

class Post extends Entity {
  id = ''
  title = ''
  static override key = 'Post'
}

const group = new Collection([Post])
const ids = (posts: readonly Post[] | undefined): string | undefined => posts?.map(post => post.id).join()
const signed = new Query([Post], (posts: readonly Post[], { page }: { page: number }) => `${page}: ${posts.map(post => post.title).join()}`)

test('who changes an object that they asked with changes nothing for those who asked the same', () => {
  const world = new World()
  world.write(group, [{ id: '1' }], [{ page: 1 }])
  world.write(group, [{ id: '2' }], [{ page: 2 }])
  world.respond('signed', signed, [{ id: '1', title: 'a' }])
  const args = { page: 1 }
  assert.is(ids(world.get(group, args)), '1')
  const first = world.watch<Post[]>(group, { page: 1 })
  const text = world.watchResult(signed, 'signed', [args])
  args.page = 2
  assert.is(ids(world.get(group, args)), '2')
  world.write(Post, { id: '1', title: 'x' })
  assert.is(ids(first.last), '1')
  assert.is(text.last, '1: x')
})

test('nor for those who read live objects', () => {
  const at = new LiveStore()
  at.write([group, [{ id: '1' }], [{ page: 1 }]], [group, [{ id: '2' }], [{ page: 2 }]])
  const args = { page: 1 }
  const theirs = watch(() => ids(at.live.query(group, [args])))
  const first = watch(() => ids(at.live.query(group, [{ page: 1 }])))
  args.page = 2
  at.write([group.push, { id: '3' }, [{ page: 1 }]])
  assert.is(first.last, '1,3')
  assert.is(theirs.last, '2')
})

type Is = RegExp | ((post: Post) => boolean)
const those = new Query(new All(Post), (posts: readonly Post[], is: Is | { is: Is }) => {
  const which = 'is' in is ? is.is : is
  return ids(posts.filter(post => (which instanceof RegExp ? which.test(post.id) : which(post))))
})
const called = (id: string) => (post: Post) => post.id === id

test('functions of one text, and patterns, are different arguments', () => {
  const args = ['1', '2'].flatMap(id => [called(id), { is: called(id) }, new RegExp(id), { is: new RegExp(id) }])
  const world = new World()
  world.write([Post], [{ id: '1' }, { id: '2' }])
  const at = new LiveStore()
  at.write([[Post], [{ id: '1' }, { id: '2' }]])
  for (const read of [(is: unknown) => world.get(those, is), (is: unknown) => at.live.query(those, [is])]) assert.is(args.map(read).join(''), '11112222')
})

test('the same function is the same argument', () => {
  const world = new World()
  world.write([Post], [{ id: '1' }])
  let times = 0
  const counted = new Query(new All(Post), (posts: readonly Post[], is: (post: Post) => boolean) => (times++, posts.filter(is)))
  const is = called('1')
  assert.is(world.get(counted, is), world.get(counted, is))
  assert.is(times, 1)
})

test.run()
