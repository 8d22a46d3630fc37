import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Entity, normalize, schema } from '../../../src/index.ts'

const test = suite('primary keys under NODE_ENV')

class User extends Entity {
  static override key = 'User'
}

const ids = [
  'a', 0, 12n, 1.5, 'undefined', '', undefined, null, NaN, Infinity, -Infinity, true, false, {}, [],
]

function outcomes(env: string): unknown[] {
  const before = process.env['NODE_ENV']
  process.env['NODE_ENV'] = env
  try {
    return ids.flatMap((id) =>
      [User, new schema.Collection([User]).push].map((each) => {
        try {
          return normalize(each, { id }).result
        } catch (error) {
          return String(error)
        }
      }),
    )
  } finally {
    if (before === undefined) delete process.env['NODE_ENV']
    else process.env['NODE_ENV'] = before
  }
}

test('production and development give the same pks and the same errors, word for word', () => {
  const development = outcomes('development')
  assert.equal(outcomes('production'), development)
  assert.is(development.filter((outcome) => String(outcome).startsWith('MissingPkError')).length, 20)
})

test.run()
