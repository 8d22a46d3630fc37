import { createComponent, For } from 'solid-js'
import { insert, template } from 'solid-js/web'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { useLive } from '../../../bindings/solid/index.ts'
import { Controller } from '../../../src/index.ts'
import { connect } from '../../../src/push/index.ts'
import { withDom } from '../../support/dom.ts'
import { mountSolid } from '../bindings/solidFramework.ts'
import { set, settle, Todo, TodoResource, until, upsert, Wire } from './wire.ts'

const test = suite('push: bursts')

withDom(test)

const count = 10_000
const message = (n: number): object => {
  const id = n % 500
  const value = { id, title: `title ${n}`, done: true }
  const kinds = [
    upsert({ ...value, done: false }),
    upsert(value, '', 'newTodo'),
    { type: 'patches', patches: [{ op: 'add', path: ['entities', 'Todo', `${id}`], value }] },
    n % 7 === 0 ? { type: 'remove', entity: 'Todo', pk: id } : upsert({ id, title: `title ${n}` }),
    n % 25 === 4 ? upsert({}, '', 'Nothing') : { type: 'ping' },
  ]
  return { ...kinds[n % kinds.length], id: `${n}` }
}

test('ten thousand messages of all kinds in a second make at most 60 commits, with a call pending', async () => {
  const { wire, pass, controller, clock, commits, stream, routes, errors, todo } = set()
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
  assert.equal([stream.lastId(), errors.length], [`${count - 1}`, count / 25])
  assert.equal([todo(1)?.title, todo(498)?.title], ['mine', 'title 9998'])
  clock.advance(5000)
  await call
})

test('a burst lands as it would one by one', async () => {
  const messages = Array.from({ length: 2000 }, (_, n) => message(n * 7 + 1))
  const [burst, single] = [set(), set()]
  await burst.pass(0)
  burst.wire.send(...messages)
  await burst.pass(100)
  await single.pass(0)
  for (const each of messages) {
    single.wire.send(each)
    await new Promise(resolve => setTimeout(resolve))
    single.clock.advance(20)
  }
  const [atOnce, oneByOne] = [burst, single].map(({ todo }) => Array.from({ length: 500 }, (_, id) => todo(id)?.title))
  assert.equal(atOnce, oneByOne)
  assert.ok(burst.commits() === 1 && single.commits() > 1000, `${burst.commits()} ${single.commits()}`)
})

test('a changed field is one DOM mutation, and a burst of changes to one field too', async () => {
  const wire = new Wire()
  const body = Array.from({ length: 200 }, (_, id) => ({ id, title: `title ${id}`, done: false }))
  const controller = new Controller({ fetch: async () => Response.json(body) })
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
  const shows = async (title: string): Promise<void> => {
    await until(() => list.children[7]?.firstChild!.textContent === title)
    await settle()
  }
  await shows('title 7')
  const records: MutationRecord[] = []
  const { MutationObserver: Observer } = window as unknown as { MutationObserver: typeof MutationObserver }
  const observer = new Observer(found => void records.push(...found))
  observer.observe(list, { childList: true, characterData: true, subtree: true })
  wire.send(upsert({ id: 7, title: 'mow' }))
  await shows('mow')
  assert.is(records.length, 1)
  for (let n = 0; n < 1000; n++) wire.send(upsert({ id: 7, title: `mow ${n}` }, `${n}`))
  await shows('mow 999')
  assert.ok(records.length <= 3, `${records.length} mutations`)
  assert.is(rows, 200)
  observer.disconnect()
  stream.stop()
  screen.unmount()
})

test.run()
