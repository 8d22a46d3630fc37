import { runInNewContext } from 'node:vm'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readRow } from '../support/state.ts'
import { denormalize, Entity, schema } from '../../src/index.ts'
import { openPaths } from '../support/frozen.ts'
import { write } from '../support/write.ts'

const test = suite('payloads from another realm')

class User extends Entity {
  id = ''
  static override key = 'User'
  static override schema = { friends: [class Friend extends Entity {}] }
}
const foreign = (code: string): unknown => runInNewContext(`(${code})`)

test('H12 objects and lists of another realm are data', () => {
  const input = foreign("{ id: '1', friends: [{ id: 'f' }], meta: { list: [{ a: 1 }], at: new Date(0) } }")
  const { state, result } = write(new schema.Collection([User]), [input])
  const record = readRow(state, 'User', '1') as { meta: object }
  assert.equal(record, { id: '1', friends: ['f'], meta: { list: [{ a: 1 }], at: '1970-01-01T00:00:00.000Z' } } as never)
  assert.is(Object.getPrototypeOf(record.meta), Object.prototype)
  assert.equal(openPaths(record), [])
  assert.instance(denormalize(new schema.Collection([User]), result, state)![0], User)
})

test('H12 the same from both realms gives no patch', () => {
  const { state } = write(User, foreign("{ id: '1', meta: { list: [{ a: 1 }] } }"))
  assert.equal(write(User, { id: '1', meta: { list: [{ a: 1 }] } }, state).change.patches, [])
})

test.run()
