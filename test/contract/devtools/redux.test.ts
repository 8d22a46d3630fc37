import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Controller } from '../../../src/index.ts'
import { devtools } from '../../../src/devtools/index.ts'
import { mockFetch } from '../../../src/testing/index.ts'
import { rows, Todo, TodoResource } from './world.ts'

const test = suite('devtools: Redux DevTools')

interface Message {
  readonly type: string
  readonly payload?: object
}

/** The page's side of the extension, as its documentation describes it. */
function createExtension() {
  const sent: [verb: string, ...rest: unknown[]][] = []
  let listener: (message: Message) => void = () => {}
  return {
    sent,
    press: (type: string, payload?: object) => listener({ type, ...(payload ? { payload } : {}) }),
    connect(options: { readonly name: string }) {
      sent.push(['connect', options.name])
      return {
        init: (state: unknown) => void sent.push(['init', state]),
        send: (action: { readonly type: string }, state: unknown) => void sent.push(['send', action.type, state]),
        subscribe(next: (message: Message) => void) {
          listener = next
          return () => void (listener = () => sent.push(['left']))
        },
      }
    },
  }
}

type Holder = { __REDUX_DEVTOOLS_EXTENSION__?: ReturnType<typeof createExtension> }

test('gets every commit with the document, and jumps', async () => {
  const extension = ((globalThis as Holder).__REDUX_DEVTOOLS_EXTENSION__ = createExtension())
  try {
    const controller = new Controller({ fetch: mockFetch({ 'GET /todos': { body: [{ ...rows[0], owner: undefined }] } }) })
    const tools = devtools(controller, { panel: false, name: 'shop' })
    await controller.fetch(TodoResource.getList)
    controller.set(Todo, { id: 1 }, todo => void (todo.title = 'plough'))
    const { sent } = extension
    assert.equal(sent.map(([verb, text]) => (verb === 'init' ? verb : [verb, text])), [['connect', 'shop'], 'init', ['send', 'fetch GET /todos'], ['send', 'set']])
    assert.equal(sent[1]![1], { entities: {}, endpoints: {} })
    const { entities } = sent[3]![2] as { entities: { Todo: unknown } }
    assert.equal(entities.Todo, { 1: { id: 1, title: 'plough', done: false } })

    extension.press('DISPATCH', { type: 'JUMP_TO_ACTION', actionId: 1 })
    assert.is(controller.get(Todo, { id: 1 })?.title, 'sow')
    extension.press('DISPATCH', { type: 'JUMP_TO_STATE', actionId: 0 })
    assert.is(controller.get(Todo, { id: 1 }), undefined)
    extension.press('DISPATCH', { type: 'JUMP_TO_STATE', actionId: 2 })
    assert.is(controller.get(Todo, { id: 1 })?.title, 'plough')
    extension.press('DISPATCH', { type: 'COMMIT' })
    assert.is(sent.at(-1)![0], 'init')
    controller.set(Todo, { id: 1 }, todo => void (todo.title = 'rest'))
    extension.press('DISPATCH', { type: 'JUMP_TO_STATE', actionId: 0 })
    assert.is(controller.get(Todo, { id: 1 })?.title, 'plough')
    tools.dispose()
    assert.is(controller.get(Todo, { id: 1 })?.title, 'rest')
    const count = sent.length
    controller.set(Todo, { id: 1 }, todo => void (todo.title = 'dance'))
    assert.is(sent.length, count)
  } finally {
    delete (globalThis as Holder).__REDUX_DEVTOOLS_EXTENSION__
  }
})

test('gets numbers of rows instead of a large document', () => {
  const extension = ((globalThis as Holder).__REDUX_DEVTOOLS_EXTENSION__ = createExtension())
  try {
    const controller = new Controller({ fetch: mockFetch({}) })
    const tools = devtools(controller, { panel: false })
    controller.setResponse(TodoResource.getList, Array.from({ length: 3000 }, (_, id) => ({ id: id + 1, title: 't' })))
    const state = extension.sent.at(-1)![2] as { readonly [table: string]: string }
    assert.is(state['Todo'], '3000 rows')
    tools.dispose()
  } finally {
    delete (globalThis as Holder).__REDUX_DEVTOOLS_EXTENSION__
  }
})

test.run()
