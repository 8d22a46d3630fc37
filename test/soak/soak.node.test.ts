import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { runs } from '../laws/settings.ts'

const test = suite('soak')

test('INV-33 INV-36 After 10,000 mixed operations nothing remains that nobody needs, and the heap is what it was', async () => {
  const main = fileURLToPath(new URL('./main.js', import.meta.url))
  const child = spawn(process.execPath, ['--conditions=browser', '--expose-gc', '--no-opt', main, String(runs(10_000))])
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += String(chunk)))
  const code = await new Promise(resolve => child.on('exit', resolve))
  assert.is(code, 0, output)
  console.log(`\n  INV-33: ${output.trim().split('\n').at(-1)!}`)
})

test.run()
