import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Entity, ResetError } from '../../../src/index.ts'
import { cellOf, readRow } from '../../../src/store/state.ts'
import { caught } from '../../support/caught.ts'
import { calls, Desk, reads } from './desk.ts'
import { Todo, todos } from '../../laws/order/shop.ts'
import { answerOf } from './answerOf.ts'
import { layersOf } from './layersOf.ts'

const test = suite('order: reads and the log')

test('an updater over a record that is gone is an error when it is made, and nothing when it is done again', () => {
  const desk = new Desk()
  assert.is(caught(() => desk.set(Todo, { id: '1' }, () => {}))['code'], 'MISSING')
  const early = desk.timeline.begin()
  const made = desk.set(Todo, { id: '1' }, { id: '1', n: 1 })
  desk.set(Todo, { id: '1' }, (todo: { n: number }) => void (todo.n = 5))
  assert.ok(desk.timeline.withdraw(made, { cause: 'undo' }))
  assert.is(desk.todo('1'), undefined)
  desk.timeline.leave(early)
})

test('one late row under a hundred polls is merged a hundred times, not ten thousand', () => {
  let merges = 0
  class Counted extends Entity {
    id = ''
    static override key = 'Counted'
    static override merge(existing: object, incoming: object): never {
      merges++
      return { ...existing, ...incoming } as never
    }
  }
  const desk = new Desk()
  const rows = (n: number): object[] => Array.from({ length: 100 }, (_, id) => ({ id: String(id), n, [`f${n}`]: n }))
  const poll = (value: unknown, schema: unknown = [Counted]): never => ({ schema, value, args: [], key: undefined, expiresAt: 0 }) as never
  const early = desk.timeline.begin()
  for (let n = 0; n < 100; n++) desk.timeline.receive(poll(rows(n)), { cause: 'poll' })
  merges = 0
  desk.timeline.land(early, poll({ id: '7', early: true, n: -1 }, Counted), { cause: 'fetch' })
  assert.is(merges, 100)
})

test('an answer that cannot be taken in leaves all as it was, also what is above it', () => {
  class Fussy extends Entity {
    id = ''
    static override key = 'Fussy'
    static override merge(existing: object, incoming: { n: number }): never {
      if ((existing as { n: number }).n === -1 && incoming.n === 2) throw new Error('fussy')
      return { ...existing, ...incoming } as never
    }
  }
  const desk = new Desk()
  const answer = (...value: object[]): never => ({ schema: [Fussy], value, args: [], key: undefined, expiresAt: 0 }) as never
  desk.timeline.receive(answer({ id: '0' }), { cause: 'fetch' })
  const early = desk.timeline.begin()
  const place = desk.timeline.begin()
  desk.timeline.receive(answer({ id: '1', n: 2 }), { cause: 'fetch' })
  const { state } = desk.store
  // Beneath the second stands now a record over which it cannot be merged.
  assert.is(caught(() => desk.timeline.land(place, answer({ id: '0', refused: true }, { id: '1', n: -1 }), { cause: 'fetch' })).message, 'fussy')
  assert.is(desk.store.state, state)
  desk.timeline.land(early, answer({ id: '0', taken: true }), { cause: 'fetch' })
  assert.equal(readRow(desk.store.state, 'Fussy', '0'), { id: '0', taken: true })
})

test('after a reset nothing from before it lands, in the same millisecond too', () => {
  const desk = new Desk()
  const place = desk.timeline.begin()
  const mutation = desk.call('put', { id: '1' }, { title: 'mine' })
  desk.timeline.reset({ cause: 'reset' })
  assert.is(layersOf(desk.timeline), 0)
  assert.instance(caught(() => desk.land(place, reads.get, { id: '1' }, { id: '1' })), ResetError)
  assert.instance(caught(() => desk.settle(mutation, { id: '1' })), ResetError)
  desk.fail(mutation)
  desk.timeline.leave(place)
  assert.is(desk.todo('1'), undefined)
  assert.is(desk.store.base, desk.store.state)
})

test('places rise whatever the clock does, and pass the stamps that are taken in', () => {
  const desk = new Desk()
  const first = desk.timeline.begin()
  desk.time = -5_000_000
  const second = desk.timeline.begin()
  assert.ok(second.fetchedAt > first.fetchedAt)
  const stamp = { fetchedAt: 9e12, date: 0, expiresAt: 0 }
  desk.timeline.apply({ patches: [{ op: 'add', path: ['entities', 'Todo', '1'], value: { id: '1', n: 1 } }], stamps: [{ key: 'Todo', pks: ['1'], stamp }] }, { cause: 'tab', origin: 'tab' })
  desk.receive(reads.get, { id: '1', n: 2 }, { id: '1' })
  assert.is(desk.todo('1')!['n'], 2)
  const endless = { ...stamp, fetchedAt: Infinity }
  assert.is(caught(() => desk.timeline.apply({ patches: [], stamps: [{ key: 'Todo', pks: ['1'], stamp: endless }] }, { cause: 'tab' }))['code'], 'PATCH')
})

test('a local write is withdrawn while it can be told from the rest', () => {
  const desk = new Desk()
  desk.receive(reads.get, { id: '1', n: 1 }, { id: '1' })
  const early = desk.timeline.begin()
  const first = desk.set(Todo, { id: '1' }, { id: '1', n: 5, title: 'mine' })
  desk.set(Todo, { id: '1' }, (todo: { n: number }) => void (todo.n += 1))
  assert.ok(desk.timeline.withdraw(first, { cause: 'undo' }))
  assert.equal(desk.todo('1'), { id: '1', n: 2 })
  const last = desk.set(todos, {}, [{ id: '1' }])
  desk.timeline.leave(early)
  assert.not.ok(desk.timeline.withdraw(last, { cause: 'undo' }))
})

test('what is collected leaves base and view, and a read that is under way may still land on it', () => {
  const desk = new Desk()
  desk.receive(reads.list, [{ id: '1' }, { id: '2' }], {})
  const early = desk.timeline.begin()
  desk.receive(reads.get, { id: '2', n: 1 }, { id: '2' })
  const cells = ['1', '2'].map(id => cellOf(desk.store.state, 'Todo', id)!)
  desk.timeline.collect(cells, { cause: 'gc' })
  assert.is(desk.todo('1'), undefined)
  assert.not.ok(desk.deleted('1'))
  assert.ok(desk.todo('2'), 'something beneath it may still have to be merged')
  desk.land(early, reads.get, { id: '2', title: 't' }, { id: '2' })
  assert.equal(desk.todo('2'), { id: '2', title: 't', n: 1 })
})

test('the same answer again is not taken in twice', () => {
  const desk = new Desk()
  const place = desk.timeline.begin()
  desk.land(place, reads.get, { id: '1', owner: { id: 'o', log: ['a'] } }, { id: '1' })
  desk.land(place, reads.get, { id: '1', owner: { id: 'o', log: ['a'] } }, { id: '1' })
  const mutation = desk.call('put', { id: '1' }, {})
  const answer = answerOf(calls.put, mutation.args, { id: '1', owner: { id: 'o', log: ['b'] } })
  for (const _ of [1, 2]) desk.timeline.settle(mutation, answer, { cause: 'fetch' })
  const owners = desk.store.state.cells!.find('Owner')!
  assert.equal(desk.store.state.entities.tables[owners.ordinal]!.records.get(owners.find('o')!.slot), { id: 'o', log: ['a', 'b'] })
})

test.run()
