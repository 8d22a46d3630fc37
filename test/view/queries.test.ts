import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { All } from '../../src/schema/All.ts'
import { Entity } from '../../src/schema/Entity.ts'
import { Query } from '../../src/schema/Query.ts'
import { World } from './world.ts'

const test = suite('view: what queries make')

class Post extends Entity {
  id = ''
  title = ''
  static override key = 'Post'
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

test.run()
