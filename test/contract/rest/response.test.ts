import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Controller, NetworkError, RestEndpoint } from '../../../src/index.ts'
import { User } from '../../support/todo.ts'
import { rejected } from '../../support/caught.ts'
import { recorder } from './recorder.ts'

const test = suite('responses')

const failing = recorder(() => Response.json({ reason: 'broken' }, { status: 500 }))

test('an own parseResponse never sees a response that is not ok', async () => {
  let parsed = 0
  const parseResponse = async (response: Response): Promise<unknown> => (parsed++, response.json())
  const endpoint = new RestEndpoint({ path: '/users/:id', schema: User, transport: failing.transport, parseResponse })
  const error = await rejected(endpoint({ id: 1 }), NetworkError)
  assert.equal([error['status'], error['body'], parsed], [500, { reason: 'broken' }, 0])
  const controller = new Controller({ retry: false })
  assert.instance(await rejected(controller.fetch(endpoint, { id: 1 })), NetworkError)
  assert.is(controller.get(User, { id: 1 }), undefined)
})

test('fetchResponse throws, and an override can catch the error and read the response; without super parseResponse checks it', async () => {
  class Api extends RestEndpoint {
    override async fetchResponse(input: string, init: RequestInit): Promise<Response> {
      return super.fetchResponse(input, init).catch(async (error: NetworkError) => {
        await error.response!.text()
        return Response.json({ caught: [error.status, error.body] })
      })
    }
  }
  assert.equal(await new Api({ path: '/x', transport: failing.transport })(), { caught: [500, { reason: 'broken' }] })
  const endpoint = new RestEndpoint({ path: '/x', fetchResponse: async () => Response.json({ reason: 'x' }, { status: 503 }) })
  assert.is((await rejected(endpoint()))['status'], 503)
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
