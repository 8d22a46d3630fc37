import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isAdopted } from '../../../src/next/endpoint/adopted.ts'
import type { AnyEndpoint } from '../../../src/next/endpoint/types.ts'
import { runEndpoint } from '../../../src/next/endpoint/run.ts'
import { RestEndpoint } from '../../../src/next/rest/RestEndpoint.ts'

const test = suite('adoption of responses')

const transport = async (): Promise<Response> => Response.json([{ id: 1 }])
const options = { path: '/x', transport } as const
const isRunAdopted = async (endpoint: object): Promise<boolean> => isAdopted(await runEndpoint(endpoint as AnyEndpoint, []))

test('a body that only the library has seen is adopted', async () => {
  assert.is(await isRunAdopted(new RestEndpoint(options)), true)
  class Api extends RestEndpoint {
    override getHeaders(headers: { [name: string]: string }): { [name: string]: string } {
      return headers
    }
  }
  assert.is(await isRunAdopted(new Api(options)), true)
  assert.is(await isRunAdopted(new Api(options).extend({ name: 'x' })), true)
})

test('the caller of a direct call keeps the value, so it is not adopted', async () => {
  assert.is(isAdopted(await new RestEndpoint(options)()), false)
})

test('an overridden fetch, parseResponse or process may keep the value, so it is not adopted', async () => {
  class Fetch extends RestEndpoint {
    override async fetch(...args: never): Promise<unknown> {
      return super.fetch(...(args as []))
    }
  }
  class Parse extends RestEndpoint {
    override parseResponse(response: Response): Promise<unknown> {
      return super.parseResponse(response)
    }
  }
  class Process extends RestEndpoint {
    override process(value: unknown): unknown {
      return value
    }
  }
  for (const Class of [Fetch, Parse, Process]) assert.is(await isRunAdopted(new Class(options)), false, Class.name)
  const base = new RestEndpoint(options)
  assert.is(await isRunAdopted(base.extend({ process: (value: unknown) => value })), false)
  assert.is(await isRunAdopted(base.extend({ parseResponse: response => response.json() })), false)
  assert.is(await isRunAdopted(base.extend({ fetch: async () => ({}) })), false)
})

test('only objects can be adopted', () => {
  for (const value of [undefined, null, 0, 'x', true, {}, []]) assert.is(isAdopted(value), false)
})

test.run()
