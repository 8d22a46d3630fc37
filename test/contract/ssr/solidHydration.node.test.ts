import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findChromium, launch } from '../../browser/chromium.ts'
import { bundleScripts, visit, type Visit } from './browsing.ts'
import { startSolidServer, type ServerProcess } from './solidProcess.ts'

const test = suite('solid: hydration in Chromium')

const executable = findChromium()
const client = new URL('solidClient.js', import.meta.url)
let folder: string
let server: ServerProcess
let browser: Browser
let page: Page

test.before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'patchcord-ssr-'))
  await bundleScripts({ client }, folder, ['browser'])
  await bundleScripts({ development: client }, folder, ['browser', 'development'])
  server = await startSolidServer(folder)
  browser = await launch(executable!)
  page = await browser.newPage()
})
test.after(async () => {
  await browser.close()
  await server.stop()
  await rm(folder, { recursive: true })
})

/** Requests to the API, by who asked. */
const asked = async (): Promise<unknown> => (await fetch(`${server.url}asked`)).json()

/** Opens a page with Solid's production build, and with its development build too, which tells of mistakes. */
function visits(name: string, query: string, look: (visit: Visit) => Promise<void>, clients = ['client', 'development']): void {
  if (executable === undefined) return
  for (const client of clients) test(`${name} (${client})`, () => visit(page, `${server.url}?${query}&client=${client}`, look))
}

const all = 'milk </script><script>alert(1)</script>'

for (const query of ['mode=string&full', 'mode=async', 'mode=async&above', 'mode=stream', 'mode=stream&above']) {
  visits(`${query}: the server's elements stay, nothing is asked for again, and they live`, query, async ({ page, shows, hasSameNodes }) => {
    await shows(all)
    assert.is(await page.innerText('li'), 'milk')
    assert.ok(await hasSameNodes())
    await page.evaluate('window.rename("bread")')
    await shows(all.replace('milk', 'bread'))
    assert.ok(await hasSameNodes())
    await page.waitForTimeout(50)
    assert.equal(await asked(), { server: 1, page: 0 })
    // The first load after the page came must be a real one.
    assert.is(await page.evaluate('(window.invalidate(), document.getElementById("app").innerText)'), 'waiting')
    await shows(all)
    assert.equal(await asked(), { server: 1, page: 1 })
  })
}

visits('a page without data asks for it once', 'mode=string', async ({ shows }) => {
  await shows(all)
  assert.equal(await asked(), { server: 0, page: 1 })
})

for (const mode of ['string', 'async', 'stream']) {
  visits(`${mode}: the page asks for what nobody waited for`, `mode=${mode}&count`, async ({ shows }) => {
    await shows('2')
    assert.equal(await asked(), { server: 0, page: 1 })
  })
}

for (const query of ['mode=async&fleeting=useSuspense', 'mode=stream&fleeting=useSuspense', 'mode=string&full&fleeting=useDLE']) {
  visits(`${query}: what is stale when the page comes is asked for again once all of it lives`, query, async ({ page, shows, hasSameNodes }) => {
    await page.waitForTimeout(100)
    await shows('2')
    assert.ok(await hasSameNodes())
    assert.equal(await asked(), { server: 1, page: 1 })
  })
}

for (const query of ['mode=stream&early', 'mode=stream&above&early']) {
  visits(`${query}: a script that runs before the data has come waits for the server, and then asks once`, query, async ({ page, shows }) => {
    assert.is(await page.innerText('#app'), 'waiting')
    assert.equal(await asked(), { server: 0, page: 0 })
    await fetch(`${server.url}release`)
    await shows(all)
    assert.equal(await asked(), { server: 1, page: 1 })
  }, ['client'])
}

visits('an error of the server is shown, and not asked for again', 'mode=stream&id=none', async ({ page, messages }) => {
  await page.waitForFunction('document.querySelector("em")?.innerText.includes("404")', undefined, { timeout: 3000 })
  await page.waitForTimeout(50)
  assert.equal(await asked(), { server: 1, page: 0 })
  // Solid itself rejects the promise of a boundary around which an error is caught, nearly always before anybody has seen it.
  // The browser tells of it in its own time; where it was seen in time, the page is asked for again.
  for (let turns = 1; turns < 300 && messages.length === 0; turns++) {
    if (turns % 60 === 0) await page.reload({ waitUntil: 'commit' })
    await page.waitForTimeout(30)
  }
  assert.equal(messages.splice(0, 1).map(each => /404/.test(each)), [true])
})

test.run()
