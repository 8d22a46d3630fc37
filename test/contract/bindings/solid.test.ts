import { createComponent, createRoot } from 'solid-js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { DataProvider, useController } from '../../../bindings/solid/index.ts'
import type { DataProviderProps } from '../../../bindings/solid/index.ts'
import { Controller, ProviderError } from '../../../src/index.ts'
import { Disposals } from './Disposals.ts'

const test = suite('solid: DataProvider and useController')

const disposals = new Disposals()

/** Mounts a provider with one reader below; gives what it read and how to unmount. */
function mount(props: Pick<DataProviderProps, 'controller'>): { seen: Controller; unmount: () => void } {
  const read: Controller[] = []
  const Reader = (): null => {
    read.push(disposals.watch(useController()))
    return null
  }
  const unmount = createRoot((dispose) => {
    createComponent(DataProvider, {
      ...props,
      get children() {
        return createComponent(Reader, {})
      },
    })
    return dispose
  })
  assert.is(read.length, 1)
  return { seen: read[0] as Controller, unmount }
}

test('the controller that was given is the one that is used, and it outlives the provider', () => {
  const controller = new Controller()
  const { seen, unmount } = mount({ controller })
  assert.is(seen, controller)
  unmount()
  assert.is(disposals.of(controller), 0)
  controller.dispose()
})

test('without one the provider makes its own and disposes of it on unmount', () => {
  const { seen, unmount } = mount({})
  assert.type(seen.fetch, 'function')
  assert.is(disposals.of(seen), 0)
  unmount()
  assert.is(disposals.of(seen), 1)
})

test('two providers share nothing', () => {
  const one = mount({})
  const two = mount({})
  assert.is.not(one.seen, two.seen)
  one.unmount()
  assert.is(disposals.of(two.seen), 0)
  two.unmount()
})

test('outside of a provider the error says what to do', () => {
  let error: unknown
  createRoot((dispose) => {
    try {
      useController()
    } catch (thrown) {
      error = thrown
    }
    dispose()
  })
  assert.instance(error, ProviderError)
  assert.match((error as Error).message, /Wrap .* in <DataProvider>/)
})

test.run()
