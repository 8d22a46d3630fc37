import { useComputed, type ReadonlySignal } from '@preact/signals'
import { h, type ComponentChild } from 'preact'
import { memo } from 'preact/compat'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { DataProvider, useCacheSignal, useController, useDLE, useQuery } from '../../../bindings/preact/index.ts'
import { useQuerySignal, useSuspense, useSuspenseSignal } from '../../../bindings/preact/index.ts'
import { All, Query, type Controller } from '../../../src/index.ts'
import { withDom } from '../../support/dom.ts'
import { waitFor } from './preactFramework.ts'
import { mutations, settle, Stage } from './preactStage.ts'
import { get, getList, remove, rowsOf, Todo } from './todo.ts'
import { until } from './wire.ts'

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

const oneDifferent = (): object[] => rowsOf(100).map(row => (row.id === '7' ? { ...row, title: 'new' } : row))

test('one field of one row, through a signal in JSX: one DOM mutation, no component rendered', async () => {
  const Row = ({ id }: { id: string }): ComponentChild => {
    count('row')
    const todo = useQuerySignal(Todo, { id })
    return h('li', null, useComputed(() => todo.value?.title))
  }
  // A list shows a new snapshot when a row changes: whoever does not want that reads the ids.
  const Ids = (): ComponentChild => {
    count('ids')
    const ids = useComputed(() => stage.controller.live(getList)!.map(({ id }) => id).join())
    return ids.value.split(',').map(id => h(Row, { key: id, id }))
  }
  stage.show(h(Ids, {}))
  assert.equal(counts, { ids: 1, row: 100 })
  const seen = await mutations(stage.page, () => stage.retitle('50', 'changed'))
  assert.equal(counts, { ids: 1, row: 100 })
  assert.equal(seen.map(({ type, target }) => [type, target.textContent]), [['characterData', 'changed']])
})

test('memoised rows: a field, or a refetch with one row different, renders that row and the list, and a refetch of the same nothing', async () => {
  const Row = memo(({ todo }: { todo: Todo }) => (count('row'), h('li', null, todo.title)))
  const List = (): ComponentChild => (count('list'), useSuspense(getList).map(todo => h(Row, { key: todo.id, todo })))
  stage.show(h(List, {}))
  assert.equal(counts, { list: 1, row: 100 })
  counts = {}
  assert.is((await mutations(stage.page, () => stage.retitle('7', 'changed'))).length, 1)
  assert.equal(counts, { list: 1, row: 1 })
  for (const wanted of [{ list: 1, row: 1 }, {}]) {
    counts = {}
    stage.expireAll()
    await stage.wire.answer('/todos', oneDifferent())
    await until(() => !stage.controller.isFetching(getList))
    await settle()
    assert.equal(counts, wanted)
  }
})

test('live objects render the component that reads the field, and no other', async () => {
  const Row = ({ id }: { id: string }): ComponentChild => (count(id), h('li', null, useController().live(Todo, { id })?.title))
  const List = (): ComponentChild => (count('list'), useController().live(getList)?.map(({ id }) => h(Row, { key: id, id })))
  stage.show(h(List, {}))
  counts = {}
  stage.retitle('50', 'changed')
  stage.controller.set(Todo, { id: '51' }, todo => void (todo.done = true))
  await settle()
  assert.equal(counts, { 50: 1 })
  void stage.controller.fetch(getList)
  await stage.wire.answer('/todos', oneDifferent())
  await settle()
  assert.equal(counts, { 50: 2, 7: 1 })
})

test('a component is rendered once for one commit, however many hooks it woke, and not for nothing new or when it is unmounted', async () => {
  const All = (): ComponentChild => {
    count('all')
    const values = [useSuspense(get, { id: '1' }), useQuery(Todo, { id: '1' }), useSuspense(getList)[1], useDLE(get, { id: '1' }).data]
    assert.is(new Set(values).size, 1)
    return values[0]!.title
  }
  stage.show(h(All, {}))
  assert.equal(counts, { all: 1 })
  stage.retitle('1', 'changed')
  await settle()
  assert.equal([counts, stage.text], [{ all: 2 }, 'changed'])
  stage.retitle('1', 'changed')
  stage.controller.set(Todo, { id: 'other' }, { id: 'other', title: '' })
  stage.controller.expireAll({ testKey: () => false })
  await settle()
  stage.show(null)
  stage.retitle('1', 'unseen')
  stage.expireAll()
  await settle()
  assert.equal([counts, stage.wire.sent], [{ all: 2 }, []])
})

test('after waiting a component is rendered once', async () => {
  const Title = (): ComponentChild => {
    count('title')
    const todo = useSuspense(get, { id: 'far' })
    count('shown')
    return todo.title
  }
  stage.show(waitFor(h(Title, {})))
  await stage.arrives('far', 'here', 'here')
  await settle()
  assert.equal(counts, { title: 2, shown: 1 })
})

