import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Entity, schema } from '../../../src/index.ts'
import type { Fields, Source, Tracker } from '../../../src/index.ts'
import { runs } from '../../support/settings.ts'
import { tracker as signals } from '../../support/tracker.ts'
import { LiveStore, watch } from './liveStore.ts'

const test = suite('live objects: who is woken')

class User extends Entity {
  id = ''
  name = ''
  static override key = 'User'
  static override indexes = ['name']
}

class Post extends Entity {
  id = ''
  title = ''
  votes = 0
  author: User | undefined = undefined
  static override key = 'Post'
  static override schema: Fields = { author: User }
}

const all = new schema.All(Post)
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

/** Plays one history beside `count` rows that nobody looks at; gives all counts, step by step. */
function counts(count: number): string[] {
  const tracker = new Counting()
  const at = new LiveStore(tracker)
  const fillers = Array.from({ length: count }, (_, i) => ({ id: `f${i}`, title: `filler ${i}`, author: `u${i % 7}` }))
  at.write([[Post], fillers], [[User], fillers.map(({ id }) => ({ id, name: id }))])
  at.write([posts, [{ id: '1', title: 'a', votes: 1, author: { id: 'u', name: 'U' } }, { id: '2', title: 'b', votes: 20 }, { id: '3' }]])
  const one = at.live.entity(Post, '1')!
  const watches = [
    watch(() => at.live.query(posts)),
    watch(() => at.live.query(posts)!.map(post => post.title)),
    watch(() => one.title),
    watch(() => one.votes),
    watch(() => one.author?.name),
    watch(() => at.live.query(popular)),
    watch(() => at.live.entity(Post, 'f1')?.title),
    watch(() => Object.keys(one)),
  ]
  const steps: (() => void)[] = [
    () => at.write([Post, { id: '1', title: 'x' }]),
    () => at.write([Post, { id: '1', title: 'x', votes: 1 }]),
    () => at.write([Post, { id: '1', votes: 2 }]),
    () => at.write([Post, { id: '1', votes: 30 }]),
    () => at.write([User, { id: 'u', name: 'V' }]),
    () => at.write([Post, { id: '2', title: 'y' }]),
    () => at.write([[Post], fillers.slice(2).map(filler => ({ ...filler, title: 'z' }))]),
    () => at.write([posts.push, { id: '4' }]),
    () => at.remove(Post, '3'),
    () => at.remove(User, 'u'),
    () => at.write([Post, { id: '1', more: true }]),
  ]
  return steps.map(step => {
    for (const each of watches) each.fresh()
    tracker.triggered = 0
    step()
    return `${watches.map(each => each.fresh()).join(' ')} | ${tracker.triggered}`
  })
}

test('exactly those who read what changed run, once, and the rest of the store costs nothing', () => {
  const expected = [
    // list, titles, title, votes, author, popular, another post, keys | triggers
    '0 1 1 0 0 0 0 0 | 1',
    '0 0 0 0 0 0 0 0 | 0',
    '0 0 0 1 0 0 0 0 | 1',
    '0 0 0 1 0 1 0 0 | 1',
    '0 0 0 0 1 0 0 0 | 1',
    '0 1 0 0 0 0 0 0 | 1',
    '0 0 0 0 0 0 0 0 | 0',
    '1 1 0 0 0 0 0 0 | 1',
    // Whoever reads a list or a row depends on the same source of the row.
    '1 1 0 0 0 0 0 0 | 1',
    '0 0 0 0 1 0 0 0 | 1',
    '0 0 0 0 0 0 0 1 | 1',
  ]
  // The largest takes a second: where laws run less often, it is smaller.
  for (const count of [10, 1000, Math.min(100_000, runs(100_000))]) assert.equal(counts(count), expected, `${count} others`)
})

test('a commit of rows that nobody reads makes no source and triggers none', () => {
  const tracker = new Counting()
  const at = new LiveStore(tracker)
  at.write([[Post], [{ id: '1' }]])
  watch(() => at.live.entity(Post, '1')!.title)
  const { made } = tracker
  at.write([[Post], Array.from({ length: 1000 }, (_, i) => ({ id: `${i + 2}`, author: { id: `u${i}` } }))])
  assert.equal([tracker.made, tracker.triggered], [made, 0])
})

test('a look-up by index is triggered by rows that get or lose that value', () => {
  const tracker = new Counting()
  const at = new LiveStore(tracker)
  at.write([[User], [{ id: '1', name: 'a' }, { id: '2', name: 'b' }]])
  watch(() => at.live.query(User, [{ name: 'a' }]))
  const triggers = (input: object): number => {
    tracker.triggered = 0
    at.write([User, input])
    return tracker.triggered
  }
  assert.is(triggers({ id: '1', more: 1 }), 0)
  assert.is(triggers({ id: '2', name: 'c' }), 0)
  assert.is(triggers({ id: '2', name: 'a' }), 1)
  assert.is(triggers({ id: '1', name: 'd' }), 1)
})

