import { render } from 'solid-js/web'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { DataProvider, useQuery } from '../../../bindings/solid/index.ts'
import { All, Controller } from '../../../src/index.ts'
import { findChromium } from '../../browser/chromium.ts'
import { withDom } from '../../support/dom.ts'
import { heapUsed } from '../../support/heapUsed.ts'
import { bundleScripts } from '../ssr/browsing.ts'
import { onChromiumPage } from './chromiumPage.ts'
import type { HeapPage } from './heapPage.ts'
import { each, wrap } from './solidFramework.ts'
import { paragraph } from './solidStage.ts'
import { Todo } from './todo.ts'

/** What is left of rows that have gone, and what is not collected while it is on show. */
const test = suite('both bindings: heap')
withDom(test)

/** What five of five hundred rows weigh, without their elements. A page warms up for some hundreds of cycles, whatever it does, and that is less. */
const FIVE_ROWS = 3000

for (const binding of findChromium() === undefined ? [] : ['solid', 'preact']) {
  const bundle = (folder: string): Promise<void> => bundleScripts({ entry: new URL('heapPage.js', import.meta.url) }, folder, ['browser'])
  test(`${binding}, in Chromium: a hundred times five hundred rows, mounted, changed and unmounted, leave nothing behind`, () =>
    onChromiumPage(bundle, async (page, url) => {
      const devtools = await page.context().newCDPSession(page)
      const run = (given: readonly [string, number, boolean]): Promise<void> => (window as unknown as { page: HeapPage }).page.cycles(...given)
      const cycles = async (count: number, keep: boolean): Promise<{ bytes: number; nodes: number }> => {
        await page.evaluate(run, [binding, count, keep] as const)
        // Until everything that can go has gone: registries run between collections.
        for (let turn = 0; turn < 4; turn++) {
          await page.evaluate(() => new Promise(resolve => setTimeout(resolve, 5)))
          await devtools.send('HeapProfiler.collectGarbage')
        }
        const { usedSize } = await devtools.send('Runtime.getHeapUsage')
        const { nodes } = await devtools.send('Memory.getDOMCounters')
        return { bytes: usedSize, nodes }
      }
      await page.goto(url)
      await page.waitForFunction('window.page !== undefined')
      let before = await cycles(20, false)
      const perCycle: number[] = []
      // The engine's own comings and goings show in one hundred or the other; what leaks shows in all.
      for (let turn = 0; turn < 3 && !(perCycle.at(-1)! < FIVE_ROWS); turn++) {
        const after = await cycles(100, false)
        assert.ok(after.nodes < before.nodes + 10, `${after.nodes - before.nodes} nodes stayed`)
        perCycle.push(Math.round((after.bytes - before.bytes) / 100))
        before = after
      }
      assert.ok(Math.min(...perCycle) < FIVE_ROWS, `${perCycle.join(', ')} bytes a cycle stayed`)
      // The measure is good: what is not unmounted is seen.
      const leaking = await cycles(5, true)
      assert.ok(leaking.bytes - before.bytes > 5 * 500 * (FIVE_ROWS / 10), `${leaking.bytes - before.bytes} bytes were seen to stay`)
      assert.ok(leaking.nodes - before.nodes >= 5 * 1000, `${leaking.nodes - before.nodes} nodes were seen to stay`)
    }))
}

/** Nothing of the page is retained but its elements, as in `render(() => <App />, root)`. */
function mountLoose(controller: Controller): HTMLElement {
  const root = document.createElement('div')
  render(() => wrap(DataProvider, { controller }, () => each(useQuery(new All(Todo)), todo => paragraph(() => todo.title))), root)
  return root
}

test('solid: a mounted page goes on showing changes after a garbage collection, though nobody holds its root', async () => {
  const controller = new Controller()
  controller.set([Todo], [{ id: '1', title: 'sow' }])
  const root = mountLoose(controller)
  await heapUsed(10)
  controller.set(Todo, { id: '1', title: 'mow' })
  controller.set(Todo, { id: '2', title: 'reap' })
  assert.is([...root.children].map(row => row.textContent).join(), 'mow,reap')
})

test.run()
