import type { Locator, Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import type { Demo, Stored } from './demo.ts'

const titles = (page: Page): Promise<string[]> => page.locator('.issue .title').allTextContents()
const row = (page: Page, title: string): Locator => page.locator('.issue', { hasText: title })
export const choice = (page: Page, label: string): Locator => page.locator('.fields label', { hasText: label }).locator('select')
const text = (page: Page, selector: string): Promise<string | null> => page.locator(selector).first().textContent()
/** All figures of the board at one moment: between two questions a poll may come. */
const figures = (page: Page): Promise<Record<string, number>> =>
  page.locator('[data-meter]').evaluateAll(all => Object.fromEntries(all.map(each => [each.getAttribute('data-meter'), Number(each.textContent?.replaceAll(',', ''))])))

/** All that was done has been answered, and the page has it: from here on a step back goes to the server. */
export const settled = (page: Page): Promise<void> => page.locator('[data-pending="0"]').waitFor({ state: 'attached' })
/** The list that is asked for is the one that is shown. */
const listed = (page: Page): Promise<void> => page.locator('.list[aria-busy=false]').waitFor()

/** Comes back to the tab, or to its window. A browser without windows shows all its tabs, so the event is only dispatched. */
const comeBack = (page: Page, to: 'tab' | 'window'): Promise<unknown> =>
  page.evaluate(to => {
    if (to === 'window') return dispatchEvent(new Event('focus'))
    for (const state of ['hidden', 'visible']) {
      Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }
    return undefined
  }, to)
/** A page with the list, which has #120. */
async function open(demo: Demo, hash = '#/issues'): Promise<Page> {
  const page = await demo.open(hash)
  await row(page, '#120').waitFor()
  return page
}

const gone = (locator: Locator): Promise<void> => locator.waitFor({ state: 'detached' })

async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

/** Types into a field and leaves it. */
async function write(field: Locator, text: string): Promise<void> {
  await field.fill(text)
  await field.blur()
}

/** Waits until all is answered; then the server has these fields of an issue, or has none. */
async function saved(demo: Demo, page: Page, id: number, expected: Partial<Stored> | undefined): Promise<void> {
  await settled(page)
  const stored = await demo.stored(id)
  assert.equal(stored && expected ? { ...stored, ...expected } : expected, stored)
}

/** Writes an issue with this title, by keyboard alone. */
async function create(page: Page, title: string): Promise<void> {
  await page.keyboard.press('n')
  await page.locator('input[name=title]').fill(title)
  await page.keyboard.press('Enter')
}

/** The requests that a page makes from now on. */
function requestsOf(page: Page, counts = (_method: string): boolean => true): string[] {
  const list: string[] = []
  page.on('request', request => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/') && counts(request.method())) list.push(`${request.method()} ${pathname}`)
  })
  return list
}

/** Without the stream, which would show at once what others do. */
async function withoutStream(page: Page): Promise<void> {
  await page.route('**/stream*', route => route.abort())
  await page.reload()
}

/** The list that is chosen. */
const chosen = (page: Page): Promise<string | null> => text(page, '.segments [aria-pressed=true]')
/** The control with the focus: the number of its row, if it is in one, and its name or text. */
const focus = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement: element } = document
    return `${element?.closest('.issue')?.getAttribute('data-id') ?? ''} ${element?.getAttribute('role') ?? element?.tagName.toLowerCase()}`
  })

/** Waits until `check` holds; says what it found when it never does. */
async function until<T>(find: () => Promise<T>, check: (found: T) => boolean, patience = 60_000): Promise<T> {
  const end = Date.now() + patience
  for (;;) {
    const found = await find()
    if (check(found)) return found
    if (Date.now() > end) assert.unreachable(`still ${JSON.stringify(found)}`)
    await new Promise(resolve => setTimeout(resolve, 25))
  }
}

