import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { nodeResolve } from '@rollup/plugin-node-resolve'
import type { Browser, Page } from 'playwright-core'
import { rollup, type Plugin } from 'rollup'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findChromium, launch } from '../browser/chromium.ts'
import { startSolidServer, type ServerProcess } from './solidProcess.ts'

const test = suite('solid: hydration in Chromium')

const executable = findChromium()
const root = fileURLToPath(new URL('../../..', import.meta.url))
let folder: string
let server: ServerProcess
let browser: Browser

test.before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'patchcord-ssr-'))
  await bundle('client', ['browser'])
  await bundle('development', ['browser', 'development'])
  server = await startSolidServer(folder)
  browser = await launch(executable!)
})
test.after(async () => {
  await browser.close()
  await server.stop()
  await rm(folder, { recursive: true })
})

async function bundle(name: string, exportConditions: string[]): Promise<void> {
  const { vendored } = (await import(pathToFileURL(join(root, 'rollup.config.mjs')).href)) as { vendored: Plugin }
  const made = await rollup({
    input: { [name]: fileURLToPath(new URL('solidClient.js', import.meta.url)) },
    treeshake: false,
    plugins: [vendored, nodeResolve({ browser: true, exportConditions })],
    onwarn() {},
  })
  await made.write({ dir: folder, format: 'es' })
  await made.close()
}

interface Visit {
  readonly page: Page
  /** What the console and the page's errors said. */
  readonly said: string[]
  shows(text: string): Promise<void>
  asked(): Promise<{ server: number; page: number }>
}

/** Opens a page with Solid's production build, and with its development build too, which tells of mistakes. */
function visits(name: string, query: string, look: (visit: Visit) => Promise<void>, clients = ['client', 'development']): void {
  if (executable === undefined) return
  for (const client of clients) {
    test(`${name} (${client})`, async () => {
      const page = await browser.newPage()
      const said: string[] = []
      page.on('console', message => void said.push(message.text()))
      page.on('pageerror', error => void said.push(String(error)))
      try {
        await page.goto(`${server.url}?${query}&client=${client}`, { waitUntil: 'commit' })
        await page.waitForFunction('window.rename !== undefined')
        await look({
          page,
          said,
          shows: async text => {
            await page
              .waitForFunction(wanted => document.getElementById('app')!.innerText.replace(/\s+/g, ' ').trim() === wanted, text, { timeout: 3000, polling: 20 })
              .catch(async () => assert.is(await page.innerText('#app'), text))
          },
          asked: async () => (await (await fetch(`${server.url}asked`)).json()) as { server: number; page: number },
        })
        assert.equal(said, [])
      } finally {
        await page.close()
      }
    })
  }
}

const all = 'milk </script><script>alert(1)</script>'
/** How many elements of the server's are still on the page. */
const kept = (page: Page): Promise<boolean> => page.evaluate('window.before.length > 3 && window.before.every(each => each.isConnected)')

for (const query of ['mode=string&full', 'mode=async', 'mode=async&above', 'mode=stream', 'mode=stream&above']) {
  visits(`${query}: the server's elements stay, nothing is asked for again, and they live`, query, async ({ page, shows, asked }) => {
    await shows(all)
    assert.is(await page.innerText('li'), 'milk')
    assert.ok(await kept(page))
    await page.evaluate('window.rename("bread")')
    await shows(all.replace('milk', 'bread'))
    assert.ok(await kept(page))
    await page.waitForTimeout(50)
    assert.equal(await asked(), { server: 1, page: 0 })
    // The first load after the page came must be a real one.
    assert.is(await page.evaluate('(window.invalidate(), document.getElementById("app").innerText)'), 'waiting')
    await shows(all)
    assert.equal(await asked(), { server: 1, page: 1 })
  })
}

visits('a page without data asks for it once', 'mode=string', async ({ shows, asked }) => {
  await shows(all)
  assert.equal(await asked(), { server: 0, page: 1 })
})

for (const query of ['mode=stream&early', 'mode=stream&above&early']) {
  visits(`${query}: a script that runs before the data has come waits for the server, and then asks once`, query, async ({ page, shows, asked }) => {
    assert.is(await page.innerText('#app'), 'waiting')
    assert.equal(await asked(), { server: 0, page: 0 })
    await fetch(`${server.url}release`)
    await shows(all)
    assert.equal(await asked(), { server: 1, page: 1 })
  }, ['client'])
}

visits('an error of the server is shown, and not asked for again', 'mode=stream&id=none', async ({ page, said, asked }) => {
  await page.waitForFunction('document.querySelector("em")?.innerText.includes("404")', undefined, { timeout: 3000 })
  await page.waitForTimeout(50)
  assert.equal(await asked(), { server: 1, page: 0 })
  // Solid itself rejects the promise of a boundary around which an error is caught, before anybody has seen it. The browser tells of it in its own time.
  for (let turns = 0; turns < 100 && said.length === 0; turns++) await page.waitForTimeout(30)
  assert.equal(said.splice(0, 1).map(each => /404/.test(each)), [true])
})

test.run()
