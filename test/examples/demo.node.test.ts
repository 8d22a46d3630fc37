import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { projectRoot } from '../house/sources.ts'
import { executable, startDemos, type Demo } from './demo.ts'
import { choice, flows } from './flows.ts'

const test = suite('the demo')
let demos: Demo[] = []
let close = async (): Promise<void> => {}

/** Each with what tells that it is there. */
const views: Record<string, readonly [hash: string, sign: string]> = {
  list: ['#/issues', '.issue'],
  issue: ['#/issues/120', '.heading'],
  form: ['#/issues/new', 'form.page'],
  missing: ['#/issues/9999', '.detail .empty .button'],
  board: ['#/board', '.service'],
}
const shots = join(projectRoot, 'build/shots')

/** In all sizes and themes. Nothing may be wider than the page. */
async function photograph(page: Page, name: string): Promise<void> {
  for (const [width, height] of [[390, 844], [1280, 800]] as const) {
    await page.setViewportSize({ width, height })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      assert.is(await page.evaluate('document.documentElement.scrollWidth'), width, name)
      await page.screenshot({ path: join(shots, `${name}-${width}-${colorScheme}.png`) })
    }
  }
}

async function look(demo: Demo): Promise<void> {
  const page = await demo.open('#/issues')
  await page.getByLabel('Close the panel').click()
  for (const [view, [hash, sign]] of Object.entries(views)) {
    await demo.show(page, hash)
    await page.locator(sign).first().waitFor()
    await photograph(page, `${demo.framework}-${view}`)
  }
  await demo.show(page, '#/issues/120')
  await choice(page, 'Priority').selectOption('urgent')
  await page.getByLabel('Patches and network').click()
  await page.locator('.timeline li', { hasText: 'Prioritize' }).locator('summary').click()
  await photograph(page, `${demo.framework}-panel`)
  await demo.weather({ down: true })
  await page.getByLabel('Close the panel').click()
  await page.getByText('Close issue').click()
  await page.locator('.problem').waitFor()
  await demo.show(page, '#/issues?status=closed')
  await page.locator('.trouble').waitFor()
  await photograph(page, `${demo.framework}-trouble`)
}

/** Both at the same time: they wait for their servers most of the time. */
async function inBoth(act: (demo: Demo) => Promise<void>): Promise<void> {
  const faults = await Promise.all(
    demos.map(async demo => {
      const fault = await act(demo).then(() => demo.faults[0], (error: unknown) => error)
      demo.faults.length = 0
      return fault === undefined ? undefined : `${demo.framework}: ${fault instanceof Error ? fault.stack : String(fault)}`
    }),
  )
  if (faults.some(Boolean)) throw new Error(faults.filter(Boolean).join('\n\n'))
}

if (executable === undefined) test.skip('needs a Chromium', () => {})
else {
  mkdirSync(shots, { recursive: true })
  test.before(async () => void ({ demos, close } = await startDemos()))
  test.after(() => close())
  for (const [name, flow] of Object.entries(flows)) test(name, () => inBoth(flow))
  test('every view fits a phone and a desktop, light and dark', () => inBoth(look))
}

test.run()
