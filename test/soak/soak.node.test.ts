import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { runs } from '../support/settings.ts'

const test = suite('soak')

/** Runs a file of this folder; it says by its exit code whether it is content. Gives its last line. */
async function run(flags: readonly string[], file: string, count: number): Promise<string> {
  const child = spawn(process.execPath, [...flags, '--expose-gc', '--disable-warning=ExperimentalWarning', fileURLToPath(new URL(file, import.meta.url)), String(count)])
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += String(chunk)))
  const code = await new Promise(resolve => child.on('exit', resolve))
  assert.is(code, 0, output)
  return output.trim().split('\n').at(-1)!
}

test('INV-33 INV-36 After 10,000 mixed operations nothing remains that nobody needs, and the heap is what it was', async () => {
  console.log(`\n  INV-33: ${await run(['--conditions=browser', '--no-opt'], 'main.js', runs(10_000))}`)
})

test('INV-34 After 600 pages of Solid and of Preact no object, no handle and no store remains, and the process ends', async () => {
  console.log(`\n  INV-34: ${await run(['--no-opt'], 'pages.js', runs(600))}`)
})

test.run()
