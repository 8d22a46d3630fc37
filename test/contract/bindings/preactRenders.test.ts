import { useComputed, type ReadonlySignal } from '@preact/signals'
import { h, type ComponentChild } from 'preact'
import { memo, Suspense } from 'preact/compat'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { DataProvider, useCacheSignal, useController, useDLE, useQuery, useQuerySignal, useSuspense, useSuspenseSignal } from '../../../bindings/preact/index.ts'
import { All, Query, type Controller } from '../../../src/index.ts'
import { withDom } from '../../support/dom.ts'
import { get, getList, mutations, remove, rowsOf, settle, Stage, Todo } from './preactStage.ts'

/** How often what is rendered, and what happens to the DOM. */
const test = suite('preact: renders')
withDom(test)

let stage: Stage
let counts: Record<string, number>
const count = (name: string): void => void (counts[name] = (counts[name] ?? 0) + 1)

test.before.each(() => {
  stage = new Stage()
  counts = {}
  stage.controller.setResponse(getList, rowsOf(100))
})
test.after.each(() => stage.end())

const retitle = (id: string, title: string): void => stage.controller.set(Todo, { id }, todo => void (todo.title = title))

test('one field of one row, through a signal in JSX: one DOM mutation, no component rendered', async () => {
  const Row = ({ id }: { id: string }): ComponentChild => {
    count('row')
    const todo = useQuerySignal(Todo, { id })
    return h('li', null, useComputed(() => todo.value?.title))
  }
  const List = (): ComponentChild => {
    count('list')
    return useSuspense(getList).map(({ id }) => h(Row, { key: id, id }))
  }
  stage.show(h(List, {}))
  assert.equal(counts, { list: 1, row: 100 })
  // The list itself shows a new snapshot when a row changes: whoever does not want that reads the ids.
  const Ids = (): ComponentChild => {
    count('ids')
    const ids = useComputed(() => stage.controller.live(getList)!.map(({ id }) => id).join())
    return ids.value.split(',').map(id => h(Row, { key: id, id }))
  }
  stage.show(h(Ids, {}))
  counts = {}
  const seen = await mutations(stage.page, () => retitle('50', 'changed'))
  assert.equal(counts, {})
  assert.equal(seen.map(({ type, target }) => [type, target.textContent]), [['characterData', 'changed']])
})

const MemoRow = memo(({ todo }: { todo: Todo }) => {
  count('row')
  return h('li', null, todo.title)
})
const MemoList = (): ComponentChild => {
  count('list')
  return useSuspense(getList).map(todo => h(MemoRow, { key: todo.id, todo }))
}

test('one field of one row, through memoised rows: one row and the list', async () => {
  stage.show(h(MemoList, {}))
  counts = {}
  const seen = await mutations(stage.page, () => retitle('50', 'changed'))
  assert.equal(counts, { list: 1, row: 1 })
  assert.is(seen.length, 1)
})

test('a refetch with one row different renders one row, and the same again nothing', async () => {
  stage.show(h(MemoList, {}))
  counts = {}
  void stage.controller.fetch(getList)
  await stage.wire.answer('/todos', rowsOf(100))
  assert.equal((await mutations(stage.page, () => {})).length, 0)
  assert.equal(counts, {})
  void stage.controller.fetch(getList)
  await stage.wire.answer('/todos', rowsOf(100).map(row => (row.id === '7' ? { ...row, title: 'new' } : row)))
  await settle()
  assert.equal(counts, { list: 1, row: 1 })
})

test('live objects render the component that reads the field, and no other', async () => {
  const Row = ({ id }: { id: string }): ComponentChild => {
    count(id)
    return h('li', null, useController().live(Todo, { id })?.title)
  }
  const List = (): ComponentChild => {
    count('list')
    return useController().live(getList)?.map(({ id }) => h(Row, { key: id, id }))
  }
  stage.show(h(List, {}))
  counts = {}
  retitle('50', 'changed')
  stage.controller.set(Todo, { id: '51' }, todo => void (todo.done = true))
  await settle()
  assert.equal(counts, { 50: 1 })
  void stage.controller.fetch(getList)
  await settle()
  await stage.wire.answer('/todos', rowsOf(100).map(row => (row.id === '7' ? { ...row, title: 'new' } : row)))
  await settle()
  assert.equal(counts, { 50: 2, 7: 1 })
})