test('who reads a field that is not there yet waits for that one, and not for any other', () => {
  const at = new LiveStore()
  at.write([User, { id: '1' }])
  const seen = watch(() => (at.live.entity(User, '1') as Partial<{ nickname: string }>).nickname)
  at.write([User, { id: '1', mail: 'm' }])
  assert.is(seen.runs, 1)
  at.write([User, { id: '1', nickname: 'n' }])
  assert.equal([seen.runs, seen.last], [2, 'n'])
})

test('a read that is not tracked makes no source', () => {
  const tracker = new Counting()
  const at = new LiveStore(tracker)
  at.write([posts, [{ id: '1', title: 'a', author: { id: 'u', name: 'U' } }, { id: '2' }]])
  tracker.tracking = false
  const post = at.live.entity(Post, '1')!
  assert.equal([post.title, post.author!.name, Object.keys(post).length, 'x' in post], ['a', 'U', 4, false])
  assert.is(JSON.stringify(at.live.query(posts)!.map(each => each.title)), '["a",""]')
  assert.is(tracker.made, 0)
})

test('reading one row of many makes one source for the field', () => {
  const tracker = new Counting()
  const at = new LiveStore(tracker)
  at.write([posts, Array.from({ length: 1000 }, (_, i) => ({ id: `${i}`, title: 't' }))])
  const list = at.live.query(posts)!
  const { made } = tracker
  watch(() => list[500]!.title)
  assert.is(tracker.made - made, 1)
})

test('two fields that change in one commit are never seen apart', () => {
  const at = new LiveStore()
  const write = (n: number): unknown =>
    at.write([[Post], [{ id: '1', title: `${n}`, votes: n, author: { id: 'u', name: `${n}` } }, { id: '2', votes: n }]], [posts, Array.from({ length: n % 5 }, (_, i) => ({ id: `m${n}-${i}`, votes: n }))])
  write(0)
  const [one, two] = [at.live.entity(Post, '1')!, at.live.entity(Post, '2')!]
  const seen = watch(() => [Number(one.title), one.votes, Number(one.author!.name), two.votes, ...(at.live.query(posts) ?? []).map(post => post.votes)])
  // A memo above the same reads, and an effect above the memo.
  const sum = signals.memo(() => one.votes + two.votes)
  const both = watch(() => [one.votes, sum()])
  for (let n = 1; n <= 100; n++) {
    write(n)
    assert.ok(seen.last.every(each => each === n), `${n}: ${seen.last.join()}`)
    assert.is(seen.last.length, 4 + (n % 5))
    assert.equal(both.last, [n, 2 * n])
    assert.equal([seen.runs, both.runs], [n + 1, n + 1])
  }
})

test('a commit from inside an effect is seen whole, ends, and is nothing that the effect depends on', () => {
  const at = new LiveStore()
  at.write([[Post], [{ id: '1', votes: 1 }, { id: '2', votes: 0 }]])
  const [one, two] = [at.live.entity(Post, '1')!, at.live.entity(Post, '2')!]
  const seen = watch(() => [one.votes, two.votes])
  const copy = watch(() => {
    const { votes } = one
    at.write([Post, { id: '2', votes }])
    return votes
  })
  assert.equal([copy.runs, seen.last], [1, [1, 1]])
  at.write([Post, { id: '2', votes: 9 }])
  assert.equal([copy.runs, seen.last], [1, [1, 9]])
  at.write([Post, { id: '1', votes: 5 }])
  assert.equal([copy.runs, one.votes, two.votes, seen.last], [2, 5, 5, [5, 5]])
})

test('what a commit listener commits is shown commit by commit', () => {
  const at = new LiveStore()
  at.write([[Post], [{ id: '1', votes: 1 }, { id: '2', votes: 1 }]])
  at.subscribe(() => {
    const one = at.live.entity(Post, '1')!
    if (one.votes < 4) at.write([[Post], [{ id: '1', votes: one.votes + 1 }, { id: '2', votes: one.votes + 1 }]])
  })
  // Both rows change in each commit; a row first read while another commit waits must not show that one already.
  const seen = watch(() => [at.live.entity(Post, '1')!.votes, at.live.entity(Post, '2')!.votes])
  const torn: number[][] = []
  watch(() => {
    const [one, two] = [at.live.entity(Post, '1')!.votes, at.live.entity(Post, '2')!.votes]
    if (one !== two) torn.push([one, two])
  })
  at.write([[Post], [{ id: '1', votes: 2 }, { id: '2', votes: 2 }]])
  assert.equal([seen.last, torn], [[4, 4], []])
})

test('an effect that was stopped hears nothing', () => {
  const at = new LiveStore()
  at.write([Post, { id: '1' }])
  const post = at.live.entity(Post, '1')!
  const title = watch(() => post.title)
  title.stop()
  at.write([Post, { id: '1', title: 'x' }])
  assert.is(title.runs, 1)
})

test('two sets of live objects over one store have nothing in common', () => {
  const at = new LiveStore()
  const other = new LiveStore()
  at.write([Post, { id: '1', title: 'a' }])
  other.write([Post, { id: '1', title: 'b' }])
  assert.equal([at.live.entity(Post, '1')!.title, other.live.entity(Post, '1')!.title], ['a', 'b'])
  assert.is(at.live.query(all)!.length, 1)
})

test.run()
