import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { AbortError, Endpoint, MissingPkError, NetworkError, ParseError, PathError, RestEndpoint, TimeoutError, ValidationError } from '../../../src/index.ts'

const test = suite('errorPolicy')

const soft = [
  new NetworkError('refused', { cause: new TypeError('x') }),
  ...[500, 502, 503, 599, 408, 429].map((status) => new NetworkError('x', { status })),
  new TimeoutError('x'),
  new ParseError('x', ''),
  Object.assign(new Error('of another library'), { status: 503 }),
]
const hard = [
  ...[304, 400, 401, 403, 404, 409, 410, 412, 422].map((status) => new NetworkError('x', { status })),
  new AbortError(), new PathError('x'), new ValidationError('x'), new MissingPkError('x', 'k', {}), new Error('x'), 'text', undefined, null,
]

for (const endpoint of [new Endpoint(async () => 1, { name: 'x' }), new RestEndpoint({ path: '/x' })]) {
  test(`${endpoint.constructor.name}: failures that say nothing about the data are soft`, () => {
    for (const error of soft) assert.is(endpoint.errorPolicy(error), 'soft', String((error as { status?: number }).status ?? error))
  })
  test(`${endpoint.constructor.name}: all others are hard`, () => {
    for (const error of hard) assert.is(endpoint.errorPolicy(error), 'hard', String(error))
  })
}

test('is overridden by an option', () => {
  assert.is(new RestEndpoint({ path: '/x', errorPolicy: () => undefined }).errorPolicy(new Error('x')), undefined)
})

test.run()
