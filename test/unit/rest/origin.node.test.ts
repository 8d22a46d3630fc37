import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { originOf, routeOf } from '../../../src/rest/origin.ts'

const test = suite('origins')

test('an address on the page has no origin of its own', () => {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'location')
  Object.defineProperty(globalThis, 'location', { value: new URL('https://page.x/app'), configurable: true })
  try {
    assert.is(originOf('https://page.x/a'), '')
    assert.is(originOf('/a'), '')
  } finally {
    if (before) Object.defineProperty(globalThis, 'location', before)
    else Reflect.deleteProperty(globalThis, 'location')
  }
})

test('a template is taken apart once, and the memory of them has an end', () => {
  const first = routeOf('', '/once/:id')
  assert.is(routeOf('', '/once/:id'), first)
  for (let n = 0; n < 2000; n++) routeOf(`https://h${n}.x`, '/a/:id')
  assert.is.not(routeOf('', '/once/:id'), first)
})

test.run()
