import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { runEndpoint } from '../../../src/endpoint/run.ts'
import { Endpoint, RestEndpoint } from '../../../src/index.ts'
import { recorder } from '../../contract/rest/recorder.ts'

const test = suite('Endpoint')
const restTest = suite('RestEndpoint')

class Counted extends Endpoint<(n: number) => Promise<number>> {
  override dataExpiryLength = 10
  override fetch(n: number): Promise<number> {
    return super.fetch(n).then((value) => value + 1)
  }
  override key(n: number): string {
    return `counted ${super.key(n)}`
  }
  override errorPolicy(error: unknown): 'hard' | 'soft' | undefined {
    return error === 1 ? 'soft' : super.errorPolicy(error)
  }
}

test('a run has a this of its own, with its signal and transport; the endpoint stays as it is', async () => {
  const seen: unknown[] = []
  const endpoint = new Counted(async function (this: Endpoint, n: number) {
    seen.push(this.signal, this.transport, this.name, Object.getPrototypeOf(this) === endpoint)
    return n
  } as never, { name: 'seen' } as never)
  const { signal } = new AbortController()
  const transport = async (): Promise<Response> => new Response()
  assert.is(await runEndpoint(endpoint, [1], { signal, transport }), 2)
  assert.equal(seen, [signal, transport, 'seen', true])
  assert.is(endpoint.signal, undefined)
  assert.is(endpoint.transport, undefined)
})

restTest('a run carries its own transport and signal; without one it is the platform’s fetch at that time', async () => {
  const endpoint = new RestEndpoint({ path: '/users/:id' })
  const { calls, transport } = recorder()
  const { signal } = new AbortController()
  await runEndpoint(endpoint, [{ id: 1 }], { signal, transport })
  assert.is(calls[0]!.init.signal, signal)
  const { fetch } = globalThis
  const platform = recorder()
  globalThis.fetch = platform.transport as typeof globalThis.fetch
  try {
    await endpoint({ id: 2 })
    assert.is(platform.calls[0]!.input, '/users/2')
    await runEndpoint(endpoint, [{ id: 3 }])
    assert.is(platform.calls.length, 2)
  } finally {
    globalThis.fetch = fetch
  }
})

test.run()
restTest.run()
