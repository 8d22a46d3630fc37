import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readRow } from '../../support/state.ts'
import { denormalize, Entity, normalize, schema } from '../../../src/index.ts'
import { warnings } from '../../support/caught.ts'
import { write } from '../../support/write.ts'

const test = suite('deserializers')

const iso = '2024-05-06T07:08:09.000Z'

/** What a field of this deserializer shows for what is stored. */
function viewOf(deserializer: unknown, stored: unknown): unknown {
  class Row extends Entity {
    static override key = 'Row'
    static override schema = { field: deserializer }
  }
  const { state, result } = write(Row, { id: '1', field: stored })
  return (denormalize(Row, result, state) as unknown as { field: unknown }).field
}

class Money {
  readonly cents: number
  constructor(text: string) {
    this.cents = Math.round(Number(text) * 100)
  }
}
/** As libraries for big numbers are written: callable, with a prototype. */
function Big(this: unknown, text: string): void {
  if (!(this instanceof (Big as unknown as new () => object))) throw new Error('called without new')
  Object.assign(this, { text })
}
Big.prototype.plus = () => 0

test('the store keeps JSON, and the view shows the deserialized value', () => {
  class Event extends Entity {
    id = ''
    at = new Date(0)
    static override key = 'Event'
    static override schema = { at: Date }
  }
  const { state, result } = write(Event, { id: '1', at: iso })
  assert.equal(readRow(state, 'Event', '1'), { id: '1', at: iso })
  const { at } = denormalize(Event, result, state)!
  assert.instance(at, Date)
  assert.is(at.toISOString(), iso)
})

test('classes, and functions whose prototype has members, are called with new', () => {
  assert.is((viewOf(Money, '1.25') as Money).cents, 125)
  assert.is((viewOf(Big, '7') as { text: string }).text, '7')
  assert.instance(viewOf(URL, 'http://a.b/c'), URL)
  class Bare {
    readonly made = true
  }
  assert.instance(viewOf(Bare, 'x'), Bare)
})

test('arrows, ordinary functions and methods are called plainly', () => {
  assert.is(viewOf((text: string) => text.length, 'four'), 4)
  assert.is(viewOf(function (this: unknown, text: string) { return this === undefined ? text.toUpperCase() : 'new' }, 'x'), 'X')
  assert.equal(viewOf(JSON.parse, '[1]'), [1])
  assert.is(viewOf({ from: (text: string) => `from ${text}` }.from, 'x'), 'from x')
})

test('Number, String, Boolean, BigInt and Symbol are called plainly', () => {
  assert.is(viewOf(Number, '5'), 5)
  assert.is(viewOf(String, 5), '5')
  assert.is(viewOf(Boolean, 1), true)
  assert.is(viewOf(BigInt, '12345678901234567890'), 12345678901234567890n)
  assert.is(typeof viewOf(Symbol, 'x'), 'symbol')
})

test('null and undefined never reach it', () => {
  const never = (): never => {
    throw new Error('called')
  }
  assert.is(viewOf(never, null), null)
  assert.is(viewOf(never, undefined), undefined)
  assert.is(denormalize(never, null, write(Entity as never, { id: '1' }).state), null)
})

test('two views of an unchanged record show the same object, wherever it is nested', () => {
  class Event extends Entity {
    id = ''
    at = new Date(0)
    all: Date[] = []
    span = { from: new Date(0) }
    named: { [name: string]: Date } = {}
    static override key = 'Event'
    static override schema = { at: Date, all: [Date], span: { from: Date }, named: new schema.Values(Date) }
  }
  const { state, result } = write(Event, { id: '1', at: iso, all: [iso, iso], span: { from: iso }, named: { a: iso } })
  const [one, two] = [denormalize(Event, result, state)!, denormalize(Event, result, state)!]
  assert.is(one.at, two.at)
  assert.is(one.all[0], two.all[0])
  assert.is(one.all[1], two.all[1])
  assert.is(one.span.from, two.span.from)
  assert.is(one.named['a'], two.named['a'])
  const changed = write(Event, { id: '1', at: '2025-01-01T00:00:00.000Z' }, state)
  const three = denormalize(Event, result, changed.state)!
  assert.is(three.at.getUTCFullYear(), 2025)
})

test('two classes that read one field differently each see their own', () => {
  class ByDate extends Entity {
    at = new Date(0)
    static override key = 'Shared'
    static override schema = { at: Date }
  }
  class ByLength extends Entity {
    at = 0
    static override key = 'Shared'
    static override schema = { at: (text: string) => text.length }
  }
  const { state } = write(ByDate, { id: '1', at: iso })
  assert.instance(denormalize(ByDate, '1', state)!.at, Date)
  assert.is(denormalize(ByLength, '1', state)!.at, iso.length)
  assert.instance(denormalize(ByDate, '1', state)!.at, Date)
})

test('a result that the caller changes shows the change', () => {
  const { state } = write(Entity as never, { id: '1' })
  const result = { at: iso }
  denormalize({ at: Date }, result, state)
  result.at = '2025-01-01T00:00:00.000Z'
  assert.is(denormalize({ at: Date }, result, state)!.at.getUTCFullYear(), 2025)
})

test('one that throws gives undefined and one warning, and the rest of the view stands', () => {
  const picky = (text: string): string => {
    throw new TypeError(`cannot read ${text}`)
  }
  const messages = warnings(() => {
    for (const stored of ['x', 'y', 12n]) assert.is(viewOf(picky, stored), undefined)
  })
  assert.is(messages.length, 1)
  assert.match(messages[0]!, /picky could not read the string "x"/)
})

test('a function at the top level, or in a list, deserializes too', () => {
  const { result, state } = write([Date], [iso, null])
  assert.equal(result, [iso, null])
  const [first, second] = denormalize([Date], result, state)!
  assert.is(first!.toISOString(), iso)
  assert.is(second, null)
  assert.equal(normalize(Date, iso).patches, [])
  assert.is(denormalize(Date, iso, state)!.toISOString(), iso)
})

test('a Date in a body is stored as its JSON', () => {
  class Event extends Entity {
    id = ''
    at = new Date(0)
    static override key = 'Event'
    static override schema = { at: Date }
  }
  const { state } = write(Event, { id: '1', at: new Date(iso), other: { at: new Date(iso) } })
  assert.equal(readRow(state, 'Event', '1'), { id: '1', at: iso, other: { at: iso } })
  assert.equal(write(Event, { id: '1', at: iso }, state).change.patches, [])
})

test.run()
