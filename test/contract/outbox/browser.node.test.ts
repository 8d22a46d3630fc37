import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findChromium, launch } from '../../browser/chromium.ts'
import { projectRoot } from '../../house/sources.ts'
import { keyedServer, type KeyedServer } from '../../support/keyedServer.ts'
import { serve, type Server } from '../rest/server.ts'
import { bundleScripts } from '../ssr/browsing.ts'
import { answerAs } from './answerAs.ts'

/** Two pages of one browser, reloads, and a network that goes away: tabs, persist and outbox over the real platform. */
const test = suite('tabs, persist and outbox in Chromium')
const executable = findChromium()
const folder = join(projectRoot, 'build/offline')
const html = '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>'

let browser: Browser
let context: BrowserContext
let http: Server
let server: KeyedServer

test.before(async () => {
  mkdirSync(folder, { recursive: true })
  await bundleScripts({ page: new URL('./browserPage.js', import.meta.url) }, folder, ['browser'])
  http = await serve((request, response) => {
    const { url } = request
    if (url === '/') response.setHeader('content-type', 'text/html').end(html)
    else if (url.endsWith('.js')) response.setHeader('content-type', 'text/javascript').end(readFileSync(join(folder, url)))
    else void answerAs(server, request, response)
    return undefined
  })
  if (executable) browser = await launch(executable)
})
test.after(async () => {
  await browser?.close()
  await http.close()
})
test.before.each(async () => {
  server = keyedServer()
  http.seen.length = 0
  if (!executable) return
  context = await browser.newContext()
  await context.addInitScript(offline)
})
test.after.each(() => context?.close())

const requests = (): string[] => http.seen.filter(({ url }) => url.startsWith('/todos')).map(({ method, url }) => `${method} ${url}`)
const run = <T>(page: Page, code: string): Promise<T> => page.evaluate(`window.app.${code}`)
const pending = (page: Page, count: number): Promise<unknown> =>
  page.waitForFunction(`window.app.pending() === ${count}`, undefined, { timeout: 8000 })
const shows = (page: Page, titles: string): Promise<unknown> =>
  page
    .waitForFunction(`window.app.titles()?.join() === ${JSON.stringify(titles)}`, undefined, { timeout: 8000, polling: 20 })
    .catch(async () => assert.is((await run<string[] | undefined>(page, 'titles()'))?.join(), titles))
/** The scripts of the page are always there, as from a service worker; the API is not. */
const offline = `Object.defineProperty(navigator, 'onLine', { get: () => localStorage.offline !== 'true' })
  const { fetch } = window
  window.fetch = (...args) => localStorage.offline === 'true' ? Promise.reject(new TypeError('offline')) : fetch(...args)`
async function setOffline(page: Page, isOffline: boolean): Promise<void> {
  await page.evaluate(value => {
    localStorage['offline'] = String(value)
    window.dispatchEvent(new Event(value ? 'offline' : 'online'))
  }, isOffline)
}
async function start(page: Page): Promise<Page> {
  await page.waitForFunction('window.app !== undefined')
  await page.evaluate('window.app.ready')
  return page
}
async function open(): Promise<Page> {
  const page = await context.newPage()
  await page.goto(http.url)
  return start(page)
}
async function reload(page: Page): Promise<void> {
  await page.reload()
  await start(page)
}

if (executable) {
  test('a second tab shows the data of the first without a request, and a logout empties both', async () => {
    const first = await open()
    await run(first, 'load()')
    const second = await open()
    await shows(second, 'one,two')
    await run(second, 'loadIfStale()')
    assert.equal(requests(), ['GET /todos'])
    await run(first, "add('three')")
    await shows(second, 'one,two,three')
    await run(second, "rename(1, 'uno')")
    await shows(first, 'uno,two,three')
    await run(second, 'reset()')
    await first.waitForFunction('window.app.titles() === undefined')
    for (const page of [first, second]) assert.equal(await run(page, 'errors'), [])
  })

  test('data is shown after a reload without a request', async () => {
    const page = await open()
    await run(page, 'load()')
    await page.waitForTimeout(300)
    await reload(page)
    await shows(page, 'one,two')
    await run(page, 'loadIfStale()')
    assert.equal(requests(), ['GET /todos'])
    // What was written just before.
    await Promise.all([page.waitForEvent('load'), run(page, "setAndLeave(1, 'uno')")])
    await shows(await start(page), 'uno,two')
    await run(page, 'reset()')
    await page.waitForTimeout(200)
    await reload(page)
    assert.is(await run(page, 'titles()'), undefined)
    assert.equal(await run(page, 'errors'), [])
  })

  test('changes that were made offline survive a reload, and are sent when the network is back', async () => {
    const page = await open()
    await run(page, 'load()')
    await page.waitForTimeout(300)
    await setOffline(page, true)
    await run(page, "add('three')")
    const [, , id] = await run<string[]>(page, 'ids()')
    await run(page, `rename(${JSON.stringify(id)}, 'drei')`)
    await run(page, "rename(1, 'uno')")
    await shows(page, 'uno,two,drei')
    await page.waitForTimeout(200)
    await reload(page)
    await shows(page, 'uno,two,drei')
    assert.is(await run(page, 'pending()'), 3)
    assert.is((await run<string[]>(page, 'ids()'))[2], id)
    await setOffline(page, false)
    await pending(page, 0)
    assert.equal(server.done, ['create three', 'update drei', 'update uno'])
    await shows(page, 'uno,two,drei')
    // What the server has confirmed is on disk when the outbox lets go of it.
    await reload(page)
    await shows(page, 'uno,two,drei')
    assert.equal([...server.rows.values()].map(({ title }) => title), ['uno', 'two', 'drei'])
  })

  test('a tab that is closed with calls leaves them to the other one, and each is sent once', async () => {
    const [first, second] = [await open(), await open()]
    await run(first, 'load()')
    await shows(second, 'one,two')
    await setOffline(first, true)
    await run(first, "rename(1, 'uno')")
    await run(first, "add('three')")
    await first.waitForTimeout(200)
    await first.close()
    await second.evaluate("window.dispatchEvent(new Event('focus'))")
    await pending(second, 2)
    await setOffline(second, false)
    await pending(second, 0)
    assert.equal(server.done, ['update uno', 'create three'])
    assert.equal([...server.keys.values()], [1, 1])
    await shows(second, 'uno,two,three')
  })
} else test('no Chromium was found', () => {})

test.run()
