import { spawnSync } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { projectRoot } from '../house/sources.ts'

const test = suite('npm start')

const start = (PORT: string): { status: number | null; output: string } => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['examples/start.mjs'], {
    cwd: projectRoot,
    env: { ...process.env, PORT },
    encoding: 'utf8',
    timeout: 20_000,
  })
  return { status, output: stdout + stderr }
}

test('fetches over HTTP, shows patches and views, and ends', () => {
  const { status, output } = start('0')
  assert.is(status, 0, output)
  assert.match(output, 'replace entities/Todo/2/done true')
  assert.match(output, '[x] fetch it over HTTP')
  assert.match(output, 'Rows that did not change are the same objects: true')
  assert.match(output, '[ ] read the guide')
  assert.match(output, /Done\. .*\n$/)
})

test('moves to another port when its own is taken', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const { status, output } = start(String(port))
  server.close()
  assert.is(status, 0, output)
  assert.match(output, `Port ${port} is taken; trying ${port + 1}.`)
})

test('refuses a port that is none in one sentence', () => {
  assert.equal(start('x'), { status: 1, output: "PORT is 'x', which is no port. Give a number from 0 to 65535, or leave it out.\n" })
})

test.run()
