import { createComponent, For } from 'solid-js'
import { insert, template } from 'solid-js/web'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { useLive } from '../../../bindings/solid/index.ts'
import { Controller } from '../../../src/index.ts'
import { connect } from '../../../src/push/index.ts'
import { withDom } from '../../support/dom.ts'
import { mountSolid } from '../bindings/solidFramework.ts'
import { set, settle, Todo, TodoResource, Wire } from './wire.ts'

const test = suite('push: bursts')

withDom(test)

const count = 10_000
const message = (n: number): object => {
  const id = n % 500
  const kinds = [
    { type: 'upsert', entity: 'Todo', value: { id, title: `title ${n}`, done: false } },
    { type: 'upsert', entity: 'newTodo', value: { id, title: `title ${n}`, done: true } },
    { type: 'patches', patches: [{ op: 'add', path: ['entities', 'Todo', `${id}`], value: { id, title: `title ${n}`, done: true } }] },
    n % 7 === 0 ? { type: 'remove', entity: 'Todo', pk: id } : { type: 'upsert', entity: 'Todo', value: { id, title: `title ${n}` } },
    n % 25 === 4 ? { type: 'upsert', entity: 'Nothing', value: {} } : { type: 'ping' },
  ]
  return { id: `${n}`, ...kinds[n % kinds.length] }
}

test('ten thousand messages of all kinds in a second make at most 60 commits, with a call pending', async () => {
  const { wire, pass, controller, clock, commits, stream, routes, errors } = set()
  routes['PATCH /todos/1'] = { body: { id: 1, title: 'mine', done: false }, delay: 5000 }
  await controller.fetch(TodoResource.getList)
  const call = controller.fetch(TodoResource.partialUpdate, { id: 1 }, { title: 'mine' })
  await pass(100)
  const before = commits()
  const started = clock.now()
  for (let n = 0; n < count; ) {
    // A tick of a millisecond, as they would come over a network.
    for (const end = n + count / 1000; n < end; n++) wire.send(message(n))
    await new Promise(resolve => setTimeout(resolve))
    clock.advance(1)
  }
  assert.is(clock.now() - started, 1000)
  const made = commits() - before
  assert.ok(made <= 60 && made >= 45, `${made} commits`)
  await pass(100)
  assert.is(stream.lastId(), `${count - 1}`)
  assert.is(errors.length, count / 25)
  assert.is(controller.get(Todo, { id: 1 })?.title, 'mine')
  assert.is(controller.get(Todo, { id: 498 })?.title, 'title 9998')
  clock.advance(5000)
  await call
})

test('a burst lands as it would one by one', async () => {
  const messages = Array.from({ length: 2000 }, (_, n) => message(n * 7 + 1))
  const burst = set()
  await burst.pass(0)
  burst.wire.send(...messages)
  await burst.pass(100)
  const single = set()
  await single.pass(0)
  for (const each of messages) {
    single.wire.send(each)
    await Promise.resolve()
    await Promise.resolve()
    await new Promise(resolve => setTimeout(resolve))
    single.clock.advance(20)
  }
  const rows = ({ controller }: typeof single): unknown[] => Array.from({ length: 500 }, (_, id) => controller.get(Todo, { id })?.title)
  assert.equal(rows(burst), rows(single))
  assert.ok(burst.commits() === 1 && single.commits() > 1000, `${burst.commits()} ${single.commits()}`)
})

test('a changed field is one DOM mutation, and a burst of changes to one field too', async () => {
  const wire = new Wire()
  const controller = new Controller({ fetch: async () => Response.json(Array.from({ length: 200 }, (_, id) => ({ id, title: `title ${id}`, done: false }))) })
  const stream = connect(controller, { source: wire.source, types: { Todo } })
  const list = document.createElement('ul')
  const row = template('<li><b></b><i></i></li>')
  let rows = 0
  const screen = mountSolid(controller, () => {
    const todos = useLive(TodoResource.getList.extend({ stream: true }))
    insert(list, createComponent(For, {
      get each() {
        return todos()
      },
      children: (todo: Todo) => {
        rows++
        const item = row() as HTMLElement
        insert(item.firstChild!, () => todo.title)
        insert(item.lastChild!, () => String(todo.done))
        return item
      },
    }))
    return list
  })
  const until = async (isSo: () => boolean): Promise<void> => {
    for (const end = Date.now() + 20_000; !isSo(); ) {
      if (Date.now() > end) throw new Error('It never came.')
      await new Promise(resolve => setTimeout(resolve, 5))
    }
  }
  await until(() => list.children.length === 200)
  const records: MutationRecord[] = []
  const Observer = (globalThis as { MutationObserver?: typeof MutationObserver }).MutationObserver ?? (window as unknown as { MutationObserver: typeof MutationObserver }).MutationObserver
  const observer = new Observer(found => void records.push(...found))
  observer.observe(list, { childList: true, characterData: true, subtree: true })
  wire.send({ id: '1', type: 'upsert', entity: 'Todo', value: { id: 7, title: 'mow' } })
  await until(() => list.children[7]!.firstChild!.textContent === 'mow')
  await settle()
  assert.is(records.length, 1)
  for (let n = 0; n < 1000; n++) wire.send({ id: `${n}`, type: 'upsert', entity: 'Todo', value: { id: 7, title: `mow ${n}` } })
  await until(() => list.children[7]!.firstChild!.textContent === 'mow 999')
  await settle()
  assert.ok(records.length <= 3, `${records.length} mutations`)
  assert.is(rows, 200)
  observer.disconnect()
  stream.stop()
  screen.unmount()
})

test.run()
