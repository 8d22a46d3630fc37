import { effect } from '@preact/signals-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Entity } from '../../../src/index.ts'
import { readRow } from '../../../src/store/state.ts'
import { World } from './world.ts'

const test = suite('view: who wakes, and how much is made anew')

class Post extends Entity {
  id = ''
  title = ''
  static override key = 'Post'
}
const posts = [Post]

test('INV-20 a commit that a listener makes before the graph hears of the first is not seen half', () => {
  const committed = ['0,0']
  const titles = (): string[] => ['a', 'b'].map(id => (readRow(world.store.state, 'Post', id) as { title: string }).title)
  const world: World = new World(() => {
    const [a, b] = titles()
    committed.push(titles().join())
    // Both rows change once more, of which the first commit has told of one only.
    if (a !== b) world.write(posts, ['a', 'b'].map(id => ({ id, title: `${a}!` })))
  })
  world.write(posts, [{ id: 'a', title: '0' }, { id: 'b', title: '0' }])
  const seen: string[] = []
  effect(() => void seen.push(['a', 'b'].map(id => world.get<Post>(Post, id).title).join()))
  for (const title of ['1', '2', '3']) world.write(Post, { id: 'a', title })
  assert.is(seen.at(-1), '3!,3!')
  assert.equal(seen.filter(tuple => !committed.includes(tuple)), [])
})

test.run()
