import { Computed, effect, Effect, Signal } from '@preact/signals-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { All, DepthError } from '../../../src/index.ts'
import { caught } from '../../support/caught.ts'
import { NEEDED, Node } from './node.ts'
import { Watch } from './watch.ts'
import { everyWay } from './ways.ts'
import { World } from './world.ts'

const test = suite('view: chains and circles')

const LENGTH = 500
const END = `${LENGTH - 1}`
/** Nodes of which each refers to the next. */
const chain = (field: 'needs' | 'likes', length = LENGTH): object[] =>
  Array.from({ length }, (_, i) => ({ id: `${i}`, ...(i + 1 < length ? { [field]: `${i + 1}` } : {}) }))

for (const field of ['needs', 'likes'] as const) {
  everyWay(test, `INV-26 a chain of 500 entities by \`${field}\` is watched, changed at its end, hidden and shown again`, (at, way) => {
    at.write([Node], chain(field))
    const watch = new Watch(() => {
      let count = 0
      let name = ''
      for (let node = at.get<Node | undefined>(Node, '0'); node && (node as object) !== NEEDED; node = node[field] as Node | undefined) {
        count++
        name = node.name
      }
      return `${count}${name}`
    })
    const follow = (change: () => void, text: string): void => {
      if (way === 'pure function') change()
      else assert.is(watch.during(change), 1)
      assert.is(watch.last, text)
    }
    assert.is(watch.last, '500')
    follow(() => at.write(Node, { id: END, name: 'end' }), '500end')
    follow(() => at.remove(Node, END), field === 'likes' ? '499' : '0')
    follow(() => at.write(Node, { id: END }), '500')
    watch.stop()
    // What nobody watches is released after a while.
    at.clock.advance(60_000)
    assert.equal(at.errors, [])
  })
}

everyWay(test, 'a chain deeper than 1,000 is a DepthError, and its end is shown', (at, way) => {
  at.write([Node], chain('needs', 10_000))
  const error = way === 'live objects' ? (at.get(Node, '0'), at.errors[0]) : caught(() => at.get(Node, '0'))
  assert.instance(error, DepthError)
  if (way === 'live objects') assert.is(at.get(Node, '0'), undefined)
  assert.is(at.get<Node>(Node, '9900').id, '9900')
})

test('INV-26 the end of that chain changes within 50 ms, and other effects of the process run', () => {
  const world = new World()
  world.write([Node], chain('likes'))
  const watch = world.watch<Node>(Node, '0')
  const times: number[] = []
  // The best one counts: a neighbour on the same machine is none of our slowness.
  while (times.length < 9 || (Math.min(...times) > 50 && times.length < 200)) {
    const begin = performance.now()
    world.write(Node, { id: END, name: `${times.length}` })
    times.push(performance.now() - begin)
  }
  assert.is(watch.runs, times.length + 1)
  assert.ok(Math.min(...times) <= 50, `took ${Math.min(...times).toFixed(1)} ms at best`)
  const other = new Signal(0)
  let seen = -1
  effect(() => void (seen = other.value))
  other.value = 1
  assert.is(seen, 1)
})

everyWay(test, 'circles close by reference, whatever way they go', at => {
  at.write([Node], [{ id: 'a', likes: 'b', all: ['a', 'c'] }, { id: 'b', likes: 'c' }, { id: 'c', likes: 'a', all: ['b'] }])
  at.write(Node, { id: 's', needs: 's', likes: 's' })
  const watch = new Watch(() => {
    const a = at.get<Node>(Node, 'a')
    const b = a.likes!
    const c = b.likes!
    assert.equal([c.likes === a, a.all[0] === a, a.all[1] === c, c.all[0] === b], [true, true, true, true])
    return b.name
  })
  for (const name of ['x', 'y']) {
    at.write(Node, { id: 'b', name })
    assert.is(watch.last, name)
  }
  const self = at.get<Node>(Node, 's')
  assert.equal([self.likes === self, self.needs === self, at.errors], [true, true, []])
})

everyWay(test, '1,000 entities by 20 others who list them are 1,020 objects, and one change makes only its own part anew', (at, way) => {
  const posts = Array.from({ length: 1000 }, (_, i) => ({ id: `p${i}`, likes: `a${i % 20}` }))
  const authors = Array.from({ length: 20 }, (_, a) => ({ id: `a${a}`, all: posts.filter((_, i) => i % 20 === a).map(({ id }) => id) }))
  at.write([Node], authors)
  const list = [Node]
  at.respond('posts', list, posts)
  const objects = (): Set<Node> => new Set(at.result<Node[]>(list, 'posts').flatMap(post => [post, post.likes!, ...post.likes!.all]))
  const before = objects()
  assert.is(before.size, 1020)
  at.write(Node, { id: 'p7', name: 'x' })
  const after = objects()
  assert.is(after.size, 1020)
  // In snapshots: p7, its author, and the fifty posts that show that author.
  assert.is([...after].filter(each => !before.has(each)).length, { 'pure function': 1020, snapshots: 51, 'live objects': 0 }[way])
})

interface Dependency {
  readonly S: Signal
  readonly n: Dependency | undefined
}

/** What an effect depends on. The names are those that the published signals-core gives its private parts. */
function sourcesOf(target: object): Signal[] {
  const found: Signal[] = []
  for (let at = (target as { s?: Dependency }).s; at !== undefined; at = at.n) found.push(at.S)
  return found
}

test('INV-26 an effect depends on one plain signal for each read, and no computed of ours reads another', () => {
  const world = new World()
  world.write([Node], chain('likes', 100))
  const all = new All(Node)
  const run = new Effect(() => {
    world.get(Node, '0')
    world.get(all)
    world.get(Node, '5')
  })
  ;(run as unknown as { c(): void }).c()
  const sources = sourcesOf(run)
  assert.is(sources.length, 3)
  for (const source of sources) {
    assert.instance(source, Signal)
    assert.not.instance(source, Computed)
    assert.equal(sourcesOf(source), [])
  }
  run.dispose()
})

test.run()