/** What a user does, by what is to be seen then. */
export const flows: Record<string, (demo: Demo) => Promise<void>> = {
  async 'lists, filters, sorts and continues'(demo) {
    const page = await open(demo)
    assert.is((await titles(page)).length, 25)
    await page.getByText('Load more').click()
    await until(() => titles(page), found => found.length === 50)
    assert.is(new Set(await page.locator('.issue .meta > :first-child').allTextContents()).size, 50)
    await page.getByLabel('Order', { exact: true }).selectOption('priority')
    await until(() => text(page, '.issue .priority'), found => found === 'urgent')
    await page.getByLabel('Assignee', { exact: true }).selectOption('ada')
    await until(() => page.locator('.issue .face').allTextContents(), faces => faces.length > 0 && faces.every(face => face === 'AO'))
    await page.getByLabel('Search titles').fill('keyboard')
    await until(() => titles(page), found => found.length > 0 && found.every(title => title.includes('keyboard')))
    await page.getByLabel('Search titles').fill('no such thing')
    await page.getByText('Nothing here.').waitFor()
  },

  async 'Back returns to the list before, and an issue opens beside the list it was in'(demo) {
    const page = await open(demo)
    await page.getByRole('button', { name: 'All', exact: true }).click()
    await row(page, '#119').waitFor()
    await row(page, '#118').locator('a').click()
    await page.getByText('Close issue').waitFor()
    assert.is(await chosen(page), 'All')
    await page.getByLabel('Search titles').pressSequentially('menu')
    await until(() => titles(page), found => found.length > 0 && found.every(title => title.includes('menu')))
    await page.goBack()
    await row(page, '#120').waitFor()
    assert.equal([await chosen(page), await page.getByLabel('Search titles').inputValue()], ['All', ''])
    await page.goBack()
    await page.getByText('Choose an issue').waitFor()
    await page.goBack()
    await until(() => chosen(page), found => found === 'Open')
    await gone(row(page, '#119'))
  },

  async 'a list that could not be continued says so, and no other list does'(demo) {
    const page = await open(demo)
    await demo.network({ failure: 1 })
    await page.getByText('Load more').click()
    await page.locator('.more').getByText('Try again').waitFor()
    await demo.network({ failure: 0 })
    await page.getByRole('button', { name: 'All', exact: true }).click()
    await page.getByText('Load more').click()
    await until(() => titles(page), found => found.length === 50)
  },

  async 'a new issue is shown before the server knows it, opens while it is saved, and its page stays when it gets its number'(demo) {
    const page = await open(demo)
    await demo.network({ hold: true })
    await create(page, 'Opened at once')
    await row(page, 'Opened at once').getByText('Saving…').waitFor()
    assert.is((await titles(page))[0], 'Opened at once')
    await row(page, 'Opened at once').locator('a').click()
    await page.locator('.page').getByText('Saving…').waitFor()
    await choice(page, 'Priority').selectOption('urgent')
    await page.getByLabel('Description').locator('visible=true').fill('Written meanwhile')
    await demo.network({ hold: false })
    await page.locator('.page').getByText('#121').waitFor()
    assert.match(page.url(), '/issues/121?')
    assert.is(await page.locator('.issue:has([aria-current]) .title').textContent(), 'Opened at once')
    // What is being typed is not lost, and saved by key.
    assert.is(await focus(page), ' textarea')
    await press(page, 'Control+Enter')
    await saved(demo, page, 121, { title: 'Opened at once', body: 'Written meanwhile', priority: 'urgent', assignee: null })
    assert.is((await titles(page))[0], 'Opened at once')
    // Back goes to the list: neither to the form that was sent nor to the temporary number.
    await page.goBack()
    await page.getByText('Choose an issue').waitFor()
    await page.goForward()
    await page.locator('.page').getByText('#121').waitFor()
  },

  async 'an issue that could not be saved while it was open says so'(demo) {
    const page = await open(demo)
    await demo.network({ hold: true, failure: 1 })
    await create(page, 'Never saved')
    await row(page, 'Never saved').locator('a').click()
    await page.locator('.page').getByText('Saving…').waitFor()
    await page.getByText('Close issue').click()
    await demo.network({ hold: false })
    await page.locator('.problem', { hasText: 'Create “Never saved” did not work.' }).waitFor()
    await page.getByText('There is no such issue, or not any more.').waitFor()
    // There is nothing to close.
    const close = page.locator('.problem', { hasText: 'Close “Never saved” did not work.' })
    await close.getByText('Try again').click()
    await close.getByText('The issue was never saved.').waitFor()
    assert.equal(await close.locator('button').allTextContents(), ['Dismiss'])
  },

  async 'edits and closes at once, in every list'(demo) {
    const page = await open(demo, '#/issues/120')
    await demo.network({ hold: true })
    await write(page.getByLabel('Title', { exact: true }), 'Another title')
    await row(page, 'Another title').waitFor()
    await page.getByText('Close issue').click()
    await gone(row(page, 'Another title'))
    await page.getByText('Reopen issue').waitFor()
    await demo.network({ hold: false })
    await page.getByRole('button', { name: 'Closed' }).click()
    await row(page, 'Another title').waitFor()
    await saved(demo, page, 120, { title: 'Another title', status: 'closed' })
  },

  async 'a person with another name has it in all issues'(demo) {
    const page = await open(demo, '#/issues/120')
    const name = page.getByLabel('Name of the assignee').last()
    const person = await name.inputValue()
    const faces = page.locator(`.face[title="${person}"]`)
    const count = await faces.count()
    assert.ok(count > 1)
    await demo.network({ hold: true })
    await write(name, 'Zoe Zander')
    await until(() => page.locator('.face[title="Zoe Zander"]').count(), found => found === count)
    assert.is(await faces.count(), 0)
    await demo.network({ hold: false })
    await settled(page)
    assert.is((await demo.stored(120))?.assignee?.name, 'Zoe Zander')
    await press(page, 'Control+z')
    await until(() => faces.count(), found => found === count)
    await settled(page)
    assert.is(await faces.count(), count)
    assert.is((await demo.stored(120))?.assignee?.name, person)
  },

  async 'undoes and redoes by keyboard and by button, at the server too'(demo) {
    const page = await open(demo, '#/issues/120')
    const isThere = async (): Promise<void> => {
      await row(page, '#120').waitFor()
      await saved(demo, page, 120, { status: 'open' })
    }
    const isGone = async (): Promise<void> => {
      await gone(row(page, '#120'))
      await saved(demo, page, 120, undefined)
    }
    await page.getByText('Delete issue').click()
    await page.locator('.detail .empty').waitFor()
    await isGone()
    await press(page, 'Control+z')
    await isThere()
    await press(page, 'Control+Shift+Z')
    await isGone()
    await page.getByLabel('Undo', { exact: true }).click()
    await isThere()
    assert.ok(await page.getByLabel('Undo', { exact: true }).isDisabled())
    // What is still on its way is taken back on the page at once, and at the server when it has arrived.
    await demo.network({ hold: true })
    await row(page, '#120').locator('.check').click()
    await gone(row(page, '#120'))
    await until(async () => demo.changing, changing => changing === 1)
    await press(page, 'Control+z')
    await row(page, '#120').waitFor()
    await demo.network({ hold: false })
    await isThere()
    assert.is(await page.locator('.problem').count(), 0)
  },

  async 'devtools show every patch and its inverse, and how the page looked before'(demo) {
    const page = await open(demo, '#/issues/120')
    await press(page, 'd')
    await choice(page, 'Priority').selectOption('urgent')
    await settled(page)
    await page.getByText('Close issue').click()
    await page.getByText('Reopen issue').waitFor()
    await settled(page)
    // The newest first: closing, then its priority.
    await page.getByRole('option', { name: 'call PATCH /api/issues/120' }).last().click()
    const details = page.getByLabel('Details')
    const [forth, back] = await details.locator('.patches').allTextContents()
    assert.match(forth ?? '', /replaceIssue 120\.priority"urgent"/)
    assert.match(back ?? '', /replaceIssue 120\.priority"normal"/)
    await details.getByText('Show this state').click()
    await page.getByText('Close issue').waitFor()
    assert.is(await choice(page, 'Priority').inputValue(), 'urgent')
    await page.getByText('Back to now').click()
    await page.getByText('Reopen issue').waitFor()
    await saved(demo, page, 120, { status: 'closed' })
  },

  async 'a text that was typed and taken back follows its issue again'(demo) {
    const page = await open(demo, '#/issues/120')
    const title = page.getByLabel('Title', { exact: true })
    const before = await title.inputValue()
    await write(title, 'Another title')
    await settled(page)
    await title.press('End')
    await page.keyboard.type('!')
    await press(page, 'Backspace')
    await title.blur()
    await page.getByLabel('Undo', { exact: true }).click()
    await until(() => title.inputValue(), found => found === before)
  },

  async 'an issue that goes while it is open says so, and is there again when it comes back'(demo) {
    const page = await open(demo)
    await create(page, 'Here and gone')
    await row(page, '#121').locator('a').click()
    await page.getByText('Close issue').waitFor()
    await settled(page)
    await press(page, 'Control+z')
    await page.getByText('There is no such issue, or not any more.').waitFor()
    await settled(page)
    await press(page, 'Control+Shift+Z')
    await page.getByText('Close issue').waitFor()
    await saved(demo, page, 121, { title: 'Here and gone' })
  },

  async 'what is new can be changed, undone and redone before the server knows it, and all of it be undone then'(demo) {
    const page = await open(demo)
    // Keys work from a switch too: there is nothing to type into it.
    await page.getByLabel('Hold everything').check()
    await create(page, 'Closed at once')
    await row(page, 'Closed at once').locator('.check').click()
    await gone(row(page, 'Closed at once'))
    await press(page, 'Control+z')
    await row(page, 'Closed at once').waitFor()
    await press(page, 'Control+z')
    await gone(row(page, 'Closed at once'))
    await press(page, 'Control+Shift+Z', 'Control+Shift+Z')
    await demo.network({ hold: false })
    await saved(demo, page, 121, { status: 'closed' })
    await press(page, 'Control+z')
    await row(page, 'Closed at once').getByText('#121').waitFor()
    await saved(demo, page, 121, { status: 'open' })
    await press(page, 'Control+z')
    await gone(row(page, 'Closed at once'))
    await saved(demo, page, 121, undefined)
    assert.is(await page.locator('.problem').count(), 0)
  },

  async 'what could not be undone is what is undone next, unless something else was done'(demo) {
    const page = await open(demo, '#/issues/120')
    await write(page.getByLabel('Title', { exact: true }), 'Another title')
    await settled(page)
    await choice(page, 'Priority').selectOption('urgent')
    await choice(page, 'Priority').blur()
    await settled(page)
    await demo.network({ failure: 1, hold: true })
    await press(page, 'Control+z', 'Control+z')
    await demo.network({ hold: false })
    await page.locator('.problem', { hasText: 'Undo: Prioritize' }).waitFor()
    await page.locator('.problem', { hasText: 'Undo: Rename' }).waitFor()
    await demo.network({ failure: 0 })
    assert.match((await page.getByLabel('Undo', { exact: true }).getAttribute('title')) ?? '', 'Prioritize')
    await choice(page, 'Priority').selectOption('low')
    await gone(page.locator('.problem').first())
    await saved(demo, page, 120, { title: 'Another title', priority: 'low' })
  },

  async 'a failed change is rolled back, reported, and can be retried'(demo) {
    const page = await open(demo)
    await demo.network({ failure: 1 })
    await press(page, 'n')
    await page.locator('input[name=title]').fill('Not lost')
    await page.locator('textarea[name=body]').fill('A long story')
    await page.getByRole('button', { name: 'Create issue' }).click()
    const problem = page.locator('.problem', { hasText: 'Create “Not lost” did not work. The server is having a bad day.' })
    await problem.waitFor()
    await gone(row(page, 'Not lost'))
    assert.ok(await page.getByLabel('Undo', { exact: true }).isDisabled())
    await demo.network({ failure: 0 })
    await problem.getByText('Try again').click()
    await row(page, 'Not lost').getByText('#121').waitFor()
    await settled(page)
    assert.is(await page.locator('.problem').count(), 0)
    await saved(demo, page, 121, { title: 'Not lost' })
  },

  async 'what the server refuses can be edited, and not be sent again as it is'(demo) {
    const page = await open(demo, '#/issues/120')
    const title = page.getByLabel('Title', { exact: true })
    const long = 'x'.repeat(101)
    const problem = page.locator('.problem', { hasText: 'A title has at most 100 characters.' })
    await title.fill(long)
    await press(page, 'Enter')
    await problem.waitFor()
    assert.equal(await problem.locator('button').allTextContents(), ['Edit', 'Dismiss'])
    await press(page, 'Escape')
    await problem.getByText('Edit').click()
    await until(() => title.inputValue(), found => found === long)
    await title.fill('Short enough')
    await press(page, 'Enter')
    await saved(demo, page, 120, { title: 'Short enough' })
    // The same for what does not exist yet. Ctrl Enter sends a form from any of its fields.
    await press(page, 'n')
    await page.locator('input[name=title]').fill(long)
    await page.locator('textarea[name=body]').fill('A long story')
    await press(page, 'Control+Enter')
    await problem.getByText('Edit').click()
    await until(() => page.locator('input[name=title]').inputValue(), found => found === long)
    assert.is(await page.locator('textarea[name=body]').inputValue(), 'A long story')
    await page.locator('input[name=title]').fill('Short enough too')
    await choice(page, 'Priority').press('Meta+Enter')
    await row(page, '#121').getByText('Short enough too').waitFor()
    await saved(demo, page, 121, { body: 'A long story' })
    assert.is(await page.locator('.problem').count(), 0)
    await page.getByRole('button', { name: 'New issue' }).click()
    await page.locator('input[name=title]').fill(long)
    await press(page, 'Enter')
    await problem.getByText('Dismiss').click()
    await gone(problem)
  },

  async 'answers out of order end where the server ends'(demo) {
    const page = await open(demo, '#/issues/120')
    await demo.network({ reorder: true, latency: 50 })
    const title = page.getByLabel('Title', { exact: true })
    for (let i = 1; i <= 3; i++) {
      await write(title, `Title ${i}`)
      await page.getByLabel('Order', { exact: true }).selectOption(i % 2 ? 'oldest' : 'newest')
      await choice(page, 'Priority').selectOption(i % 2 ? 'low' : 'high')
      assert.is(await title.inputValue(), `Title ${i}`)
    }
    await listed(page)
    await saved(demo, page, 120, { title: 'Title 3', priority: 'low' })
    assert.equal([await title.inputValue(), await choice(page, 'Priority').inputValue()], ['Title 3', 'low'])
    assert.is(await page.locator('.problem').count(), 0)
  },

  async 'outlives its server, and finds back to it'(demo) {
    const page = await open(demo)
    await demo.stop()
    await row(page, '#120').locator('.check').click()
    const problem = page.locator('.problem', { hasText: 'The server cannot be reached.' })
    await problem.waitFor()
    assert.is((await titles(page)).length, 25)
    await page.getByRole('button', { name: 'Closed' }).click()
    await page.locator('.list .trouble', { hasText: 'The server cannot be reached.' }).waitFor()
    await demo.listen()
    await until(() => page.locator('.issue[data-status=closed]').count(), count => count > 20)
    await gone(page.locator('.list .trouble'))
    await problem.getByText('Try again').click()
    await row(page, '#120').waitFor()
    await saved(demo, page, 120, { status: 'closed' })
  },

  async 'a row that is closed says so, can be taken back, and gives the focus to its neighbor'(demo) {
    const page = await open(demo)
    const notice = page.locator('.notice', { hasText: 'Closed “' })
    await press(page, 'j', 'c')
    await until(() => focus(page), found => found === '118 a')
    // Before the answer the stream may tell of the closed row, and the row leaves once more until the answer comes.
    await settled(page)
    await notice.getByText('Undo').focus()
    await press(page, 'Enter')
    await until(() => focus(page), found => found === '120 a')
    await gone(notice)
    await saved(demo, page, 120, { status: 'open' })
    await row(page, '#118').locator('.check').press('Space')
    await until(() => focus(page), found => found === '115 checkbox')
    // The last row of a list leaves the focus to the choice of lists.
    await page.getByLabel('Search titles').fill('sign-in loses')
    await until(() => titles(page), found => found.length === 1)
    await row(page, '#120').locator('a').press('c')
    await page.getByText('Nothing here.').waitFor()
    await until(() => focus(page), found => found === ' button')
    assert.is(await page.locator('.segments :focus').textContent(), 'Open')
    await press(page, 'Control+z')
    await row(page, '#120').waitFor()
  },

  async 'two tabs have networks of their own, and each shows what the other did when it is seen again'(demo) {
    const page = await demo.open('#/issues/120')
    await withoutStream(page)
    await page.getByText('Close issue').waitFor()
    await page.getByRole('slider', { name: 'Failures' }).fill('5')
    await page.getByRole('slider', { name: 'Latency' }).fill('50')
    await page.getByLabel('Hold everything').check()
    const other = await demo.openElsewhere('#/issues/120')
    await other.getByText('Close issue').click()
    await settled(other)
    assert.is(await other.getByRole('slider', { name: 'Latency' }).inputValue(), '150')
    assert.not(await other.getByLabel('Hold everything').isChecked())
    await page.getByRole('slider', { name: 'Failures' }).fill('0')
    await page.getByLabel('Hold everything').uncheck()
    assert.is(await page.getByText('Reopen issue').count(), 0)
    await comeBack(page, 'tab')
    await page.getByText('Reopen issue').waitFor()
    await gone(row(page, '#120'))
    await other.getByText('Reopen issue').click()
    await settled(other)
    await comeBack(page, 'window')
    await page.getByText('Close issue').waitFor()
    await row(page, '#120').waitFor()
    // A reload keeps the settings, but does not stay empty.
    await page.getByLabel('Hold everything').check()
    await page.reload()
    await row(page, '#118').waitFor()
    assert.is(await page.getByRole('slider', { name: 'Latency' }).inputValue(), '50')
    await until(() => page.getByLabel('Hold everything').isChecked(), isChecked => !isChecked)
  },

  async 'what is changed offline survives a reload, and is sent in order when the user is online again'(demo) {
    const page = await open(demo)
    const sent = requestsOf(page, method => method !== 'GET')
    await page.getByLabel('Work offline').check()
    await create(page, 'Written offline')
    await row(page, 'Written offline').getByText('Not sent yet').waitFor()
    await row(page, '#118').locator('.check').click()
    await row(page, 'Written offline').locator('a').click()
    await choice(page, 'Priority').selectOption('urgent')
    await page.getByText('3 changes wait to be sent.').waitFor()
    await page.reload()
    await page.getByText('3 changes wait to be sent.').waitFor()
    await row(page, 'Written offline').getByText('urgent').waitFor()
    assert.equal([(await titles(page)).length, await row(page, '#118').count(), await choice(page, 'Priority').inputValue()], [25, 0, 'urgent'])
    await page.getByRole('button', { name: 'Closed' }).click()
    await page.getByText('This list is not on this device.').waitFor()
    await page.goBack()
    assert.equal([(await demo.stored(118))?.status, await demo.stored(121), sent], ['open', undefined, []])
    await page.getByText('Go online').click()
    await row(page, 'Written offline').getByText('#121').waitFor()
    await gone(page.locator('.outbox'))
    await until(() => demo.stored(121), stored => stored?.priority === 'urgent')
    await saved(demo, page, 118, { status: 'closed' })
    assert.equal(sent, ['POST /api/issues', 'PATCH /api/issues/118', 'PATCH /api/issues/121'])
    assert.equal((await titles(page)).filter(title => title === 'Written offline').length, 1)
    assert.is(await page.locator('.problem').count(), 0)
  },

  async 'changes from before a reload wait while the server is down, and one that it refuses is reported'(demo) {
    const page = await open(demo)
    await page.getByLabel('Work offline').check()
    await create(page, 'x'.repeat(101))
    await row(page, '#120').locator('.check').click()
    await page.getByText('2 changes wait to be sent.').waitFor()
    await page.reload()
    await page.getByText('2 changes wait to be sent.').waitFor()
    await demo.network({ down: true })
    await page.getByText('Go online').click()
    await page.getByText('Sending 2 changes…').waitFor()
    await demo.network({ down: false })
    await page.locator('.problem', { hasText: 'A title has at most 100 characters.' }).waitFor()
    await gone(row(page, 'xxxx'))
    await until(() => demo.stored(120), stored => stored?.status === 'closed')
    await gone(page.locator('.outbox'))
    assert.is(await page.locator('.problem').count(), 1)
    await page.locator('.problem').getByText('Dismiss').click()
    await gone(page.locator('.problem'))
  },

  async 'a second tab of the same browser shows each change, and asks for nothing'(demo) {
    const page = await demo.open('#/issues')
    await withoutStream(page)
    await row(page, '#120').waitFor()
    const tab = await demo.openTab(page, '#/issues')
    await withoutStream(tab)
    await row(tab, '#120').waitFor()
    await listed(tab)
    await listed(page)
    const asked = requestsOf(page)
    await row(tab, '#120').locator('.check').click()
    await gone(row(page, '#120'))
    await create(tab, 'From the other tab')
    await row(page, 'From the other tab').getByText('#121').waitFor()
    assert.equal(asked, [])
  },

  async 'what another visitor changes is shown at once'(demo) {
    const page = await open(demo)
    const other = await demo.openElsewhere('#/issues/118')
    await row(other, '#120').locator('.check').waitFor()
    await listed(page)
    const asked = requestsOf(page)
    await row(other, '#120').locator('.check').click()
    await gone(row(page, '#120'))
    await create(other, 'From elsewhere')
    await row(page, 'From elsewhere').getByText('#121').waitFor()
    await row(other, '#118').locator('a').click()
    await write(other.getByLabel('Name of the assignee').last(), 'Zoe Zander')
    await row(page, '#118').locator('.face[title="Zoe Zander"]').waitFor()
    await other.getByText('Delete issue').click()
    await gone(row(page, '#118'))
    assert.equal(asked, [])
    assert.equal((await titles(page)).filter(title => title === 'From elsewhere').length, 1)
  },

  async 'moves by keyboard, and keeps the theme that was chosen'(demo) {
    const page = await open(demo)
    await press(page, 'j', 'j', 'k', 'Enter')
    await page.getByText('Close issue').waitFor()
    assert.match(page.url(), '/issues/120')
    await press(page, 'c')
    await page.getByText('Reopen issue').waitFor()
    // Escape gives up what was typed, then leaves.
    await settled(page)
    await page.getByLabel('Title', { exact: true }).fill('Given up')
    await press(page, 'Escape', 'Escape')
    await page.getByText('Choose an issue').waitFor()
    // The row after the closed one has the focus, and can be closed from there.
    await press(page, 'c')
    await gone(row(page, '#118'))
    await settled(page)
    assert.equal([await demo.stored(118), await demo.stored(120)].map(stored => stored?.status), ['closed', 'closed'])
    assert.is.not((await demo.stored(120))?.title, 'Given up')
    await press(page, '/')
    await page.keyboard.type('menu')
    await until(() => titles(page), found => found.length > 0 && found.every(title => title.includes('menu')))
    await page.getByLabel('Dark theme', { exact: true }).click()
    await page.reload()
    await page.getByLabel('Light theme', { exact: true }).waitFor()
    assert.is(await page.evaluate('getComputedStyle(document.documentElement).colorScheme'), 'dark')
  },

  // The last are begun first, and this one takes longest.
  async 'ten thousand rows tick: each change is written where it is, and no row is made again'(demo) {
    const page = await open(demo)
    // Who comes while there is no server is shown all of it when it is back.
    await demo.network({ down: true })
    await demo.show(page, '#/board')
    await page.getByText('The server cannot be reached. Trying again…').waitFor()
    await demo.network({ down: false })
    const { patches = 0, mutations = 0, created } = await until(() => figures(page), found => found['polls']! >= 3 && found['mutations']! > 0)
    assert.is(await page.locator('.service').count(), 10_000)
    assert.ok(patches > 0 && patches <= 100, `${patches} patches`)
    assert.ok(mutations <= patches, `${mutations} mutations for ${patches} patches`)
    assert.is(created, 10_000)
    await demo.network({ down: true })
    await page.locator('.board .trouble').waitFor()
    assert.is(await page.locator('.service').count(), 10_000)
    // What was fetched is still there for who comes back.
    await demo.show(page, '#/issues')
    await row(page, '#120').waitFor()
    await demo.show(page, '#/board')
    await page.locator('.board .trouble').waitFor()
    await demo.network({ down: false })
    await gone(page.locator('.board .trouble'))
    assert.is((await figures(page))['created'], 10_000)
  },
}
