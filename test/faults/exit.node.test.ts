import { spawn } from 'node:child_process'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { serveFaults, type FaultServer } from './server.ts'
import type { Step } from './steps.ts'

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

/** What the process does, what the server does to the request for `x`, and what the process prints. */
const programs: readonly (readonly [title: string, script: readonly Step[], code: string, output: RegExp])[] = [
  ['exits by itself, with a poll and a deadline still open, and no dispose', [], `
    subscribe(controller, Items.get, { id: 'polled' })
    const item = await controller.fetch(Items.get, { id: 'x' })
    console.log(item.text, process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length)
  `, /^from the server \d/],
  ['does not exit while somebody waits for another attempt', ['503', '503'], `
    console.log((await controller.fetch(Items.get, { id: 'x' })).text)
  `, /^from the server\n$/],
  ['exits by itself when nobody waits for what failed', ['404'], `
    controller.fetch(Items.get, { id: 'x' })
    controller.fetch(Items.update, { id: 'y' }, { text: 'changed' })
  `, /^$/],
  ['exits by itself after dispose, with a request that never answers', ['stall in the body'], `
    const promise = controller.fetch(Items.get, { id: 'x' })
    setTimeout(() => controller.dispose(), 100)
    console.log((await promise.catch((error) => error)).name)
  `, /^AbortError\n$/],
]

for (const [title, script, program, expected] of programs) {
  test(title, async () => {
    server.scripts.set('x', [...script])
    const { code, output } = await run(`${setup()}${program}`)
    assert.is(code, 0, output)
    assert.match(output, expected)
  })
}

test.run()
