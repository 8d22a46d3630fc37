import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Controller } from '../../../src/index.ts'
import { devtools } from '../../../src/devtools/index.ts'
import { mockFetch } from '../../../src/testing/index.ts'
import { getList, rows, Todo } from './world.ts'

const test = suite('devtools: Redux DevTools')

type Listener = (message: { readonly type: string; readonly payload: object }) => void

/** The page's side of the extension, as its documentation describes it, and a controller that is connected to it. */
function connect() {
  const sent: [verb: string, ...rest: unknown[]][] = []
  let listener: Listener = () => {}
  const extension = {
    connect(options: { readonly name: string }) {
      sent.push(['connect', options.name])
      return {
        init: (state: unknown) => void sent.push(['init', state]),
        send: (action: { readonly type: string }, state: unknown) => void sent.push(['send', action.type, state]),
        subscribe(next: Listener) {
          listener = next
          return () => void (listener = () => sent.push(['left']))
        },
      }
    },
  }
  const controller = new Controller({ fetch: mockFetch({ 'GET /todos': { body: [{ ...rows[0], owner: undefined }] } }) })
  Object.assign(globalThis, { __REDUX_DEVTOOLS_EXTENSION__: extension })
  const tools = devtools(controller, { panel: false, name: 'shop' })
  Reflect.deleteProperty(globalThis, '__REDUX_DEVTOOLS_EXTENSION__')
  return { sent, press: (payload: object) => listener({ type: 'DISPATCH', payload }), controller, tools }
}

test('gets every commit with the document, and jumps', async () => {
  const { sent, press, controller, tools } = connect()
  const title = (): string | undefined => controller.get(Todo, { id: 1 })?.title
  const change = (title: string): void => controller.set(Todo, { id: 1 }, todo => void (todo.title = title))
  await controller.fetch(getList)
  change('plough')
  const words = sent.map(([verb, text]) => (verb === 'init' ? verb : [verb, text]))
  assert.equal(words, [['connect', 'shop'], 'init', ['send', 'fetch GET /todos'], ['send', 'set']])
  assert.equal(sent[1]![1], { entities: {}, endpoints: {} })
  const { entities } = sent[3]![2] as { entities: { Todo: unknown } }
  assert.equal(entities.Todo, { 1: { id: 1, title: 'plough', done: false } })

  for (const [type, actionId, expected] of [['JUMP_TO_ACTION', 1, 'sow'], ['JUMP_TO_STATE', 0, undefined], ['JUMP_TO_STATE', 2, 'plough']] as const) {
    press({ type, actionId })
    assert.is(title(), expected)
  }
  press({ type: 'COMMIT' })
  assert.is(sent.at(-1)![0], 'init')
  change('rest')
  press({ type: 'JUMP_TO_STATE', actionId: 0 })
  assert.is(title(), 'plough')
  tools.dispose()
  assert.is(title(), 'rest')
  const count = sent.length
  change('dance')
  assert.is(sent.length, count)
})

test('gets numbers of rows instead of a large document', () => {
  const { sent, controller, tools } = connect()
  controller.setResponse(getList, Array.from({ length: 3000 }, (_, id) => ({ id: id + 1, title: 't' })))
  assert.is((sent.at(-1)![2] as { readonly [table: string]: string })['Todo'], '3000 rows')
  tools.dispose()
})

test.run()
