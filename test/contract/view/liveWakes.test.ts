import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { schema } from '../../../src/index.ts'
import type { Source, Tracker } from '../../../src/index.ts'
import { runs } from '../../support/settings.ts'
import { tracker as signals } from '../../support/tracker.ts'
import { Post, User } from './classes.ts'
import { LiveStore, watch } from './liveStore.ts'

const test = suite('live objects: who is woken')

const posts = new schema.Collection([Post])
const popular = new schema.Query(posts, list => list.filter(post => post.votes > 10))

/** Counts what is triggered, tracked and made. */
class Counting implements Tracker {
  triggered = 0
  made = 0
  tracking = true
  readonly untracked: Tracker['untracked'] = signals.untracked
  readonly batch: Tracker['batch'] = signals.batch
  readonly memo: Tracker['memo'] = signals.memo

  isTracking(): boolean {
    return this.tracking
  }

  source(owner?: object): Source {
    this.made++
    const source = signals.source(owner)
    const trigger = source.trigger.bind(source)
    source.trigger = () => {
      this.triggered++
      trigger()
    }
    return source
  }
}

/** What is done beside `fillers` that nobody looks at, and how often each effect runs and a source is triggered. */
const steps: readonly (readonly [step: (at: LiveStore, fillers: readonly object[]) => void, counts: string])[] = [
  // list, titles, title, votes, author, popular, another post, keys | triggers
  [at => at.write(Post, { id: '1', title: 'x' }), '0 1 1 0 0 0 0 0 | 1'],
  [at => at.write(Post, { id: '1', title: 'x', votes: 1 }), '0 0 0 0 0 0 0 0 | 0'],
  [at => at.write(Post, { id: '1', votes: 2 }), '0 0 0 1 0 0 0 0 | 1'],
  [at => at.write(Post, { id: '1', votes: 30 }), '0 0 0 1 0 1 0 0 | 1'],
  [at => at.write(User, { id: 'u', name: 'V' }), '0 0 0 0 1 0 0 0 | 1'],
  [at => at.write(Post, { id: '2', title: 'y' }), '0 1 0 0 0 0 0 0 | 1'],
  [(at, fillers) => at.write([Post], fillers.slice(2).map(filler => ({ ...filler, title: 'z' }))), '0 0 0 0 0 0 0 0 | 0'],
  [at => at.write(posts.push, { id: '4' }), '1 1 0 0 0 0 0 0 | 1'],
  // Whoever reads a list or a row depends on the same source of the row.
  [at => at.remove(Post, '3'), '1 1 0 0 0 0 0 0 | 1'],
  [at => at.remove(User, 'u'), '0 0 0 0 1 0 0 0 | 1'],
  [at => at.write(Post, { id: '1', more: true }), '0 0 0 0 0 0 0 1 | 1'],
]

test('exactly those who read what changed run, once, and the rest of the store costs nothing', () => {
  // The largest takes a second: where laws run less often, it is smaller.
  for (const count of [10, 1000, Math.min(100_000, runs(100_000))]) {
    const tracker = new Counting()
    const at = new LiveStore(tracker)
    const fillers = Array.from({ length: count }, (_, i) => ({ id: `f${i}`, title: `filler ${i}`, author: `u${i % 7}` }))
    at.writeAll([[Post], fillers], [[User], fillers.map(({ id }) => ({ id, name: id }))])
    at.write(posts, [{ id: '1', title: 'a', votes: 1, author: { id: 'u', name: 'U' } }, { id: '2', title: 'b', votes: 20 }, { id: '3' }])
    const one = at.entity(Post, '1')!
    const watches = [
      watch(() => at.query(posts)),
      watch(() => at.query(posts)!.map(post => post.title)),
      watch(() => one.title),
      watch(() => one.votes),
      watch(() => one.author?.name),
      watch(() => at.query(popular)),
      watch(() => at.entity(Post, 'f1')?.title),
      watch(() => Object.keys(one)),
    ]
    for (const [step, counts] of steps) {
      for (const each of watches) each.fresh()
      tracker.triggered = 0
      step(at, fillers)
      assert.is(`${watches.map(each => each.fresh()).join(' ')} | ${tracker.triggered}`, counts, `${count} others`)
    }
  }
})

test('a source is made for each field that is read, if the read is tracked, and none by a commit', () => {
  const tracker = new Counting()
  const at = new LiveStore(tracker)
  at.write(posts, Array.from({ length: 1000 }, (_, i) => ({ id: `${i}`, title: 't', author: { id: 'u', name: 'U' } })))
  tracker.tracking = false
  const list = at.query(posts)!
  const post = list[500]!
  assert.equal([post.title, post.author!.name, Object.keys(post).length, 'x' in post], ['t', 'U', 4, false])
  assert.is(JSON.stringify(list.slice(0, 2).map(each => each.title)), '["t","t"]')
  assert.is(tracker.made, 0)
  tracker.tracking = true
  watch(() => post.title)
  assert.is(tracker.made, 1)
  at.write([Post], Array.from({ length: 1000 }, (_, i) => ({ id: `new ${i}`, author: { id: `u${i}` } })))
  assert.equal([tracker.made, tracker.triggered], [1, 0])
})

test('a look-up by index is triggered by rows that get or lose that value', () => {
  const tracker = new Counting()
  const at = new LiveStore(tracker)
  at.write([User], [{ id: '1', name: 'a' }, { id: '2', name: 'b' }])
  watch(() => at.query(User, { name: 'a' }))
  const changes = [[{ id: '1', more: 1 }, 0], [{ id: '2', name: 'c' }, 0], [{ id: '2', name: 'a' }, 1], [{ id: '1', name: 'd' }, 1]] as const
  for (const [input, triggered] of changes) {
    tracker.triggered = 0
    at.write(User, input)
    assert.is(tracker.triggered, triggered)
  }
})

test.run()
