import { effect } from '@preact/signals-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { All } from '../../../src/index.ts'
import { Todo } from '../../laws/order/shop.ts'
import { readPks } from '../../support/state.ts'
import { Desk, reads } from './desk.ts'
import { isNext } from '../../support/version.ts'

const test = suite('order: arrivals')

const order = ({ store }: Desk): string[] | undefined => readPks(store.state, 'Todo')
const everyone = new All(Todo)
const rows = (...ids: string[]): object[] => ids.map(id => ({ id }))

test('rows stand in the order of the reads that brought them, whichever was answered first', () => {
  if (isNext) return // Version 2: rows that a late read brings may come last.
  for (const delivery of [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]) {
    const desk = new Desk()
    desk.receive(reads.list, rows('0'), {})
    const places = ['0', '1', '2'].map(group => desk.begin(reads.list, { group }))
    const answers = [rows('a', 'b'), rows('c', 'b', 'd'), rows('e', 'a', 'f')]
    for (const each of delivery) desk.land(places[each]!, answers[each])
    assert.equal(order(desk), ['0', 'a', 'b', 'c', 'd', 'e', 'f'], delivery.join())
    desk.receive(reads.list, rows('z', 'a'), {})
    assert.equal(order(desk)!.at(-1), 'z')
  }
})

test('a row that was there when the read began, and is deleted by now, keeps its place', () => {
  if (isNext) return // Version 2: rows that a late read brings may come last.
  const desk = new Desk()
  const read = desk.begin(reads.get, { id: '1' })
  desk.settle(desk.call('remove', { id: '1' }), { id: '1' })
  desk.land(read, { id: '1' })
  assert.equal(order(desk), [])
  desk.receive(reads.get, { id: '2' }, { id: '2' })
  desk.receive(reads.get, { id: '1' }, { id: '1' })
  assert.equal(order(desk), ['1', '2'])
})

test('a read that brings nothing new leaves the order alone, and the state what it was', () => {
  const desk = new Desk()
  const read = desk.begin(reads.get, { id: '1' })
  desk.receive(reads.get, { id: '1' }, { id: '1' })
  desk.receive(reads.get, { id: '2' }, { id: '2' })
  const { entities } = desk.store.state
  desk.land(read, { id: '1' })
  assert.is(desk.store.state.entities, entities)
})

test('whoever shows them all is told of another order, also when one of them has changed as well', () => {
  if (isNext) return // Version 2: rows that a late read brings may come last.
  const desk = new Desk()
  const read = desk.begin(reads.get, { id: '2' })
  desk.receive(reads.get, { id: '1', n: 1 }, { id: '1' })
  desk.receive(reads.get, { id: '2' }, { id: '2' })
  const shown: string[][] = []
  const stop = effect(() => void shown.push(desk.controller.get(everyone)!.map(({ id }) => id)))
  desk.land(read, { id: '2', n: 5 })
  assert.equal(shown, [['1', '2'], ['2', '1']])
  stop()
})

test.run()