test('a hook renders its component once for one commit, however many hooks it woke, and not at all for nothing new', async () => {
  const All = (): ComponentChild => {
    count('all')
    const values = [useSuspense(get, { id: '1' }), useQuery(Todo, { id: '1' }), useSuspense(getList)[1], useDLE(get, { id: '1' }).data]
    assert.is(new Set(values).size, 1)
    return values[0]!.title
  }
  stage.show(h(All, {}))
  assert.equal(counts, { all: 1 })
  retitle('1', 'changed')
  await settle()
  assert.equal(counts, { all: 2 })
  assert.is(stage.text, 'changed')
  retitle('1', 'changed')
  stage.controller.set(Todo, { id: 'other' }, { id: 'other', title: '' })
  stage.controller.expireAll({ testKey: () => false })
  await settle()
  assert.equal(counts, { all: 2 })
})

test('a refetch that brings the same renders nothing, though the request came and went', async () => {
  const Title = (): ComponentChild => {
    count('title')
    return useSuspense(get, { id: '1' }).title
  }
  stage.controller.setResponse(get, { id: '1' }, rowsOf(2)[1])
  stage.show(h(Title, {}))
  stage.controller.expireAll({ testKey: () => true })
  await stage.wire.answer('/todos/1', rowsOf(2)[1])
  await settle()
  assert.equal(counts, { title: 1 })
  assert.is(stage.wire.sent.length, 1)
})

test('after waiting a component is rendered once', async () => {
  const Title = (): ComponentChild => {
    count('title')
    const todo = useSuspense(get, { id: 'far' })
    count('shown')
    return todo.title
  }
  stage.show(h(Suspense, { fallback: 'waiting', children: h(Title, {}) }))
  await stage.wire.answer('/todos/far', { id: 'far', title: 'here' })
  await settle()
  assert.is(stage.text, 'here')
  assert.equal(counts, { title: 2, shown: 1 })
})

test('a signal stays the same when the arguments become others, and is named after them', () => {
  const seen: unknown[][] = []
  const Signals = ({ id }: { id: string; turn: number }): null => {
    seen.push([useQuerySignal(Todo, { id }), useCacheSignal(get, { id }), useSuspenseSignal(get, { id })])
    return null
  }
  stage.show(h(Signals, { id: '1', turn: 1 }))
  assert.equal(seen[0]!.map(each => (each as { name: string }).name), ['Todo', 'GET /todos/1', 'GET /todos/1'])
  stage.show(h(Signals, { id: '1', turn: 2 }))
  stage.show(h(Signals, { id: '2', turn: 3 }))
  for (const n of [0, 1, 2]) {
    assert.is(seen[0]![n], seen[1]![n])
    assert.is(seen[0]![n], seen[2]![n])
    assert.is((seen[2]![n] as { value: Todo }).value.title, 'title 2')
  }
  assert.equal(seen[0]!.map(each => (each as { name: string }).name), ['Todo', 'GET /todos/2', 'GET /todos/2'])
})

for (const [name, use] of [
  ['useQuerySignal', id => useQuerySignal(Todo, id === null ? null : { id })],
  ['useCacheSignal', id => useCacheSignal(get, id === null ? null : { id })],
  ['useSuspenseSignal', id => useSuspenseSignal(get, id === null ? null : { id })],
] as [name: string, use: (id: string | null) => ReadonlySignal<Todo | undefined>][]) {
  test(`what is computed from a signal follows the arguments: ${name}`, async () => {
    const Title = ({ id }: { id: string | null }): ComponentChild => {
      count('title')
      const todo = use(id)
      return h('b', null, useComputed(() => todo.value?.title ?? 'nothing'))
    }
    for (const [id, text] of [['1', 'title 1'], ['2', 'title 2'], [null, 'nothing'], ['3', 'title 3']] as const) {
      stage.show(h(Title, { id }))
      await settle()
      assert.is(stage.text, text)
    }
    retitle('1', 'no')
    retitle('3', 'yes')
    await settle()
    assert.is(stage.text, 'yes')
    assert.equal(counts, { title: 4 })
  })
}

test('a signal that waits keeps its component from rendering until it must wait again', async () => {
  const Title = (): ComponentChild => {
    count('title')
    const todo = useSuspenseSignal(get, { id: '1' })
    return h('b', null, useComputed(() => todo.value.title))
  }
  stage.show(h(Suspense, { fallback: 'waiting', children: h(Title, {}) }))
  const seen = await mutations(stage.page, () => retitle('1', 'changed'))
  assert.equal([counts, seen.length, stage.text], [{ title: 1 }, 1, 'changed'])
  stage.controller.invalidate(get, { id: '1' })
  await settle()
  assert.is(stage.text, 'waiting')
  await stage.wire.answer('/todos/1', { id: '1', title: 'anew' })
  await settle()
  assert.is(stage.text, 'anew')
  retitle('1', 'last')
  await settle()
  assert.is(stage.text, 'last')
})

