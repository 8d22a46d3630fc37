import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findChromium, launch } from '../../browser/chromium.ts'
import { bundleScripts, visit, type Visit } from './browsing.ts'
import { startHost, type Host } from './startHost.ts'

const test = suite('hydration in Chromium')

const executable = findChromium()
const compiled = (name: string): URL => new URL(`${name}.js`, import.meta.url)
const hosts = new Map<string, Host>()
let folder: string
let browser: Browser
let page: Page

test.before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'patchcord-ssr-'))
  await bundleScripts({ 'solid-client': compiled('solidClient') }, folder, ['browser'])
  await bundleScripts({ 'solid-development': compiled('solidClient') }, folder, ['browser', 'development'])
  hosts.set('solid', await startHost(compiled('solidPage'), folder))
  for (const version of ['preact', 'preact-10']) {
    const resolveId = (source: string): string | null =>
      /^preact(\/|$)/.test(source) ? fileURLToPath(import.meta.resolve(source.replace('preact', version))) : null
    const files = { client: 'preactClient', debug: 'preactDebugClient', page: 'preactPage' }
    const entries = Object.entries(files).map(([name, file]) => [`${version}-${name}`, compiled(file)] as const)
    await bundleScripts(Object.fromEntries(entries), folder, ['browser'], [{ name: version, resolveId }])
    hosts.set(version, await startHost(pathToFileURL(join(folder, `${version}-page.js`)), folder))
  }
  browser = await launch(executable!)
  page = await browser.newPage()
})
test.after(async () => {
  await browser.close()
  for (const host of hosts.values()) await host.stop()
  await rm(folder, { recursive: true })
})

/** With each framework as it is, and with its build that tells of mistakes. */
type Build = readonly [host: string, script: string]
const solid = [['solid', 'client'], ['solid', 'development']] as const
const preact = [['preact', 'client'], ['preact', 'debug'], ['preact-10', 'client'], ['preact-10', 'debug']] as const

/** Opens a page of each of these builds, and looks at it. */
function visits(builds: readonly Build[], name: string, query: string, look: (visit: Visit, host: Host) => Promise<void>): void {
  if (executable === undefined) return
  for (const [of, script] of builds) {
    test(`${query}: ${name} (${of}, ${script})`, () => {
      const host = hosts.get(of)!
      return visit(page, `${host.url}?${query}&client=${of}-${script}`, seen => look(seen, host))
    })
  }
}

const list = 'milk </script><script>alert(1)</script>'

for (const query of ['mode=string&full', 'mode=async', 'mode=async&above', 'mode=stream', 'mode=stream&above']) {
  visits(solid, "the server's elements stay, nothing is asked for again, and they live", query, async ({ page, shows, hasSameNodes }, host) => {
    await shows(list)
    assert.is(await page.innerText('li'), 'milk')
    assert.ok(await hasSameNodes())
    await page.evaluate('window.rename("bread")')
    await shows(list.replace('milk', 'bread'))
    assert.ok(await hasSameNodes())
    await page.waitForTimeout(50)
    assert.equal(await host.asked(), { server: 1, page: 0 })
    // The first load after the page came must be a real one.
    assert.is(await page.evaluate('(window.invalidate(), document.getElementById("app").innerText)'), 'waiting')
    await shows(list)
    assert.equal(await host.asked(), { server: 1, page: 1 })
  })
}

/** Of a page of Preact: `main`, `ul`, two `li`, `b`. */
const ELEMENTS = 5

