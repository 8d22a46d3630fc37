import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { projectRoot } from '../../house/sources.ts'
import { runs } from '../../support/settings.ts'

/** The example suites again, in processes whose language is stricter or whose objects lie; their laws a hundredth as often. */
const test = suite('INV-52, INV-53: stricter and polluted hosts')

const suites = fileURLToPath(new URL('../..', import.meta.url))
const frozen = new URL('frozen.js', import.meta.url).href
const pollution = new URL('pollution.js', import.meta.url).href

function run(flags: readonly string[], pattern: string, polluted = ''): { readonly failed: string[]; readonly passed: number } {
  const { stdout, stderr } = spawnSync(process.execPath, ['--conditions=browser', '--expose-gc', ...flags, 'node_modules/uvu/bin.js', suites, pattern, '--no-color'], {
    cwd: projectRoot,
    encoding: 'utf8',
    env: { ...process.env, RUNS_MULTIPLIER: '0.01', POLLUTION: polluted, UVU_DEFER: undefined, NODE_OPTIONS: '' },
    maxBuffer: 1e8,
    timeout: 300_000,
  })
  const text = stdout + stderr
  const passed = Number(/Passed:\s+(\d+)/.exec(text)?.[1] ?? NaN)
  if (!(passed > 0)) throw new Error(`The suites did not run:\n${text.slice(-2000)}`)
  return { failed: [...text.matchAll(/FAIL {2}(.*)\n\s*(.*)/g)].map(([, name, why]) => `${name}: ${why}`), passed }
}

/** Without two laws for which fast-check itself assigns to such names. */
const rooms = '^(contract/(base|schema|normalize|store|endpoint|view|rest|order|controller|undo)|laws/order)/(?!laws|known)[^/.]*\\.test\\.js$'

/** What no code of ours can do on a frozen prototype: the test assigns to such a name itself. */
const beyond = [/^the fields of records.*also with names that the prototype has/]

const noProto = { says: 'without __proto__ (--disable-proto=throw)', flags: ['--disable-proto=throw'], known: [] as RegExp[] }
const isFrozen = { says: 'with Object.prototype frozen after the imports', flags: ['--import', frozen], known: beyond }
const both = { says: `${noProto.says} and ${isFrozen.says}`, flags: [...noProto.flags, ...isFrozen.flags], known: beyond }
// What throws in one of the two throws in both at once.
for (const { says, flags, known } of runs(1) > 1 ? [both, noProto, isFrozen] : [both]) {
  test(`${says} every suite is as it was${known.length > 0 ? ', but for one example' : ''}`, () => {
    const { failed, passed } = run(flags, rooms)
    assert.equal(failed.filter(name => !known.some(each => each.test(name))), [])
    assert.is(failed.length, known.length, 'an exception that is none any more is to go')
    assert.ok(passed > 700, `${passed} passed`)
  })
}

/** Suites that talk to real servers are among them: `fetch` reads what its init inherits. */
const core = '^(contract/(base|schema|normalize|store|endpoint|view|rest|order|managers|controller|undo)/[^/.]*|laws/(order/)?[^/.]*|contract/rest/(faults|hostile|origin|request|resource|response)\\.node)\\.test\\.js$'

/** Where Immer is asked what it makes of a patch: it copies into values what they inherit, and follows `headers` for ever. */
const expected = [
  /^patches that Immer made .*patches of ours apply in Immer/,
  /^order: histories .*INV-07 INV-11 INV-23/,
  /^laws: agreement .*what real Immer makes/,
  /^laws: agreement .*Patches that Immer made of edits/,
]

const names = ['polluted', 'schema', 'key', 'then', 'toJSON', 'method', 'credentials', 'headers']
// One by one they take a minute, and what one of them breaks, all of them break.
for (const name of runs(1) > 1 ? [names.join(' '), ...names] : [names.join(' ')]) {
  test(`INV-53 where every object inherits ${name} every suite is as it was, but for four examples`, () => {
    const { failed, passed } = run(['--import', pollution], core, name)
    assert.equal(failed.filter(title => !expected.some(known => known.test(title))), [])
    if (name.includes(' ')) assert.is(failed.length, expected.length, 'an exception that is none any more is to go')
    assert.ok(passed > 900, `${passed} passed`)
  })
}

test('the hosts are as strict, and as polluted, as they should be', () => {
  const code = `let found = ''
    try { ({}).__proto__ } catch { found += 'no __proto__ ' }
    try { const o = {}; o.toString = 1 } catch { found += 'frozen' }
    for (const name in {}) found += name + ' '
    console.log(found)`
  const say = (...flags: string[]): string => spawnSync(process.execPath, [...flags, '--input-type=module', '-e', `'use strict';${code}`], { cwd: projectRoot, encoding: 'utf8', env: { ...process.env, POLLUTION: names.join(' ') } }).stdout.trim()
  assert.equal([say(...noProto.flags), say('--conditions=browser', ...isFrozen.flags), say('--import', pollution)], ['no __proto__', 'frozen', names.join(' ')])
  assert.is(say('--conditions=browser', ...both.flags), 'no __proto__ frozen')
})

test.run()