for (const [name, use, key] of [
  ['useQuerySignal', id => useQuerySignal(Todo, id === null ? null : { id }), 'Todo'],
  ['useCacheSignal', id => useCacheSignal(get, id === null ? null : { id }), 'GET /todos/3'],
  ['useSuspenseSignal', id => useSuspenseSignal(get, id === null ? null : { id }), 'GET /todos/3'],
] as [name: string, use: (id: string | null) => ReadonlySignal<Todo | undefined>, key: string][]) {
  test(`a signal stays the same when the arguments become others, is named after them, and what is computed from it follows: ${name}`, async () => {
    const signals = new Set<ReadonlySignal & { readonly name?: string }>()
    const Title = ({ id }: { id: string | null; turn: number }): ComponentChild => {
      count('title')
      const todo = use(id)
      signals.add(todo)
      return h('b', null, useComputed(() => todo.value?.title ?? 'nothing'))
    }
    for (const [turn, id] of ['1', '2', null, '3', '3'].entries()) {
      stage.show(h(Title, { id, turn }))
      await settle()
      assert.is(stage.text, id === null ? 'nothing' : `title ${id}`)
    }
    stage.retitle('1', 'no')
    stage.retitle('3', 'yes')
    await settle()
    assert.equal([stage.text, counts, [...signals].map(each => each.name)], ['yes', { title: 5 }, [key]])
  })
}

const strict = get.extend({ invalidIfStale: true, dataExpiryLength: 0 })
for (const [name, endpoint, lose] of [
  ['is deleted', get, () => stage.controller.applyPatches([{ op: 'remove', path: ['entities', 'Todo', 'far'] }])],
  ['is reset', get, () => stage.controller.reset()],
  ['is invalidated', get, () => stage.controller.invalidate(get, { id: 'far' })],
  ['expires, where what is stale is invalid', strict, () => stage.expireAll()],
] as const) {
  test(`a signal that waits does so again when its data ${name}, throws what fails for good, and never shows nothing`, async () => {
    const seen: unknown[] = []
    const Title = (): ComponentChild => {
      count('title')
      const todo = useSuspenseSignal(endpoint, { id: 'far' })
      return h('b', null, useComputed(() => (seen.push(todo.value), todo.value.title)))
    }
    stage.show(waitFor(h(Title, {})))
    for (const title of ['there', 'anew']) {
      if (title === 'anew') lose()
      await stage.shows('waiting')
      await stage.arrives('far', title, title)
      await settle()
      counts = {}
      const changes = await mutations(stage.page, () => stage.retitle('far', 'changed'))
      assert.is(stage.text, 'changed')
      if (endpoint === get) assert.equal([counts, changes.length], [{}, 1])
    }
    stage.controller.setError(endpoint, { id: 'far' }, Object.assign(new Error('forbidden'), { status: 403 }))
    await stage.shows('error: forbidden')
    assert.equal([seen.includes(undefined), stage.wire.sent.length], [false, 2])
  })
}

test('arguments are compared by what they hold', () => {
  let asked = 0
  const { get: ask } = stage.controller
  const controller = Object.assign(Object.create(stage.controller) as Controller, { get: (...args: Parameters<typeof ask>) => (asked++, ask(...args)) })
  const Reader = ({ args }: { args: unknown[]; turn: number }): null => {
    useQuery<unknown>(Todo, ...args)
    return null
  }
  const rows: [times: number, ...args: unknown[]][] = [
    [1, { id: '1' }],
    [1, { id: '1' }],
    [2, 'id', '1'],
    [3, { id: '1', more: 2 }],
    [4, { id: '1' }, 'more', 2],
    [5, { id: '1' }, { more: 2 }],
    [6, { 0: 'a' }],
    [7, ['a']],
    [7, ['a']],
    [7, null],
    [8, ['a']],
  ]
  for (const [turn, [times, ...args]] of rows.entries()) {
    stage.draw(h(DataProvider, { controller, children: h(Reader, { args, turn }) }))
    assert.is(asked, times, `turn ${turn}`)
  }
})

test('a function that a component makes each time it is rendered is asked anew, and renders nothing by itself', async () => {
  const which = new Query(new All(Todo), (todos: Todo[], is: (todo: Todo) => boolean) => todos.filter(is))
  const Reader = ({ id }: { id: string }): ComponentChild => {
    count('reader')
    return h('b', null, useQuery(which, (todo: Todo) => todo.id === id)?.map(({ title }) => title))
  }
  for (const id of ['1', '3']) {
    stage.show([h(Reader, { id }), h(Reader, { id: '2' })])
    assert.is(stage.text, `title ${id}title 2`)
  }
  stage.retitle('2', 'changed')
  await stage.shows('title 3changed')
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
  stage.show(waitFor(h(List, {})))
  const gone = stage.controller.fetch(remove, { id: '1' })
  await stage.wire.answer('/todos/1', {})
  await gone
  await settle()
  assert.is(stage.page.querySelectorAll('li').length, 2)
  assert.equal(stage.wire.sent, ['DELETE /todos/1'])
})

test.run()
