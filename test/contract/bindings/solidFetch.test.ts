import { batch, createMemo, createSignal } from 'solid-js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { useFetch } from '../../../bindings/solid/index.ts'
import { Controller } from '../../../src/index.ts'
import { withDom } from '../../support/dom.ts'
import { mountSolid } from './solidFramework.ts'
import { get, type Todo } from './solidTodo.ts'
import { Wire } from './wire.ts'

const test = suite('solid: useFetch')

withDom(test)

test('whoever reads it gets the promise for the arguments as they are', async () => {
  const wire = new Wire()
  const controller = new Controller({ fetch: wire.fetch })
  const [id, setId] = createSignal('1')
  const seen: unknown[][] = [[], [], []]
  let promise: (() => Promise<Todo | undefined> | undefined) | undefined
  const screen = mountSolid(controller, () => {
    const asked = (promise = useFetch(get, () => ({ id: id() })))
    for (const each of seen) createMemo(() => void each.push(asked()))
    return ''
  })
  // Which of several readers Solid runs first changes from time to time.
  for (const next of ['2', '3', '4']) {
    setId(next)
    for (const each of seen) assert.is(each.at(-1), promise!(), next)
  }
  let given: Promise<Todo | undefined> | undefined
  batch(() => {
    setId('5')
    given = promise!()
  })
  await wire.answer('/todos/5', { id: '5', title: 'five' })
  assert.is((await given)?.title, 'five')
  assert.is(wire.sent.length, 5)
  screen.unmount()
  controller.dispose()
})

test.run()
