import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { systemPlatform } from '../../../src/base/platform.ts'

const test = suite('the system platform')

/** Runs `work` while a global is something else. */
function withGlobals(values: { readonly [name: string]: unknown }, work: () => void): void {
  const before = Object.keys(values).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const)
  for (const [name, value] of Object.entries(values)) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  try {
    work()
  } finally {
    for (const [name, descriptor] of before) {
      if (descriptor) Object.defineProperty(globalThis, name, descriptor)
      else Reflect.deleteProperty(globalThis, name)
    }
  }
}

test('without a window it is online, seen, and nobody tells', () => {
  withGlobals({ window: undefined, document: undefined, navigator: undefined }, () => {
    assert.ok(systemPlatform.online())
    assert.ok(systemPlatform.visible())
    systemPlatform.watch(() => assert.unreachable())()
  })
})

test('reads the page, and listens until it is told not to', () => {
  const window = new EventTarget()
  const document = Object.assign(new EventTarget(), { visibilityState: 'hidden' })
  const navigator = { onLine: false }
  withGlobals({ window, document, navigator }, () => {
    assert.not(systemPlatform.online())
    assert.not(systemPlatform.visible())
    Object.assign(navigator, { onLine: true })
    Object.assign(document, { visibilityState: 'visible' })
    assert.ok(systemPlatform.online() && systemPlatform.visible())
    let told = 0
    const stop = systemPlatform.watch(() => told++)
    for (const type of ['online', 'offline', 'focus']) window.dispatchEvent(new Event(type))
    document.dispatchEvent(new Event('visibilitychange'))
    assert.is(told, 4)
    stop()
    for (const type of ['online', 'offline', 'focus']) window.dispatchEvent(new Event(type))
    document.dispatchEvent(new Event('visibilitychange'))
    assert.is(told, 4)
  })
})

test('a worker is told by itself', () => {
  const self = new EventTarget()
  const { addEventListener, removeEventListener } = self
  withGlobals({ window: undefined, document: undefined, addEventListener: addEventListener.bind(self), removeEventListener: removeEventListener.bind(self) }, () => {
    let told = 0
    const stop = systemPlatform.watch(() => told++)
    self.dispatchEvent(new Event('online'))
    stop()
    self.dispatchEvent(new Event('online'))
    assert.is(told, 1)
  })
})

test.run()
