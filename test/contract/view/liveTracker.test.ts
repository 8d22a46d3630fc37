import { batch, createMemo, createRenderEffect, createRoot, createSignal, getListener, onCleanup, untrack } from 'solid-js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Entity, schema } from '../../../src/index.ts'
import type { Fields, Source, Tracker } from '../../../src/index.ts'
import { LiveStore } from './liveStore.ts'

const test = suite('live objects: another reactive library')

/** A source whose signal holds it: whoever depends on the signal keeps it, and so its owner. */
class SolidSource implements Source {
  readonly owner: object | undefined
  readonly track: () => void
  readonly trigger: () => void

  constructor(owner: object | undefined) {
    this.owner = owner
    const [read, write] = createSignal<SolidSource>(this, { equals: false })
    this.track = read
    this.trigger = () => void write(source => source)
  }
}

const solidTracker: Tracker = {
  isTracking: () => getListener() !== null,
  source: owner => new SolidSource(owner),
  untracked: untrack,
  batch,
  memo<T>(compute: () => T): () => T {
    let readers = 0
    let memo: { read: () => T; dispose: () => void } | undefined
    return () => {
      if (getListener() === null) return untrack(memo?.read ?? compute)
      // Shared by all who read it, and so nobody's own: it goes with the last of them.
      memo ??= createRoot(dispose => ({ read: createMemo(compute), dispose }))
      readers++
      onCleanup(() =>
        queueMicrotask(() => {
          if (--readers > 0) return
          memo?.dispose()
          memo = undefined
        }),
      )
      return memo.read()
    }
  },
}

class Todo extends Entity {
  id = ''
  title = ''
  done = false
  at: Date | undefined = undefined
  static override key = 'Todo'
  static override schema: Fields = { at: Date }
}
const todos = new schema.Collection([Todo])
let computed = 0
const open = new schema.Query(todos, list => {
  computed++
  return list.filter(todo => !todo.done)
})
const page = { results: [Todo], cursor: '' }

/** Reads in an effect that runs at once; gives how often it ran since asked, and what it saw. */
function watch<T>(read: () => T): { fresh(): number; last: T } {
  let runs = 0
  const seen = {
    last: undefined as T,
    fresh: () => {
      const count = runs
      runs = 0
      return count
    },
  }
  createRenderEffect(() => {
    runs++
    seen.last = read()
  })
  return seen
}

const setup = (): LiveStore => {
  const at = new LiveStore(solidTracker)
  at.write([todos, [{ id: '1', title: 'a', at: '2020-01-01' }, { id: '2', title: 'b', done: true }]])
  at.respond('page', page, { results: [{ id: '1' }], cursor: 'x' })
  return at
}

test('fields, lists, queries and results wake who reads them, through that library alone', () => {
  const at = setup()
  const one = at.live.entity(Todo, '1')!
  const { all, list, left, dispose } = createRoot(dispose => {
    const list = watch(() => at.live.query(todos)!)
    const left = watch(() => at.live.query(open)!)
    const cursor = watch(() => (at.live.result(page, 'page') as unknown as { cursor: string }).cursor)
    return { all: [watch(() => one.title), watch(() => one.done), list, left, cursor], list, left, dispose }
  })
  const fresh = (): string => all.map(each => each.fresh()).join('')
  assert.is(fresh(), '11111')
  at.write([Todo, { id: '1', title: 'x' }])
  assert.is(fresh(), '10000')
  at.write([Todo, { id: '1', title: 'y', done: true }])
  assert.is(fresh(), '11010')
  at.write([Todo, { id: '2', done: false }])
  assert.is(fresh(), '00010')
  assert.is(left.last[0], at.live.entity(Todo, '2'))
  at.respond('page', page, { results: [{ id: '1' }], cursor: 'y' })
  assert.is(fresh(), '00001')
  at.remove(Todo, '1')
  assert.is(fresh(), '00100')
  assert.equal(list.last, [at.live.entity(Todo, '2')])
  dispose()
  at.write([Todo, { id: '2', title: 'z', done: true }])
  assert.is(fresh(), '00000')
})

test('a query is computed once for all who read it, and not at all when they are gone', async () => {
  const at = setup()
  computed = 0
  const dispose = createRoot(end => {
    watch(() => at.live.query(open)!.length)
    watch(() => at.live.query(open)!.map(todo => todo.id))
    return end
  })
  assert.is(computed, 1)
  at.write([Todo, { id: '2', done: false }])
  assert.is(computed, 2)
  dispose()
  await Promise.resolve()
  at.write([Todo, { id: '2', done: true }])
  assert.is(computed, 2)
  assert.equal(at.live.query(open)!.map(todo => todo.id), ['1'])
})

test('outside of effects the same objects are read, though nothing is remembered of the read', () => {
  const at = setup()
  const [one] = at.live.query(todos)!
  assert.is(at.live.query(todos), at.live.query(todos))
  assert.is(at.live.query(open), at.live.query(open))
  assert.is(at.live.result(page, 'page'), at.live.result(page, 'page'))
  assert.is(one!.at, one!.at)
  at.write([Todo, { id: '1', title: 'x' }])
  assert.is(one!.title, 'x')
})

test('two fields of one commit are never seen apart', () => {
  const at = setup()
  const one = at.live.entity(Todo, '1')!
  const { seen, dispose } = createRoot(dispose => ({ seen: watch(() => `${one.title}${at.live.query(todos)!.length}${String(one.done)}`), dispose }))
  at.write([todos.push, { id: '3' }], [Todo, { id: '1', title: 'n', done: true }])
  assert.equal([seen.fresh(), seen.last], [2, 'n3true'])
  dispose()
})

test.run()