test('a signal that waits never shows nothing to those who read it', async () => {
  const seen: unknown[] = []
  const Title = (): ComponentChild => {
    const todo = useSuspenseSignal(get, { id: '1' })
    return h('b', null, useComputed(() => (seen.push(todo.value), todo.value.title)))
  }
  const gone = { testKey: () => true }
  for (const lose of [
    () => stage.controller.applyPatches([{ op: 'remove', path: ['entities', 'Todo', '1'] }]),
    () => stage.controller.reset(),
    () => stage.controller.invalidateAll(gone),
  ]) {
    stage.controller.setResponse(get, { id: '1' }, { id: '1', title: 'there' })
    stage.show(h(Suspense, { fallback: 'waiting', children: h(Title, {}) }))
    await settle()
    lose()
    await settle()
    assert.is(stage.text, 'waiting')
    await stage.wire.answer('/todos/1', { id: '1', title: 'anew' })
    await settle()
    assert.is(stage.text, 'anew')
    stage.show(null)
  }
  assert.not(seen.includes(undefined))
})

test('arguments are compared by what they hold', () => {
  let asked = 0
  const { get: ask } = stage.controller
  const controller = Object.assign(Object.create(stage.controller) as Controller, { get: (...args: Parameters<typeof ask>) => (asked++, ask(...args)) })
  const Reader = ({ args }: { args: unknown[]; turn: number }): null => {
    useQuery<unknown>(Todo, ...args)
    return null
  }
  let turn = 0
  const times = (...args: unknown[]): number => {
    stage.draw(h(DataProvider, { controller, children: h(Reader, { args, turn: turn++ }) }))
    return asked
  }
  assert.is(times({ id: '1' }), 1)
  assert.is(times({ id: '1' }), 1)
  assert.is(times('id', '1'), 2)
  assert.is(times({ id: '1', more: 2 }), 3)
  assert.is(times({ id: '1' }, 'more', 2), 4)
  assert.is(times({ id: '1' }, { more: 2 }), 5)
  assert.is(times({ 0: 'a' }), 6)
  assert.is(times(['a']), 7)
  assert.is(times(['a']), 7)
  assert.is(times(null), 7)
  assert.is(times(['a']), 8)
})

test('a function that a component makes each time it is rendered is asked anew, and renders nothing by itself', async () => {
  const which = new Query(new All(Todo), (todos: Todo[], is: (todo: Todo) => boolean) => todos.filter(is))
  const Reader = ({ id }: { id: string }): ComponentChild => {
    count('reader')
    return h('b', null, useQuery(which, (todo: Todo) => todo.id === id)?.map(({ title }) => title))
  }
  stage.show([h(Reader, { id: '1' }), h(Reader, { id: '2' })])
  assert.is(stage.text, 'title 1title 2')
  stage.show([h(Reader, { id: '3' }), h(Reader, { id: '2' })])
  assert.is(stage.text, 'title 3title 2')
  retitle('2', 'changed')
  await settle()
  assert.is(stage.text, 'title 3changed')
  assert.ok(counts.reader! <= 5)
})

test('a child whose row is deleted goes with its row, and asks for nothing', async () => {
  const Row = ({ id }: { id: string }): ComponentChild => {
    const { title } = useSuspense(get, { id })
    const dle = useDLE(get, { id })
    const query = useQuery(Todo, { id })
    // A child that outlives its data would fail here.
    return h('li', null, title, dle.data!.title, query!.title)
  }
  const List = (): ComponentChild => useSuspense(getList).map(({ id }) => h(Row, { key: id, id }))
  stage.controller.setResponse(getList, rowsOf(3))
  stage.show(h(Suspense, { fallback: 'waiting', children: h(List, {}) }))
  const gone = stage.controller.fetch(remove, { id: '1' })
  await stage.wire.answer('/todos/1', {})
  await gone
  await settle()
  assert.is(stage.page.querySelectorAll('li').length, 2)
  assert.equal(stage.wire.sent, ['DELETE /todos/1'])
})

test('a provider that is rendered again renders nobody below it', () => {
  const Reader = (): ComponentChild => {
    count('reader')
    return useQuery(Todo, { id: '1' })?.title
  }
  stage.show(h(Reader, {}))
  stage.show(h(Reader, {}))
  assert.equal(counts, { reader: 1 })
})

test('what is unmounted is not rendered again', async () => {
  const Reader = (): ComponentChild => {
    count('reader')
    return [useSuspense(get, { id: '1' }).title, useQuery(Todo, { id: '1' })?.title, useDLE(get, { id: '1' }).data?.title].join()
  }
  stage.show(h(Reader, {}))
  stage.show(null)
  counts = {}
  retitle('1', 'changed')
  stage.controller.expireAll({ testKey: () => true })
  await settle()
  assert.equal(counts, {})
  assert.equal(stage.wire.sent, [])
})

test.run()
