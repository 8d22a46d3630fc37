import { batch, createMemo, createRenderEffect, createRoot, createSignal, getListener, onCleanup, untrack } from 'solid-js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Entity, schema } from '../../../src/index.ts'
import type { Fields, Source, Tracker } from '../../../src/index.ts'
import { LiveStore } from './liveStore.ts'
import { Watch } from './watch.ts'

const test = suite('live objects: another reactive library')

const solidTracker: Tracker = {
  isTracking: () => getListener() !== null,
  source(owner): Source {
    // The signal holds the source: whoever depends on the signal keeps it, and so its owner.
    const source = { owner, track: (): void => void read(), trigger: (): void => void write(source) }
    const [read, write] = createSignal<Source>(source, { equals: false })
    return source
  },
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

/** Reads in an effect that runs at once, and ends with its owner. */
const watch = <T>(read: () => T): Watch<T> => new Watch(read, work => (createRenderEffect(work), () => {}))

const setup = (): LiveStore => {
  const at = new LiveStore(solidTracker)
  at.write(todos, [{ id: '1', title: 'a', at: '2020-01-01' }, { id: '2', title: 'b', done: true }])
  at.respond('page', page, { results: [{ id: '1' }], cursor: 'x' })
  return at
}

test('fields, lists, queries and results wake who reads them, through that library alone', () => {
  const at = setup()
  const one = at.entity(Todo, '1')!
  const list = (): readonly Todo[] => at.query(todos)!
  const left = (): readonly Todo[] => at.query(open)!
  const reads: (() => unknown)[] = [() => one.title, () => one.done, list, left, () => at.result<{ cursor: string }>(page, 'page').cursor]
  const [watches, dispose] = createRoot(dispose => [reads.map(watch), dispose])
  const steps: [step: () => void, runs: string, left: string, list: string][] = [
    [() => {}, '11111', '1', '1,2'],
    [() => at.write(Todo, { id: '1', title: 'x' }), '10000', '1', '1,2'],
    [() => at.write(Todo, { id: '1', title: 'y', done: true }), '11010', '', '1,2'],
    [() => at.write(Todo, { id: '2', done: false }), '00010', '2', '1,2'],
    [() => at.respond('page', page, { results: [{ id: '1' }], cursor: 'y' }), '00001', '2', '1,2'],
    [() => at.remove(Todo, '1'), '00100', '2', '2'],
    [dispose, '00000', '2', '2'],
    [() => at.write(Todo, { id: '2', title: 'z', done: true }), '00000', '', '2'],
  ]
  for (const [step, runs, ...shown] of steps) {
    step()
    assert.is(watches.map(each => each.fresh()).join(''), runs)
    assert.equal([left(), list()].map(rows => rows.map(({ id }) => id).join()), shown)
  }
  assert.equal(watches[2]!.last, [at.entity(Todo, '2')])
})

test('a query is computed once for all who read it, and not at all when they are gone', async () => {
  const at = setup()
  computed = 0
  const dispose = createRoot(end => {
    watch(() => at.query(open)!.length)
    watch(() => at.query(open)!.map(todo => todo.id))
    return end
  })
  assert.is(computed, 1)
  at.write(Todo, { id: '2', done: false })
  assert.is(computed, 2)
  dispose()
  await Promise.resolve()
  at.write(Todo, { id: '2', done: true })
  assert.is(computed, 2)
  assert.equal(at.query(open)!.map(todo => todo.id), ['1'])
})

test('outside of effects the same objects are read, though nothing is remembered of the read', () => {
  const at = setup()
  const [one] = at.query(todos)!
  assert.is(at.query(todos), at.query(todos))
  assert.is(at.query(open), at.query(open))
  assert.is(at.result(page, 'page'), at.result(page, 'page'))
  assert.is(one!.at, one!.at)
  at.write(Todo, { id: '1', title: 'x' })
  assert.is(one!.title, 'x')
})

test('two fields of one commit are never seen apart', () => {
  const at = setup()
  const one = at.entity(Todo, '1')!
  const [seen, dispose] = createRoot(dispose => [watch(() => `${one.title}${at.query(todos)!.length}${String(one.done)}`), dispose])
  at.writeAll([todos.push, { id: '3' }], [Todo, { id: '1', title: 'n', done: true }])
  assert.equal([seen.runs, seen.last], [2, 'n3true'])
  dispose()
})

test.run()
