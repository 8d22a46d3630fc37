import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findChromium } from '../browser/chromium.ts'
import { steps, totals } from './gates.ts'

const test = suite('the test runner')

const report = (total: number, passed: number): string => `\n  Total:     ${total}\u001B[32m\n  Passed:    ${passed}\u001B[39m\n  Skipped:   0\n`

for (const [title, code, output, passed, failed] of [
  ['counts what passed', 0, report(12, 12), 12, 0],
  ['counts what did not pass', 1, report(12, 10), 10, 2],
  ['counts tests that never ran as failed, though uvu exits with 0 then', 0, report(12, 9), 9, 3],
  ['a run that ended early has failed', 1, 'Exiting early before testing is finished.', 0, 1],
  ['a run that exited with an error has failed', 1, report(12, 12), 12, 1],
] as const) {
  test(title, () => assert.equal(totals.readTotals(code, output), { passed, failed }))
}

test('a job that does not end is stopped, and a process that it has started does not hold the run', async () => {
  const script = "require('node:child_process').spawn('sleep', ['30'], { stdio: 'inherit', detached: true }); setInterval(() => {}, 1000)"
  const { code, output } = await steps.run(['node', '-e', script], { minutes: 0.02, quiet: true })
  assert.equal([code, output.trim()], [1, 'Stopped after 0.02 minutes: something keeps the process alive.'])
})

test('a Chromium is where CHROMIUM_PATH says, and nowhere else when that is set', () => {
  assert.is(findChromium({ CHROMIUM_PATH: process.execPath }), process.execPath)
  assert.is(findChromium({ CHROMIUM_PATH: '/nowhere', PATH: process.env['PATH'] }), undefined)
})

test.run()
