import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Entity } from '../../../src/index.ts'
import { watch } from '../../contract/view/liveStore.ts'
import { LiveStore } from './liveStore.ts'

const test = suite('live objects')

class User extends Entity {
  id = ''
  name = ''
  tags: string[] = []
  static override key = 'User'
}

function setup(): LiveStore {
  const at = new LiveStore()
  at.write([[User], [{ id: '1', name: 'Bob' }, { id: '2', name: 'Ann' }]])
  return at
}

test('moved to another pk, it is the same object with the fields of the other row', () => {
  const at = new LiveStore()
  at.write([User, { id: 'new:1', name: 'Ann', tags: ['x'] }])
  const user = at.live.entity(User, 'new:1')!
  const name = watch(() => user.name)
  const id = watch(() => user.id)
  at.write([User, { id: '7', name: 'Ann', tags: ['x'] }])
  at.live.move('User', 'new:1', '7')
  assert.is(at.live.entity(User, '7'), user)
  assert.equal([id.last, id.runs, name.runs], ['7', 2, 1])
  at.write([User, { id: '7', name: 'Anna' }])
  assert.equal([name.last, name.runs], ['Anna', 2])
  at.collect('User', 'new:1')
  assert.equal([user.name, at.live.entity(User, 'new:1')], ['Anna', undefined])
})

test('moved to a row that has a live object of its own, both stay', () => {
  const at = setup()
  const [one, two] = [at.live.entity(User, '1')!, at.live.entity(User, '2')!]
  at.live.move('User', '1', '2')
  assert.equal([one.name, two.name], ['Bob', 'Ann'])
  assert.is(at.live.entity(User, '2'), two)
})

test.run()
