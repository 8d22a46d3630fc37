import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findChromium } from '../browser/chromium.ts'
import { projectRoot } from './sources.ts'

const { readTotals } = (await import(pathToFileURL(join(projectRoot, 'test/totals.mjs')).href)) as {
  readTotals(code: number, output: string): { passed: number; failed: number }
}

const test = suite('the test runner')

const report = (total: number, passed: number): string => `\n  Total:     ${total}\u001B[32m\n  Passed:    ${passed}\u001B[39m\n  Skipped:   0\n`

test('counts what passed and what did not', () => {
  assert.equal(readTotals(0, report(12, 12)), { passed: 12, failed: 0 })
  assert.equal(readTotals(1, report(12, 10)), { passed: 10, failed: 2 })
})

test('counts tests that never ran as failed, though uvu exits with 0 then', () => {
  assert.equal(readTotals(0, report(12, 9)), { passed: 9, failed: 3 })
})

test('a run that ended early or exited with an error has failed', () => {
  assert.equal(readTotals(1, 'Exiting early before testing is finished.'), { passed: 0, failed: 1 })
  assert.equal(readTotals(1, report(12, 12)), { passed: 12, failed: 1 })
})

test('a Chromium is where CHROMIUM_PATH says, and nowhere else when that is set', () => {
  assert.is(findChromium({ CHROMIUM_PATH: process.execPath }), process.execPath)
  assert.is(findChromium({ CHROMIUM_PATH: '/nowhere', PATH: process.env['PATH'] }), undefined)
})

test.run()
