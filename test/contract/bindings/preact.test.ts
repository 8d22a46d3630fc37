import { h, render } from 'preact'
import type { ComponentChild } from 'preact'
import { act } from 'preact/test-utils'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { DataProvider, useController } from '../../../bindings/preact/index.ts'
import { Controller, ProviderError } from '../../../src/index.ts'
import { withDom } from '../../support/dom.ts'
import { Disposals } from './Disposals.ts'

const test = suite('preact: DataProvider and useController')
withDom(test)

const disposals = new Disposals()

/** A container that renders a provider, and the controller that a reader below it saw last. */
function stage(): { show: (controller?: Controller) => Promise<Controller>; clear: () => Promise<void> } {
  const container = document.createElement('div')
  let seen: Controller | undefined
  const Reader = (): null => {
    seen = disposals.watch(useController())
    return null
  }
  const draw = (node: ComponentChild): Promise<void> => act(() => render(node, container))
  return {
    async show(controller) {
      await draw(h(DataProvider, { controller, children: h(Reader, null) }))
      return seen as Controller
    },
    clear: () => draw(null),
  }
}

test('the controller that was given is the one that is used, and it outlives the provider', async () => {
  const controller = new Controller()
  const { show, clear } = stage()
  assert.is(await show(controller), controller)
  await clear()
  assert.is(disposals.of(controller), 0)
  controller.dispose()
})

test('without one the provider makes its own, keeps it, and disposes of it on unmount', async () => {
  const { show, clear } = stage()
  const own = await show()
  assert.type(own.fetch, 'function')
  assert.is(await show(), own)
  assert.is(disposals.of(own), 0)
  await clear()
  assert.is(disposals.of(own), 1)
})

test('a controller that comes later replaces the own one', async () => {
  const controller = new Controller()
  const { show, clear } = stage()
  const own = await show()
  assert.is(await show(controller), controller)
  assert.is(disposals.of(own), 1)
  await clear()
  assert.equal([disposals.of(own), disposals.of(controller)], [1, 0])
  controller.dispose()
})

test('when the controller that was given is taken away, the own one that follows stays alive', async () => {
  const controller = new Controller()
  const { show, clear } = stage()
  await show(controller)
  const own = await show()
  assert.is.not(own, controller)
  assert.equal([disposals.of(own), disposals.of(controller)], [0, 0])
  await clear()
  controller.dispose()
})

test('outside of a provider the error says what to do', () => {
  const Reader = (): null => {
    useController()
    return null
  }
  let error: unknown
  try {
    render(h(Reader, null), document.createElement('div'))
  } catch (thrown) {
    error = thrown
  }
  assert.instance(error, ProviderError)
  assert.match((error as Error).message, /Wrap .* in <DataProvider>/)
})

test.run()
