import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { denormalize, emptyState, Entity, normalize, schema } from '../../../src/index.ts'
import { warnings } from '../../support/caught.ts'
import { readRow } from '../../support/state.ts'
import { write } from '../../support/write.ts'
import { entity } from './todos.ts'

const test = suite('deserializers')

const iso = '2024-05-06T07:08:09.000Z'

/** What a field of this deserializer shows for what is stored. */
function viewOf(deserializer: unknown, stored: unknown): unknown {
  const Row = entity('Row', { schema: { field: deserializer } })
  const { state, result } = write(Row, { id: '1', field: stored })
  return (denormalize(Row, result, state) as unknown as { field: unknown }).field
}

class Event extends Entity {
  static override key = 'Event'
  static override schema = { at: Date, all: [Date], span: { from: Date }, named: new schema.Values(Date) }
  id = ''
  at = new Date(0)
  all: Date[] = []
  span = { from: new Date(0) }
  named: { [name: string]: Date } = {}
}
class Money {
  readonly cents: number
  constructor(text: string) {
    this.cents = Math.round(Number(text) * 100)
  }
}
class Bare {
  readonly made = true
}
/** As libraries for big numbers are written: callable, with a prototype. */
function Big(this: unknown, text: string): void {
  if (!(this instanceof (Big as unknown as new () => object))) throw new Error('called without new')
  Object.assign(this, { text })
}
Big.prototype.plus = () => 0
function shout(this: unknown, text: string): string {
  return this === undefined ? text.toUpperCase() : 'new'
}

test('the store keeps JSON, also of a Date in a body, and the view shows the deserialized value', () => {
  const { state, result } = write(Event, { id: '1', at: new Date(iso), other: { at: new Date(iso) } })
  assert.equal(readRow(state, 'Event', '1'), { id: '1', at: iso, other: { at: iso } })
  assert.equal(write(Event, { id: '1', at: iso }, state).change.patches, [])
  const { at } = denormalize(Event, result, state)!
  assert.instance(at, Date)
  assert.is(at.toISOString(), iso)
})

const calls: [string, unknown, unknown, unknown][] = [
  ['a class is called with new', Money, '1.25', new Money('1.25')],
  ['a class without members is called with new', Bare, 'x', new Bare()],
  ['a class of the platform is called with new', URL, 'http://a.b/c', new URL('http://a.b/c')],
  ['a function whose prototype has members is called with new', Big, '7', new (Big as unknown as new (text: string) => object)('7')],
  ['an arrow is called plainly', (text: string) => text.length, 'four', 4],
  ['an ordinary function is called plainly', shout, 'x', 'X'],
  ['a function of the platform is called plainly', JSON.parse, '[1]', [1]],
  ['a method is called plainly', { from: (text: string) => `from ${text}` }.from, 'x', 'from x'],
  ['Number is called plainly', Number, '5', 5],
  ['String is called plainly', String, 5, '5'],
  ['Boolean is called plainly', Boolean, 1, true],
  ['BigInt is called plainly', BigInt, '12345678901234567890', 12345678901234567890n],
]
for (const [title, make, stored, expected] of calls) test(title, () => assert.equal(viewOf(make, stored), expected))

test('Symbol is called plainly', () => assert.is(typeof viewOf(Symbol, 'x'), 'symbol'))

test('null and undefined never reach it', () => {
  const never = (): never => { throw new Error('called') }
  assert.equal([viewOf(never, null), viewOf(never, undefined), denormalize(never, null, emptyState)], [null, undefined, null])
})

test('two views of an unchanged record show the same object, wherever it is nested', () => {
  const { state, result } = write(Event, { id: '1', at: iso, all: [iso, iso], span: { from: iso }, named: { a: iso } })
  const dates = (): Date[] => {
    const { at, all, span, named } = denormalize(Event, result, state)!
    return [at, ...all, span.from, named['a']!]
  }
  const before = dates()
  dates().forEach((date, i) => assert.is(date, before[i]))
  const changed = write(Event, { id: '1', at: '2025-01-01T00:00:00.000Z' }, state).state
  assert.is(denormalize(Event, result, changed)!.at.getUTCFullYear(), 2025)
})

test('two classes that read one field differently each see their own', () => {
  const [ByDate, ByLength] = [entity('Shared', { schema: { at: Date } }), entity('Shared', { schema: { at: (text: string) => text.length } })]
  const { state } = write(ByDate, { id: '1', at: iso })
  const seen = [ByDate, ByLength, ByDate].map((type) => (denormalize(type, '1', state) as unknown as { at: unknown }).at)
  assert.equal(seen, [new Date(iso), iso.length, new Date(iso)])
})

test('a result that the caller changes shows the change', () => {
  const result = { at: iso }
  denormalize({ at: Date }, result, emptyState)
  result.at = '2025-01-01T00:00:00.000Z'
  assert.is(denormalize({ at: Date }, result, emptyState)!.at.getUTCFullYear(), 2025)
})

test('one that throws gives undefined and one warning, and the rest of the view stands', () => {
  const picky = (text: string): string => { throw new TypeError(`cannot read ${text}`) }
  const messages = warnings(() => assert.equal(['x', 'y', 12n].map((stored) => viewOf(picky, stored)), [undefined, undefined, undefined]))
  assert.is(messages.length, 1)
  assert.match(messages[0]!, /picky could not read the string "x"/)
})

test('a function at the top level, or in a list, deserializes too', () => {
  const { result, patches } = normalize([Date], [iso, null])
  assert.equal([result, patches, normalize(Date, iso).patches], [[iso, null], [], []])
  assert.equal(denormalize([Date], result, emptyState), [new Date(iso), null])
  assert.equal(denormalize(Date, iso, emptyState), new Date(iso))
})

test.run()
