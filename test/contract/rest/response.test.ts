import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Controller, createResource, Entity, NetworkError, RestEndpoint } from '../../../src/index.ts'
import { recorder, rejected } from './recorder.ts'

const test = suite('responses')

class User extends Entity {
  id = 0
  static override key = 'User'
}
const failing = recorder(() => Response.json({ reason: 'broken' }, { status: 500 }))

test('an own parseResponse never sees a response that is not ok', async () => {
  let parsed = 0
  const parseResponse = async (response: Response): Promise<unknown> => (parsed++, response.json())
  const endpoint = new RestEndpoint({ path: '/users/:id', schema: User, transport: failing.transport, parseResponse })
  const error = await rejected(endpoint({ id: 1 }))
  assert.instance(error, NetworkError)
  assert.equal([error['status'], error['body'], parsed], [500, { reason: 'broken' }, 0])
  const controller = new Controller({ retry: false })
  assert.instance(await rejected(controller.fetch(endpoint, { id: 1 })), NetworkError)
  assert.is(controller.get(User, { id: 1 }), undefined)
})

test('fetchResponse throws, and an override can catch the error', async () => {
  class Api extends RestEndpoint {
    override async fetchResponse(input: string, init: RequestInit): Promise<Response> {
      return super.fetchResponse(input, init).catch((error: NetworkError) => Response.json({ caught: error.status }))
    }
  }
  assert.equal(await new Api({ path: '/x', transport: failing.transport })(), { caught: 500 })
})

test('a fetchResponse without super is still checked by the default parseResponse', async () => {
  const endpoint = new RestEndpoint({ path: '/x', fetchResponse: async () => Response.json({ reason: 'x' }, { status: 503 }) })
  assert.is((await rejected(endpoint()))['status'], 503)
})

test('deleting what does not exist is ok', async () => {
  for (const status of [404, 410]) {
    const { transport } = recorder(() => Response.json({ reason: 'gone' }, { status }))
    assert.equal(await createResource({ path: '/users/:id', schema: User, transport }).delete({ id: 1 }), { id: 1 })
    assert.is(await new RestEndpoint({ path: '/x', method: 'DELETE', transport })(), null)
  }
})

test('a NetworkError can be made of a response', async () => {
  const response = new Response('{}', { status: 503, statusText: 'Busy' })
  const error = new NetworkError(response as never)
  assert.equal([error.status, error.response, error.message], [503, response, 'answered 503 Busy.'])
  assert.is(new RestEndpoint({ path: '/x' }).errorPolicy(new NetworkError(new Response('', { status: 404 }) as never)), 'hard')
})

test('a NetworkError as JSON has what a log needs', async () => {
  const error = (await rejected(new RestEndpoint({ path: '/x', transport: failing.transport })())) as unknown as NetworkError
  assert.equal(JSON.parse(JSON.stringify(error)), { name: 'NetworkError', status: 500, message: error.message, url: '' })
  assert.equal(JSON.parse(JSON.stringify(new NetworkError('no route'))), { name: 'NetworkError', message: 'no route' })
})

test.run()
