import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const test = suite("solid: under Solid's development build")

const tests = fileURLToPath(new URL('..', import.meta.url))
const uvu = fileURLToPath(import.meta.resolve('uvu')).replace(/dist.*/, 'bin.js')

// That build tells of mistakes on the console, and the suites fail when anything is reported there.
test('the suites of the binding pass, and nothing is logged', async () => {
  const child = spawn(
    process.execPath,
    ['--conditions=browser', '--conditions=development', '--expose-gc', uvu, tests, 'bindings.solid(Conformance|Rows|Reading)\\.test\\.js$', '--no-color'],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NODE_OPTIONS: '' } },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += String(chunk)))
  const [code] = (await once(child, 'close')) as [number]
  assert.is(code, 0, output)
  // A suite that was lost on the way would not fail by itself.
  const [total, passed] = ['Total', 'Passed'].map(word => Number(new RegExp(`${word}:\\s+(\\d+)`).exec(output)?.[1]))
  assert.ok(total! >= 50 && passed === total, output)
  assert.not.match(output, /You appear to have multiple instances|computations created outside/)
})

test.run()
