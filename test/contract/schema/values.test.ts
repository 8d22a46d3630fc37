import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { denormalize, Entity, normalize, schema, ValidationError } from '../../../src/index.ts'
import type { Fields } from '../../../src/index.ts'
import { caught, warnings } from '../../support/caught.ts'
import { write } from '../../support/write.ts'

const test = suite('schema.Values')

class Price extends Entity {
  id = ''
  static override key = 'Price'
}
class Rate extends Entity {
  id = ''
  static override key = 'Rate'
}

test('normalizes each value and keeps its name', () => {
  const prices = new schema.Values(Price)
  const { result, state } = write(prices, { EUR: { id: '1' }, USD: { id: '2' } })
  assert.equal(result, { EUR: '1', USD: '2' })
  const view = denormalize(prices, result, state)!
  assert.equal(Object.keys(view), ['EUR', 'USD'])
  assert.instance(view['USD'], Price)
  assert.ok(Object.isFrozen(view))
})

test('entries that are null or undefined are dropped on the way in', () => {
  assert.equal(write(new schema.Values(Price), { a: null, b: undefined, c: { id: '1' } }).result, { c: '1' })
})

test('entries that are missing or must not be shown are left out of a view', () => {
  const { state } = write([Price], [{ id: '1' }, { id: '2' }])
  const gone = write(new schema.Invalidate(Price), '1', state).state
  assert.equal(Object.keys(denormalize(new schema.Values(Price), { a: '1', b: 'never', c: '2', d: null }, gone)!), ['c'])
})

test('a value receives the object as its parent and its name as key', () => {
  const received: unknown[] = []
  class Cell extends Entity {
    static override key = 'Cell'
    override pk(parent?: unknown, key?: string): string {
      received.push(parent)
      return key!
    }
  }
  const input = { x: { v: 1 }, y: { v: 2 } }
  assert.equal(write(new schema.Values(Cell), input).result, { x: 'x', y: 'y' })
  assert.equal(received, [input, input])
})

test('several types are distinguished by an attribute; what is not mapped stays, with one warning', () => {
  const mixed = new schema.Values({ p: Price, r: Rate }, 'type')
  const messages = warnings(() => {
    const { result, state } = write(mixed, { a: { id: '1', type: 'p' }, b: { id: '1', type: 'r' }, c: { type: 'q' }, d: { type: 'q' } })
    assert.equal(result, { a: { id: '1', schema: 'p' }, b: { id: '1', schema: 'r' }, c: { type: 'q' }, d: { type: 'q' } })
    const view = denormalize(mixed, result, state) as { [name: string]: unknown }
    assert.instance(view['a'], Price)
    assert.instance(view['b'], Rate)
    assert.equal(view['c'], { type: 'q' })
  })
  assert.is(messages.length, 1)
})

test('define merges into the mapping', () => {
  const mixed = new schema.Values({ p: Price } as Fields, 'type')
  mixed.define({ r: Rate })
  assert.equal(write(mixed, { a: { id: '1', type: 'r' } }).result, { a: { id: '1', schema: 'r' } })
})

test('a scalar where the object is expected is an error, a boolean stays', () => {
  const prices = new schema.Values(Price)
  const error = caught(() => normalize({ prices }, { prices: 7 }))
  assert.instance(error, ValidationError)
  assert.match(error.message, 'Expected an object of values, found the number 7')
  assert.equal(normalize({ prices }, { prices: true }).result, { prices: true })
})

test.run()
