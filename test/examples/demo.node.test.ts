import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { projectRoot } from '../house/sources.ts'
import { executable, startDemos, type Demo } from './demo.ts'
import { choice, flows, settled } from './flows.ts'

const test = suite('the demo')

/** Each with what tells that it is there. */
const views: Record<string, readonly [hash: string, sign: string]> = {
  list: ['#/issues', '.issue'],
  issue: ['#/issues/120', '.heading'],
  form: ['#/issues/new', 'form.page'],
  missing: ['#/issues/9999', '.detail .empty .button'],
  board: ['#/board', '.service'],
}
/** SHOTS=1 leaves pictures here, for eyes. */
const shots = process.env['SHOTS'] ? join(projectRoot, 'build/shots') : undefined

/** In all sizes nothing is wider than the page or than its part of it, and nothing is covered. */
async function measure(page: Page, name: string): Promise<void> {
  for (const [width, height] of [[320, 640], [390, 844], [1280, 800]] as const) {
    await page.setViewportSize({ width, height })
    assert.is(await page.evaluate('document.documentElement.scrollWidth'), width, name)
    const wider = await page.locator('.detail, .issues, .services, .panel, .notices').evaluateAll(all => all.filter(each => each.scrollWidth > each.clientWidth).map(each => each.className))
    assert.equal(wider, [], `${name} at ${width}`)
    // Nothing lies over what can be clicked, but the panel where it takes the page.
    for (const button of await page.locator('[data-panel=false] .button, .notice .button').all()) {
      if (await button.isVisible()) await button.click({ trial: true, timeout: 10_000 })
    }
    if (shots === undefined) continue
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
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
    await measure(page, `${demo.framework}-${view}`)
  }
  await demo.show(page, '#/issues/120')
  await choice(page, 'Priority').selectOption('urgent')
  await page.getByLabel('Network and keys').click()
  await page.getByText('Start over').waitFor()
  await measure(page, `${demo.framework}-panel`)
  await page.getByText('Open devtools').click()
  await page.getByLabel('Close the panel').click()
  await page.getByRole('option', { name: 'call PATCH' }).click()
  await measure(page, `${demo.framework}-devtools`)
  await page.getByLabel('Close devtools').click()
  await settled(page)
  await demo.network({ down: true })
  await page.getByText('Close issue').click()
  await page.locator('.problem').waitFor()
  await measure(page, `${demo.framework}-problem`)
  await demo.show(page, '#/issues?status=closed')
  await page.locator('.trouble').waitFor()
  await measure(page, `${demo.framework}-trouble`)
  await demo.show(page, '#/board')
  await page.locator('.board .trouble').waitFor()
  await measure(page, `${demo.framework}-board-trouble`)
}

/** In both at the same time: they wait for their servers most of the time. Gives what went wrong. */
async function inBoth(act: (demo: Demo) => Promise<void>, pair: readonly Demo[]): Promise<string> {
  const faults = await Promise.all(
    pair.map(async demo => {
      const fault = await act(demo).then(() => demo.faults[0], (error: unknown) => error)
      demo.faults.length = 0
      return fault === undefined ? undefined : `${demo.framework}: ${fault instanceof Error ? fault.stack : String(fault)}`
    }),
  )
  return faults.filter(Boolean).join('\n\n')
}

const acts = { ...flows, 'every view fits a phone and a desktop': look }
const outcomes = new Map<string, string>()

const isInBrowser = executable !== undefined
if (isInBrowser) {
  if (shots) mkdirSync(shots, { recursive: true })
  test.before(async () => {
    const { demos, close } = await startDemos(2)
    const open = Object.entries(acts)
    // As soon as a pair is free it takes the next, the last first: those take longest.
    const work = async (pair: readonly Demo[]): Promise<void> => {
      for (let next = open.pop(); next; next = open.pop()) outcomes.set(next[0], await inBoth(next[1], pair))
    }
    await Promise.all(demos.map(work)).finally(close)
  })
}
for (const name of Object.keys(acts)) {
  ;(isInBrowser ? test : test.skip)(name, () => {
    const outcome = outcomes.get(name)
    if (outcome !== '') throw new Error(outcome)
  })
}

test.run()
