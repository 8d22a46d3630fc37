import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findChromium, launch } from '../../browser/chromium.ts'
import { serve } from '../../browser/serve.ts'
import { bundleScripts } from '../ssr/browsing.ts'
import type { HeapPage } from './heapPage.ts'

/** Rows with elements, in a browser that tells what is left of them. */
const test = suite('both bindings: heap in Chromium')

const executable = findChromium()
let folder: string
let server: Awaited<ReturnType<typeof serve>>
let browser: Browser

test.before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'patchcord-heap-'))
  await bundleScripts({ entry: new URL('heapPage.js', import.meta.url) }, folder, ['browser'])
  server = await serve(folder)
  browser = await launch(executable!)
})
test.after(async () => {
  await browser.close()
  await server.close()
  await rm(folder, { recursive: true })
})

/** What five of five hundred rows weigh, without their elements. A page warms up for some hundreds of cycles, whatever it does, and that is less. */
const FIVE_ROWS = 3000

/** Bytes of the heap in use and nodes alive, after everything that can go has gone: registries run between collections. */
async function inUse(page: Page, devtools: CDPSession): Promise<{ bytes: number; nodes: number }> {
  for (let turn = 0; turn < 4; turn++) {
    await page.evaluate(() => new Promise(resolve => setTimeout(resolve, 5)))
    await devtools.send('HeapProfiler.collectGarbage')
  }
  const { usedSize } = await devtools.send('Runtime.getHeapUsage')
  const { nodes } = await devtools.send('Memory.getDOMCounters')
  return { bytes: usedSize, nodes }
}

for (const binding of executable === undefined ? [] : ['solid', 'preact']) {
  test(`${binding}: a hundred times five hundred rows, mounted, changed and unmounted, leave nothing behind`, async () => {
    const page = await browser.newPage()
    const devtools = await page.context().newCDPSession(page)
    const cycles = async (count: number, keep = false): Promise<{ bytes: number; nodes: number }> => {
      await page.evaluate(([binding, count, keep]) => (window as unknown as { page: HeapPage }).page.cycles(binding, count, keep), [binding, count, keep] as const)
      return inUse(page, devtools)
    }
    try {
      await page.goto(server.url)
      await page.waitForFunction('window.page !== undefined')
      let before = await cycles(20)
      const perCycle: number[] = []
      // The engine's own comings and goings show in one hundred or the other; what leaks shows in all.
      for (let turn = 0; turn < 3 && !(perCycle.at(-1)! < FIVE_ROWS); turn++) {
        const after = await cycles(100)
        assert.ok(after.nodes < before.nodes + 10, `${after.nodes - before.nodes} nodes stayed`)
        perCycle.push(Math.round((after.bytes - before.bytes) / 100))
        before = after
      }
      assert.ok(Math.min(...perCycle) < FIVE_ROWS, `${perCycle.join(', ')} bytes a cycle stayed`)
      // The measure is good: what is not unmounted is seen.
      const leaking = await cycles(5, true)
      assert.ok(leaking.bytes - before.bytes > 5 * 500 * (FIVE_ROWS / 10), `${leaking.bytes - before.bytes} bytes were seen to stay`)
      assert.ok(leaking.nodes - before.nodes >= 5 * 1000, `${leaking.nodes - before.nodes} nodes were seen to stay`)
    } finally {
      await page.close()
    }
  })
}

test.run()
