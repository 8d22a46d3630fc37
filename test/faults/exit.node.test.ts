import { spawn } from 'node:child_process'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { serveFaults, type FaultServer } from './server.ts'

const test = suite('a process that used a controller')

let server: FaultServer
test.before(async () => {
  server = await serveFaults()
})
test.after(() => server.close())

const door = new URL('../../src/index.js', import.meta.url).href

/** Runs a module in a process of its own; gives its exit code, or null when it had to be killed. */
function run(code: string): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ['--conditions=browser', '--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += String(chunk)))
  const kill = setTimeout(() => child.kill('SIGKILL'), 20_000)
  return new Promise((resolve) =>
    child.on('close', (exit) => {
      clearTimeout(kill)
      resolve({ code: exit, output })
    }),
  )
}

const setup = (): string => `
  import { Controller, createResource, Entity, subscribe } from ${JSON.stringify(door)}
  class Item extends Entity { id = ''; text = ''; static key = 'Item' }
  const Items = createResource({ urlPrefix: ${JSON.stringify(server.url)}, path: '/items/:id', schema: Item, pollFrequency: 50 })
  const controller = new Controller({ retry: { base: 5 } })
`

test('exits by itself, with a poll and a deadline still open, and no dispose', async () => {
  const { code, output } = await run(`${setup()}
    subscribe(controller, Items.get, { id: 'polled' })
    const item = await controller.fetch(Items.get, { id: 'one' })
    console.log(item.text, process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length)
  `)
  assert.is(code, 0, output)
  assert.match(output, /^from the server \d/)
})

test('does not exit while somebody waits for another attempt', async () => {
  server.scripts.set('again', ['503', '503'])
  const { code, output } = await run(`${setup()}
    console.log((await controller.fetch(Items.get, { id: 'again' })).text)
  `)
  assert.is(code, 0, output)
  assert.is(output, 'from the server\n')
})

test('exits by itself when nobody waits for what failed', async () => {
  server.scripts.set('broken', ['404'])
  const { code, output } = await run(`${setup()}
    controller.fetch(Items.get, { id: 'broken' })
    controller.fetch(Items.update, { id: 'x' }, { text: 'changed' })
  `)
  assert.is(code, 0, output)
  assert.is(output, '')
})

test('exits by itself after dispose, with a request that never answers', async () => {
  server.scripts.set('stalled', ['stall in the body'])
  const { code, output } = await run(`${setup()}
    const promise = controller.fetch(Items.get, { id: 'stalled' })
    setTimeout(() => controller.dispose(), 100)
    console.log((await promise.catch((error) => error)).name)
  `)
  assert.is(code, 0, output)
  assert.is(output, 'AbortError\n')
})

test.run()
