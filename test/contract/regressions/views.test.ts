import { batch, computed } from '@preact/signals-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createHistory } from '../../../src/history/index.ts'
import { All, schema } from '../../../src/index.ts'
import { begun, get, getList, Todo, titleOf, seen, type Page } from './page.ts'

const test = suite('regressions: views and signals')

const rename = ({ controller }: Page, title: string): void => controller.set(Todo, { id: '1' }, todo => void (todo.title = title))

test('signals#947 #145 there and back in one batch wakes nobody, what comes after it does, and all that a batch reads is current', () => {
  const page = begun()
  const view = page.controller.view(get, { id: '1' })
  const [title, shout] = [computed(() => titleOf(page)), computed(() => view.value!.title.toUpperCase())]
  const values = seen(() => [title.value, shout.value].join())
  batch(() => {
    rename(page, 'b')
    rename(page, 'old')
  })
  batch(() => {
    rename(page, 'new')
    assert.equal([titleOf(page), view.value!.title, title.value, shout.value], ['new', 'new', 'new', 'NEW'])
  })
  assert.equal(values, ['old,OLD', 'new,NEW'])
})

test('zero#6065 #6104 two questions with the same arguments are two views', () => {
  const { controller } = begun()
  controller.setResponse(getList, [{ id: '1' }, { id: '2', title: 'two' }])
  const all = new All(Todo)
  const two = new schema.Query(all, (todos: readonly Todo[], { id }: { id: string }) => todos.filter(todo => todo.id === id))
  const one = new schema.Query(all, (todos: readonly Todo[], { id }: { id: string }) => todos.find(todo => todo.id === id))
  const args = { id: '2' }
  const [list, found, row] = [controller.get(two, args)!, controller.get(one, args)!, controller.get(Todo, args)!]
  assert.equal([list.length, found.title, row.title, controller.get(all)!.length], [1, 'two', 'two', 2])
})

test('apollo-client#8826 #8852 who watches before a reset watches after it', () => {
  const page = begun()
  const values = seen(() => titleOf(page))
  const live = seen(() => (page.controller.live(get, { id: '1' }) as Todo | undefined)?.title)
  page.controller.reset()
  page.controller.setResponse(get, { id: '1' }, { id: '1', title: 'again' })
  assert.equal([values, live], [['old', undefined, 'again'], ['old', undefined, 'again']])
})

test('TanStack/query#7966 #8004 an updater that throws changes nothing, says so to its caller, and spoils no later one', () => {
  const page = begun()
  const history = createHistory(page.controller)
  const before = page.controller.snapshot()
  const values = seen(() => titleOf(page))
  assert.throws(() => page.controller.set(Todo, { id: '1' }, todo => {
    todo.title = 'half'
    throw new Error('updater')
  }), 'updater')
  assert.is(page.controller.snapshot(), before)
  assert.is(history.canUndo.value, false)
  rename(page, 'new')
  assert.equal([values, history.canUndo.value], [['old', 'new'], true])
})

test.run()
