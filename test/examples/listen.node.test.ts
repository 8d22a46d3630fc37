import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { projectRoot } from '../house/sources.ts'

const { listen, wantedPort } = (await import(pathToFileURL(join(projectRoot, 'examples/listen.mjs')).href)) as {
  listen(server: Server, wanted: number, say?: (text: string) => void): Promise<number>
  wantedPort(env: Record<string, string>): number
}

const test = suite('listening on a port')

const close = (...servers: Server[]): void => servers.forEach((server) => server.close())

test('takes the port it was given', async () => {
  const probe = createServer()
  const free = await listen(probe, 0)
  close(probe)
  const server = createServer()
  const messages: string[] = []
  assert.is(await listen(server, free, (text) => messages.push(text)), free)
  assert.equal(messages, [])
  close(server)
})

test('says that a port is taken, and takes the next one', async () => {
  const first = createServer()
  const taken = await listen(first, 0)
  const second = createServer()
  const messages: string[] = []
  const port = await listen(second, taken, (text) => messages.push(text))
  assert.ok(port > taken)
  assert.is((second.address() as AddressInfo).port, port)
  assert.is(messages[0], `Port ${taken} is taken; trying ${taken + 1}.`)
  close(first, second)
})

test('other faults are not taken for a busy port', async () => {
  const server = createServer()
  const refused = Object.assign(new Error('refused'), { code: 'EACCES' })
  server.listen = () => {
    queueMicrotask(() => server.emit('error', refused))
    return server
  }
  try {
    await listen(server, 80)
    assert.unreachable()
  } catch (error) {
    assert.is(error, refused)
  }
})

test('a port that is none is refused with a sentence', () => {
  assert.is(wantedPort({}), 3210)
  assert.is(wantedPort({ PORT: '8080' }), 8080)
  for (const PORT of ['x', '-1', '70000', '1.5', '']) assert.throws(() => wantedPort({ PORT }), /Give a number from 0 to 65535/)
})

test.run()