for (const query of ['mode=string&full', 'mode=async', 'mode=stream']) {
  visits(preact, "the server's elements stay, nothing is asked for again, and they live", query, async (seen, host) => {
    const { page, messages, shows, hasSameNodes } = seen
    // A browser that pauses inside of a streamed piece lets Preact's own script put half of it instead. Then the page is asked for again.
    for (let tries = query === 'mode=stream' ? 5 : 0; tries > 0 && (await page.evaluate('window.before.length')) !== ELEMENTS; tries--) {
      messages.length = 0
      await page.reload({ waitUntil: 'commit' })
      await page.waitForFunction('window.rename !== undefined')
    }
    await shows(`${list} 2`)
    await page.evaluate('window.rename("bread")')
    await shows(`${list.replace('milk', 'bread')} 2`)
    assert.ok(await hasSameNodes())
    assert.equal(await page.evaluate('[document.querySelectorAll("#app *").length, window.before.length]'), [ELEMENTS, ELEMENTS])
    assert.equal([await host.asked(), messages], [{ server: 1, page: 0 }, []])
    // The first load after the page came must be a real one.
    await page.evaluate('window.invalidate()')
    await shows(`${list} 2`)
    assert.equal(await host.asked(), { server: 1, page: 1 })
    // The debug build warns about everything that is thrown, a promise too: how to get more details.
    if (messages[0]?.startsWith('Add @babel/plugin')) messages.length = 0
  })
}

visits(preact, "the text of a signal is the server's own node, and lives", 'mode=async&id=1', async ({ page, shows, hasSameNodes }, host) => {
  await shows('milk tail')
  await page.evaluate('window.text = document.querySelector("p").firstChild')
  await page.evaluate('window.rename("bread")')
  await shows('bread tail')
  assert.ok(await hasSameNodes())
  assert.is(await page.evaluate('window.text === document.querySelector("p").firstChild'), true)
  assert.equal(await host.asked(), { server: 1, page: 0 })
})

visits([preact[0], preact[2]], 'one without its state keeps its elements, and asks once', 'mode=async&stateless', async ({ page, shows }, host) => {
  await shows(`${list} 2`)
  await page.evaluate('window.rename("bread")')
  await shows(`${list.replace('milk', 'bread')} 2`)
  assert.ok(await page.evaluate('window.before.filter(each => each.isConnected).length >= 2'))
  assert.equal(await host.asked(), { server: 1, page: 1 })
})

visits(solid, 'a page without data asks for it once', 'mode=string', async ({ shows }, host) => {
  await shows(list)
  assert.equal(await host.asked(), { server: 0, page: 1 })
})

for (const mode of ['string', 'async', 'stream']) {
  visits(solid, 'the page asks for what nobody waited for', `mode=${mode}&count`, async ({ shows }, host) => {
    await shows('2')
    assert.equal(await host.asked(), { server: 0, page: 1 })
  })
}

for (const query of ['mode=async&fleeting=useSuspense', 'mode=stream&fleeting=useSuspense', 'mode=string&full&fleeting=useDLE']) {
  visits(solid, 'what is stale when the page comes is asked for again once all of it lives', query, async ({ page, shows, hasSameNodes }, host) => {
    await page.waitForTimeout(100)
    await shows('2')
    assert.ok(await hasSameNodes())
    assert.equal(await host.asked(), { server: 1, page: 1 })
  })
}

for (const query of ['mode=stream&early', 'mode=stream&above&early']) {
  visits([solid[0]], 'a script that runs before the data has come waits for the server, and then asks once', query, async ({ page, shows }, host) => {
    assert.is(await page.innerText('#app'), 'waiting')
    assert.equal(await host.asked(), { server: 0, page: 0 })
    await fetch(`${host.url}release`)
    await shows(list)
    assert.equal(await host.asked(), { server: 1, page: 1 })
  })
}

visits(solid, 'an error of the server is shown, and not asked for again', 'mode=stream&id=none', async ({ page, messages }, host) => {
  await page.waitForFunction('document.querySelector("em")?.innerText.includes("404")', undefined, { timeout: 3000 })
  await page.waitForTimeout(50)
  assert.equal(await host.asked(), { server: 1, page: 0 })
  // Solid itself rejects the promise of a boundary around which an error is caught, nearly always before anybody has seen it.
  // The browser tells of it in its own time; where it was seen in time, the page is asked for again.
  for (let turns = 1; turns < 300 && messages.length === 0; turns++) {
    if (turns % 60 === 0) await page.reload({ waitUntil: 'commit' })
    await page.waitForTimeout(30)
  }
  assert.equal(messages.splice(0, 1).map(each => /404/.test(each)), [true])
})

test.run()
