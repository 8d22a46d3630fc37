import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../../support/waiting.ts'
import type { DevtoolsPage } from './page.ts'
import { createStage, type Stage } from './stage.ts'

const test = suite('devtools: the panel')

declare global {
  interface Window {
    readonly page: DevtoolsPage
  }
}

let stage: Stage | undefined
test.before(async () => {
  stage = await createStage()
})
test.after(() => stage?.close())

/** Runs in a page of its own, and fails on any error that the page reports. */
function inPage(name: string, act: (page: Page, stage: Stage) => Promise<void>, query = '?open', size?: { readonly width: number; readonly height: number }): void {
  test(name, async () => {
    if (!stage) return
    stage.delay = 0
    const page = await stage.open(query, size)
    const faults: string[] = []
    page.on('pageerror', error => void faults.push(String(error)))
    page.setDefaultTimeout(5000)
    try {
      await act(page, stage)
      assert.equal(faults, [])
    } finally {
      await page.context().close()
    }
  })
}

const tab = (page: Page, name: string): Promise<void> => page.getByRole('tab', { name }).click()
const button = (page: Page | Locator, name: string): Locator => page.getByRole('button', { name, exact: true })
const commits = (page: Page): Locator => page.getByRole('listbox', { name: 'Commits' }).getByRole('option')
const detail = (page: Page): Locator => page.getByLabel('Details')
const rename = (page: Page, id: number, title: string): Promise<void> => page.evaluate(([id, title]) => window.page.controller.set(window.page.Task, { id }, task => void (task.title = title)), [id, title] as const)
const titles = (page: Page): Promise<string[]> => page.locator('li span').allTextContents()

inPage('is closed at first, and opens where it was left', async page => {
  assert.not(await button(page, 'Close devtools').isVisible())
  await button(page, 'Open patchcord devtools').click()
  await tab(page, 'Store')
  await button(page, 'Dock below or to the right').click()
  await page.getByRole('separator').focus()
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowLeft')
  await page.reload()
  await page.locator('li').first().waitFor()
  assert.is(await page.getByRole('tab', { selected: true }).textContent(), 'Store')
  const box = (await page.getByLabel('patchcord devtools', { exact: true }).boundingBox())!
  assert.equal([box.width, box.height, box.x], [520, 800, 760])
}, '')

inPage('lists commits with their patches and inverse patches, and filters them', async page => {
  await page.locator('li input').first().click()
  await rename(page, 2, 'needle in a haystack')
  await until(async () => (await commits(page).count()) === 4, 'four commits')
  assert.match((await commits(page).allTextContents()).join('\n'), /4setTask 2.*\n3fetchPATCH \/api\/tasks\/1.*\n2callPATCH \/api\/tasks\/1.*\n1fetchGET \/api\/tasks/)
  assert.ok((await commits(page).nth(3).locator('.times i').count()) >= 2)
  await commits(page).nth(2).click()
  assert.match((await detail(page).locator('.patches').first().textContent())!, /replaceTask 1\.donetrue/)
  await detail(page).getByText('Inverse patches').click()
  assert.match((await detail(page).locator('.patches').nth(1).textContent())!, /replaceTask 1\.donefalse/)
  await page.getByLabel('Search in values').fill('haystack')
  await until(async () => (await commits(page).count()) === 1, 'one commit')
  await page.getByLabel('Search in values').fill('')
  await page.getByLabel('Filter by cause').selectOption('fetch')
  await until(async () => (await commits(page).count()) === 2, 'two answers')
  await page.getByLabel('Filter by endpoint').selectOption('GET /api/tasks')
  await until(async () => (await commits(page).count()) === 1, 'one answer')
  await page.getByLabel('Filter by cause').selectOption('')
  await page.getByLabel('Filter by endpoint').selectOption('')
  await page.getByLabel('Filter by entity').selectOption('Person')
  await until(async () => (await commits(page).count()) === 1, 'one commit with persons')
})

