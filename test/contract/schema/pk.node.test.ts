import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { normalize } from '../../../src/index.ts'
import { entity, todos } from './todos.ts'

const test = suite('primary keys under NODE_ENV')

const ids = ['a', 0, 12n, 1.5, 'undefined', '', undefined, null, NaN, Infinity, -Infinity, true, false, {}, []]

/** The pk, or the error, of an entity and of a creation with each of these ids. */
function outcomes(env: string): unknown[] {
  process.env['NODE_ENV'] = env
  return ids.flatMap((id) => [entity('User'), todos.push].map((each) => {
    try {
      return normalize(each, { id }).result
    } catch (error) {
      return String(error)
    }
  }))
}

test('production and development give the same pks and the same errors, word for word', () => {
  const before = process.env['NODE_ENV']
  const [production, development] = [outcomes('production'), outcomes('development')]
  if (before === undefined) delete process.env['NODE_ENV']
  else process.env['NODE_ENV'] = before
  assert.equal(production, development)
  assert.is(development.filter((outcome) => String(outcome).startsWith('MissingPkError')).length, 20)
})

test.run()
