import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import { projectRoot } from '../../house/sources.ts'

/** The folder of the compiled contract suites. */
export const suites: string = fileURLToPath(new URL('..', import.meta.url))

/** Fails unless uvu has run at least so many tests, and all have passed: a suite that was lost on the way would not fail by itself. */
export function assertPassed(output: string, atLeast: number): void {
  const [total, passed] = ['Total', 'Passed'].map(word => Number(new RegExp(`${word}: +(\\d+)`).exec(output)?.[1]))
  assert.ok(total! >= atLeast && passed === total, output)
}

/** Runs the suites whose path matches in a process of their own, and gives what they print. */
export async function runSuites(pattern: string, flags: string[], atLeast: number): Promise<string> {
  const uvu = join(projectRoot, 'node_modules/uvu/bin.js')
  const env = { ...process.env, NODE_OPTIONS: '', UVU_DEFER: '' }
  const args = ['--conditions=browser', '--expose-gc', ...flags, uvu, suites, pattern, '--no-color']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: 180_000, env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += String(chunk)))
  const [code] = (await once(child, 'close')) as [number]
  assert.is(code, 0, output)
  assertPassed(output, atLeast)
  return output
}
