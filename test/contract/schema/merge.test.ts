import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Entity } from '../../../src/index.ts'
import type { Fields } from '../../../src/index.ts'
import { readRow, readStamp } from '../../support/state.ts'
import { at, write, type Written } from '../../support/write.ts'
import { entity } from './todos.ts'

const test = suite('an entity that is already stored')

type Answer = [fields: object, time: number]

/** Takes answers about row 1 in, each at its time, and gives what the last one did. */
const answered = (type: typeof Entity, ...answers: Answer[]): Written =>
  answers.reduce((before: Written | undefined, [fields, time]) => write(type, { id: '1', ...fields }, before?.state, [], at(time)), undefined)!

/** The fields of row 1 after these answers, and the time of its stamp. */
function after(type: typeof Entity, ...answers: Answer[]): unknown {
  const { state } = answered(type, ...answers)
  const { id: _, ...fields } = readRow(state, type.key, '1') as Fields
  return [fields, readStamp(state, type.key, '1')!.fetchedAt]
}

const Plain = entity('Plain')
const Backwards = entity('Backwards', { shouldReorder: () => true })
const ByField = entity('ByField', { version: 'v' })
const ByFunction = entity('ByFunction', { version: ({ v }) => String(v) })

const rules: [string, typeof Entity, Answer, Answer, expected: Answer][] = [
  ['takes the incoming fields and keeps the others', Plain, [{ a: 1, b: 1 }, 1], [{ b: 2, c: 2 }, 2], [{ a: 1, b: 2, c: 2 }, 2]],
  ['null and absent are different: null replaces, absent keeps', Plain, [{ a: 1, b: 1 }, 1], [{ a: null, b: undefined }, 2], [{ a: null, b: 1 }, 2]],
  [
    'an answer that was asked for earlier only adds what is not known, and keeps the newer stamp',
    Plain, [{ a: 'new' }, 5], [{ a: 'old', b: 'old' }, 3], [{ a: 'new', b: 'old' }, 5],
  ],
  ['shouldReorder that says yes lets the existing fields win', Backwards, [{ a: 1 }, 1], [{ a: 2, b: 2 }, 2], [{ a: 1, b: 2 }, 1]],
]
for (const [name, type] of [['a field', ByField], ['a function', ByFunction]] as const) {
  rules.push(
    [`version as ${name}: a lower one that comes later only adds`, type, [{ v: 2, a: 2 }, 1], [{ v: 1, a: 1, b: 1 }, 9], [{ v: 2, a: 2, b: 1 }, 1]],
    [`version as ${name}: a higher one that was asked for earlier wins`, type, [{ v: 2, b: 1 }, 1], [{ v: 3, a: 3 }, 0], [{ v: 3, b: 1, a: 3 }, 0]],
  )
}
for (const [title, type, first, second, expected] of rules) test(title, () => assert.equal(after(type, first, second), expected))

test('records with equal versions, or with ones that cannot be compared, go by order', () => {
  for (const [old, next] of [[2, 2], ['2', 3], [null, 5]]) {
    assert.equal(after(ByField, [{ v: old, a: 'first' }, 2], [{ v: next, a: 'later' }, 3]), [{ v: next, a: 'later' }, 3])
    assert.equal(after(ByField, [{ v: old, a: 'first' }, 2], [{ v: next, a: 'earlier' }, 1]), [{ v: old, a: 'first' }, 2])
  }
  assert.equal(after(ByField, [{ a: 'first' }, 2], [{ v: 1, a: 'later' }, 3]), [{ v: 1, a: 'later' }, 3])
  assert.equal(after(ByField, [{ a: 'first' }, 2], [{ v: 1, a: 'earlier' }, 1]), [{ v: 1, a: 'first' }, 2])
})

test('the default methods, when called, give what the class without them gives', () => {
  const names = ['shouldUpdate', 'shouldReorder', 'merge', 'mergeWithStore', 'mergeMetaWithStore'] as const
  const defaults = names.map((name) => [name, function (this: typeof Entity, ...all: never[]) {
    return (Entity[name] as (...all: unknown[]) => unknown).apply(this, all)
  }])
  const Spelled = entity('Spelled', Object.fromEntries(defaults) as object)
  const values = [{ a: 1, list: [1, { x: 1 }] }, { a: 1, list: [1, { x: 1 }] }, { b: 0 }, { b: -0 }, { b: NaN }, { b: NaN }, { a: null }]
  const answers = values.map((fields, i): Answer => [fields, [5, 6, 3, 8, 9, 7, 10][i]!])
  for (let n = 1; n <= answers.length; n++) {
    const sofar = answers.slice(0, n)
    assert.equal(after(Plain, ...sofar), after(Spelled, ...sofar))
    assert.is(answered(Plain, ...sofar).change.patches.length, answered(Spelled, ...sofar).change.patches.length, `step ${n}`)
  }
})

test('shouldUpdate that says no leaves the record and its stamp alone', () => {
  let received: unknown[] = []
  const Locked = entity('Locked', { shouldUpdate: (...all) => ((received = all), false) })
  assert.equal(after(Locked, [{ a: 1 }, 1], [{ a: 2 }, 2]), [{ a: 1 }, 1])
  assert.equal(received, [at(1), at(2), { id: '1', a: 1 }, { id: '1', a: 2 }])
  assert.equal(answered(Locked, [{ a: 1 }, 1], [{ a: 2 }, 2]).change.patches, [])
})

test('merge makes the next record, and what it leaves out goes', () => {
  const Sum = entity('Sum', { merge: ({ id, total }, incoming) => ({ id, total: Number(total) + Number(incoming['total']) }) })
  const { state, change } = answered(Sum, [{ total: 2, note: 'x' }, 1], [{ total: 3 }, 2])
  assert.equal(readRow(state, 'Sum', '1'), { id: '1', total: 5 })
  assert.equal(change.patches.map(({ op, path }) => [op, path[3]]), [['replace', 'total'], ['remove', 'note']])
})

test('mergeWithStore decides alone, and mergeMetaWithStore says whose stamp stays', () => {
  const Own = entity('Own', {
    mergeWithStore: (before, now, existing, incoming) => ({ ...incoming, was: existing['a'], gap: now.fetchedAt - before.fetchedAt }),
    mergeMetaWithStore: (_before, now) => ({ ...now, expiresAt: 77 }),
  })
  const { state } = answered(Own, [{ a: 1 }, 4], [{ a: 2 }, 9])
  assert.equal(readRow(state, 'Own', '1'), { id: '1', a: 2, was: 1, gap: 5 })
  assert.equal(readStamp(state, 'Own', '1'), { fetchedAt: 9, date: 9, expiresAt: 77 })
})

test('lifecycle methods are given records that they cannot write to', () => {
  let received: unknown[] = []
  const Watched = entity('Watched', { merge: (existing, incoming) => ((received = [existing, existing['list'], incoming['list']]), incoming) })
  answered(Watched, [{ list: [1] }, 1], [{ list: [2] }, 2])
  assert.equal(received.map(Object.isFrozen), [true, true, true])
})

test('what merge is given and returns is not used again for another row (apollo-client#8618)', () => {
  const scratch: { [field: string]: unknown } = {}
  const Recycling = entity('Recycling', { merge: (existing, incoming) => Object.assign(scratch, existing, incoming) })
  const first = write([Recycling], [{ id: '1', a: 1 }, { id: '2', b: 1 }]).state
  const { state } = write([Recycling], [{ id: '1', x: [1] }, { id: '2', y: 1 }], first)
  assert.equal(readRow(state, 'Recycling', '1'), { id: '1', a: 1, x: [1] })
})

test.run()
