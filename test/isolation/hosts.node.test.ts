import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { projectRoot } from '../house/sources.ts'

/** INV-52: the example suites again, in processes whose language is a little stricter; their laws a hundredth as often. */
const test = suite('INV-52: stricter hosts')

const suites = fileURLToPath(new URL('..', import.meta.url))
const frozen = new URL('frozen.js', import.meta.url).href

function run(flags: readonly string[], pattern: string): { readonly failed: string[]; readonly passed: number } {
  const { stdout, stderr } = spawnSync(process.execPath, ['--conditions=browser', '--expose-gc', ...flags, 'node_modules/uvu/bin.js', suites, pattern, '--no-color'], {
    cwd: projectRoot,
    encoding: 'utf8',
    env: { ...process.env, RUNS_MULTIPLIER: '0.01', UVU_DEFER: undefined, NODE_OPTIONS: '' },
    maxBuffer: 1e8,
    timeout: 120_000,
  })
  const text = stdout + stderr
  const passed = Number(/Passed:\s+(\d+)/.exec(text)?.[1] ?? NaN)
  if (!(passed > 0)) throw new Error(`The suites did not run:\n${text.slice(-2000)}`)
  return { failed: [...text.matchAll(/FAIL {2}(.*)\n\s*(.*)/g)].map(([, name, why]) => `${name}: ${why}`), passed }
}

const rooms = '^(schema|normalize|store|view|controller)/[^/.]*\\.test\\.js$'

test('without __proto__ (--disable-proto=throw) every suite is as it was', () => {
  const { failed, passed } = run(['--disable-proto=throw'], rooms)
  assert.equal(failed, [])
  assert.ok(passed > 500, `${passed} passed`)
})

/** What no code of ours can do there: the test assigns to such a name itself; Immer does, where a patch goes deeper than a field. */
const beyond = [/^the fields of records.*also with names that the prototype has/, /^patches that Immer made.*"named values/]

test('with Object.prototype frozen after the imports every suite is as it was, but for two examples', () => {
  const { failed, passed } = run(['--import', frozen], rooms)
  assert.equal(failed.filter(name => !beyond.some(known => known.test(name))), [])
  assert.is(failed.length, beyond.length, 'an exception that is none any more is to go')
  assert.ok(passed > 500, `${passed} passed`)
})

test('the hosts are as strict as they should be', () => {
  const code = `let said = ''
    try { ({}).__proto__ } catch { said += 'no __proto__ ' }
    try { const o = {}; o.toString = 1 } catch { said += 'frozen' }
    console.log(said)`
  const say = (...flags: string[]): string => spawnSync(process.execPath, [...flags, '--input-type=module', '-e', `'use strict';${code}`], { cwd: projectRoot, encoding: 'utf8' }).stdout.trim()
  assert.equal([say('--disable-proto=throw'), say('--conditions=browser', '--import', frozen)], ['no __proto__', 'frozen'])
})

test.run()
