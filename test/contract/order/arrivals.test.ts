import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readPks } from '../../support/state.ts'
import { Desk, reads } from './desk.ts'

const test = suite('order: arrivals')

const order = ({ store }: Desk): string[] | undefined => readPks(store.state, 'Todo')
const rows = (...ids: string[]): object[] => ids.map(id => ({ id }))

test('rows that were there keep their position; late reads may bring theirs last, and each is there once', () => {
  for (const delivery of [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]) {
    const desk = new Desk()
    desk.receive(reads.list, rows('0'), {})
    const positions = ['0', '1', '2'].map(group => desk.begin(reads.list, { group }))
    const answers = [rows('a', 'b'), rows('c', 'b', 'd'), rows('e', 'a', 'f')]
    for (const each of delivery) desk.land(positions[each]!, answers[each])
    assert.is(order(desk)![0], '0')
    assert.equal(order(desk)!.sort(), ['0', 'a', 'b', 'c', 'd', 'e', 'f'], delivery.join())
    desk.receive(reads.list, rows('z', 'a'), {})
    assert.is(order(desk)!.at(-1), 'z')
  }
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

test.run()
