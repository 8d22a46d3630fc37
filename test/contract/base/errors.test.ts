import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import * as errors from '../../../src/index.ts'

const test = suite('errors')

const made = [
  new errors.NetworkError('down', { status: 503 }),
  new errors.ParseError('no JSON', 'x'.repeat(400)),
  new errors.TimeoutError('late'),
  new errors.AbortError(),
  new errors.ResetError(),
  new errors.MissingPkError('no pk', 'User', {}),
  new errors.ValidationError('wrong', 1),
  new errors.SchemaError('wrong'),
  new errors.PathError('empty', 'id'),
  new errors.PatchError('no such path', {}),
  new errors.DepthError('deep'),
  new errors.HydrationError('old'),
  new errors.ProviderError('none'),
]

test('every error is a PatchcordError with a code of its own', () => {
  for (const error of made) assert.instance(error, errors.PatchcordError)
  assert.is(new Set(made.map((error) => error.code)).size, made.length)
})

test('the name of an error is the name of its class, also after minification', () => {
  const exported = Object.keys(errors).filter((name) => name.endsWith('Error') && name !== 'PatchcordError')
  assert.equal(made.map((error) => error.name).sort(), exported.sort())
})

test('a network error carries its cause only when there was one, a parse error the first 300 characters', () => {
  const cause = new TypeError('refused')
  assert.is(new errors.NetworkError('down', { cause }).cause, cause)
  assert.not('cause' in new errors.NetworkError('down'))
  assert.is(new errors.ParseError('no JSON', 'x'.repeat(400)).excerpt.length, 300)
})

test.run()
