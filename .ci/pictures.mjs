// Makes the pictures of docs/devtools.md: npm run docs:pictures
// With a folder as argument it leaves there every tab in every size and color instead, for eyes.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createStage } from '../build/test/contract/devtools/stage.js'

const folder = process.argv[2] ?? join(import.meta.dirname, '../docs/pictures')
const isAll = process.argv[2] !== undefined
mkdirSync(folder, { recursive: true })
const stage = await createStage()
if (!stage) throw new Error('The pictures need a Chromium. Install one, or name it in CHROMIUM_PATH.')

const rest = ms => new Promise(resolve => setTimeout(resolve, ms))
const tab = (page, name) => page.getByRole('tab', { name }).click()

/** Something to look at: a few calls, local writes, one that fails and one that waits. */
async function act(page) {
  stage.delay = 120
  const boxes = page.locator('li input')
  await boxes.nth(1).click()
  await boxes.nth(3).click()
  await rest(250)
  await page.evaluate(async () => {
    const { controller, Task, TaskResource } = window.page
    controller.set(Task, { id: 5 }, task => void (task.points = 8))
    await controller.fetch(TaskResource.getList)
    controller.applyPatches([{ op: 'replace', path: ['entities', 'Person', '2', 'name'], value: 'Benedict' }], { origin: 'tab-2' })
    await controller.fetch(TaskResource.get, { id: 7 })
    await controller.fetch(TaskResource.getList)
  })
  await boxes.nth(6).click()
  await rest(250)
}

/** On a phone the details hide the list. */
async function toList(page) {
  const back = page.getByRole('button', { name: 'Back to the list' })
  if (await back.isVisible()) await back.click()
}

const scenes = {
  timeline: async page => {
    await tab(page, 'Timeline')
    await page.getByRole('listbox', { name: 'Commits' }).getByText('call').first().click()
  },
  why: async page => {
    await tab(page, 'Timeline')
    await toList(page)
    await page.getByRole('listbox', { name: 'Commits' }).getByText('applyPatches').first().click()
    await tab(page, 'Why')
    await page.getByRole('button', { name: 'Person 2', exact: true }).first().click()
  },
  store: async page => {
    await tab(page, 'Store')
    await page.getByRole('option', { name: /^Task/ }).first().click()
    await page.getByRole('listbox', { name: 'Rows' }).getByRole('option').nth(2).click()
  },
  pending: async page => {
    stage.delay = Infinity
    await page.locator('li input').nth(0).click({ force: true })
    await page.locator('li input').nth(2).click({ force: true })
    await rest(60)
    await tab(page, 'Pending')
    await page.getByRole('button', { name: 'Delay' }).first().click()
  },
  travel: async page => {
    stage.answerAll()
    stage.delay = 0
    await rest(100)
    await tab(page, 'Timeline')
    await toList(page)
    for (let i = 0; i < 4; i++) await page.getByRole('button', { name: 'Step back' }).click()
  },
}

const shots = isAll
  ? [['1280-light', 1280, 800, 'light', ''], ['1280-dark', 1280, 800, 'dark', ''], ['390-light', 390, 844, 'light', ''], ['390-dark', 390, 844, 'dark', ''], ['right', 1280, 800, 'light', '&right']]
  : [['', 1280, 760, 'light', '']]
for (const [name, width, height, colorScheme, more] of shots) {
  const page = await stage.open(`?open${more}`, { width, height })
  await page.emulateMedia({ colorScheme })
  await act(page)
  for (const [scene, set] of Object.entries(scenes)) {
    await set(page)
    await rest(120)
    await page.mouse.move(5, 5)
    await page.screenshot({ path: join(folder, `${scene}${name && `-${name}`}.png`) })
  }
  if (isAll) {
    await page.getByRole('button', { name: 'Close devtools' }).click()
    await page.screenshot({ path: join(folder, `closed-${name}.png`) })
  }
  await page.close()
}
await stage.close()