inPage('says what a commit changed, rebuilt and woke, and how many mutations followed', async page => {
  await rename(page, 2, 'other')
  await until(async () => (await commits(page).count()) === 2, 'two commits')
  await tab(page, 'Why')
  const columns = page.locator('.column')
  await until(async () => /1 DOM/.test((await columns.nth(3).textContent())!), 'one mutation')
  assert.match((await columns.nth(0).textContent())!, /^1 changed rowsTask 2$/)
  assert.match((await columns.nth(2).textContent())!, /^1 woken signalsTask 2\.title$/)
  await button(columns.nth(0), 'Task 2').click()
  const reasons = page.getByLabel('Reasons')
  assert.match((await reasons.locator('ol').textContent())!, /#2settitle.*#1fetcharrivedGET \/api\/tasks/)
  await page.getByLabel('Row or view: Todo 5').fill('Person 2')
  await until(async () => /#1fetcharrived/.test((await reasons.textContent())!), 'reasons of the person')
})

inPage('shows 100,000 rows, and edits, expires and collects them', async page => {
  await page.evaluate(() => window.page.fill(100_000))
  await tab(page, 'Store')
  const rows = page.getByRole('listbox', { name: 'Rows' })
  await page.getByRole('listbox', { name: 'Tables' }).getByText('Task', { exact: true }).click()
  await rows.getByRole('option').first().waitFor()
  assert.ok((await rows.getByRole('option').count()) < 60)
  assert.is(await rows.getByRole('option').first().getAttribute('aria-setsize'), '100012')
  await rows.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('End')
  await page.getByLabel('Row', { exact: true }).getByText('Task 100999').waitFor()
  await page.keyboard.press('Home')
  const row = page.getByLabel('Row', { exact: true })
  await row.getByLabel('title').fill('Edited here')
  await page.keyboard.press('Enter')
  await until(async () => (await titles(page))[0] === 'Edited here', 'the edited title')
  await button(row, 'As view').click()
  assert.match((await row.locator('pre').textContent())!, /^Task \{\n {2}id: 1,\n {2}title: "Edited here",[^}]*owner: Person \{\n {4}id: 1,/)
  assert.match((await row.textContent())!, /Retained because.*a live object of it is in use/)
  await button(row, 'Expire').click()
  await until(() => page.evaluate(() => window.page.controller.getResponse(window.page.TaskResource.getList).expiresAt === 0), 'an expired list')
  // Nobody reads the other list.
  await page.evaluate(() => window.page.controller.expireAll({ testKey: () => true }))
  await button(page, 'Collect').click()
  await until(async () => (await rows.getByRole('option').first().getAttribute('aria-setsize')) === '12', 'only rows in use')
  assert.is((await titles(page))[0], 'Edited here')
})

inPage('delays pending calls, lets them fail and aborts them', async (page, { answerAll }) => {
  stage!.delay = Infinity
  const boxes = page.locator('li input')
  const before = await Promise.all([0, 1, 2].map(at => boxes.nth(at).isChecked()))
  for (const at of [0, 1, 2]) await boxes.nth(at).click()
  await tab(page, 'Pending')
  const cards = page.locator('.card')
  await until(async () => (await cards.count()) === 3, 'three calls')
  assert.match((await cards.nth(1).textContent())!, /^2PATCH \/api\/tasks\/2sent.*replaceTask 2\.done/)
  await button(cards.nth(0), 'Delay').click()
  await button(cards.nth(1), 'Let fail').click()
  await until(async () => (await cards.count()) === 2, 'two calls')
  await button(cards.nth(1), 'Abort').click()
  await until(async () => (await cards.count()) === 1, 'one call')
  assert.equal(await Promise.all([0, 1, 2].map(at => boxes.nth(at).isChecked())), [!before[0], before[1], before[2]])
  answerAll()
  await cards.getByText('answered, delayed').waitFor()
  await button(cards.nth(0), 'Release').click()
  await until(async () => (await cards.count()) === 0, 'no call')
  assert.is(await boxes.nth(0).isChecked(), !before[0])
})

inPage('travels through time, and opens a session elsewhere', async (page, { open }) => {
  await rename(page, 1, 'first')
  await rename(page, 1, 'second')
  await until(async () => (await commits(page).count()) === 3, 'three commits')
  await button(page, 'Step back').click()
  await until(async () => (await titles(page))[0] === 'first', 'the first title')
  await rename(page, 1, 'third')
  await page.getByText(/^#2 .*read only$/).waitFor()
  assert.is((await titles(page))[0], 'first')
  await detail(page).getByText('#2 set').waitFor()
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Export this session').click()])
  await button(page, 'Back to now').click()
  await until(async () => (await titles(page))[0] === 'third', 'the newest title')
  const text = await readFile(await download.path(), 'utf8')
  assert.is((JSON.parse(text) as { commits: unknown[] }).commits.length, 4)

  const other = await open('?open')
  try {
    const original = (await titles(other))[0]
    await other.locator('input[type=file]').setInputFiles({ name: 'session.json', mimeType: 'application/json', buffer: Buffer.from(text) })
    await until(async () => (await commits(other).count()) === 4, 'the commits of the file')
    await other.getByLabel('Commit to show').press('Home')
    await button(other, 'Step forward').click()
    await until(async () => (await titles(other))[0] === 'first', 'the title of the file')
    await button(other, 'Play').click()
    await until(async () => (await titles(other))[0] === 'third', 'the last title of the file')
    await button(other, 'Close file').click()
    await until(async () => (await titles(other))[0] === original, 'its own title')
    await other.locator('input[type=file]').setInputFiles({ name: 'wrong.json', mimeType: 'application/json', buffer: Buffer.from('{}') })
    await other.getByText('The session cannot be opened.').waitFor()
  } finally {
    await other.context().close()
  }
})

inPage('can be used with the keyboard alone', async page => {
  await rename(page, 1, 'first')
  await page.getByRole('tab', { selected: true }).focus()
  await page.keyboard.press('ArrowRight')
  assert.is(await page.getByRole('tab', { selected: true }).textContent(), 'Why')
  await page.keyboard.press('ArrowLeft')
  await page.getByRole('listbox', { name: 'Commits' }).focus()
  await page.keyboard.press('ArrowDown')
  await detail(page).getByText('#2 set').waitFor()
  await page.keyboard.press('ArrowDown')
  await detail(page).getByText('#1 fetch').waitFor()
  await page.keyboard.press('Escape')
  assert.not(await button(page, 'Close devtools').isVisible())
  assert.ok(await button(page, 'Open patchcord devtools').evaluate(element => (element.getRootNode() as ShadowRoot).activeElement === element))
  await page.keyboard.press('Enter')
  assert.ok(await button(page, 'Close devtools').isVisible())
})

inPage('fits a phone', async page => {
  await rename(page, 1, 'first')
  for (const name of ['Timeline', 'Why', 'Store', 'Pending']) {
    await tab(page, name)
    const wide = await page.evaluate(() => [...document.querySelector('patchcord-devtools')!.shadowRoot!.querySelectorAll('.panel, .panel *')].filter(each => each.getBoundingClientRect().right > innerWidth + 1 && !each.closest('.names')).map(each => each.outerHTML.slice(0, 80)))
    assert.equal(wide, [], name)
  }
  await tab(page, 'Timeline')
  await commits(page).first().click()
  await until(async () => !(await commits(page).first().isVisible()), 'the details alone')
  await button(page, 'Back to the list').click()
  await until(() => commits(page).first().isVisible(), 'the list')
  assert.is(await page.evaluate('document.documentElement.scrollWidth'), 390)
}, '?open', { width: 390, height: 844 })

test.run()
