import { Window } from 'happy-dom'

interface Hooks {
  before(hook: () => void): void
  after(hook: () => void): void
}

const names = ['window', 'document', 'Node', 'Element', 'HTMLElement', 'Text', 'Event'] as const

/**
 * Gives a suite a DOM where the platform has none, and takes it away again, so that the other suites
 * of the process still run in what is plainly no browser.
 */
export function withDom(test: Hooks): void {
  if (typeof document !== 'undefined') return
  const found = names.map((name) => Object.getOwnPropertyDescriptor(globalThis, name))
  test.before(() => {
    const window = new Window()
    for (const name of names) Object.defineProperty(globalThis, name, { value: window[name], configurable: true })
  })
  test.after(() => {
    names.forEach((name, index) => {
      const descriptor = found[index]
      if (descriptor) Object.defineProperty(globalThis, name, descriptor)
      else Reflect.deleteProperty(globalThis, name)
    })
  })
}
