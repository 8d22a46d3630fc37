import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findChromium, launch } from '../../browser/chromium.ts'
import { serve, type Server } from '../rest/server.ts'
import { bundleScripts, visit, type Visit } from './browsing.ts'
import type { writePage } from './preactServer.ts'

type Rendering = { readonly writePage: typeof writePage }

const test = suite('preact: hydration in Chromium')

const executable = findChromium()
const todos = [
  { id: '1', title: 'milk' },
  { id: '2', title: '</script><script>alert(1)</script>' },
]
const versions = ['preact', 'preact-10']
const rendering: { [version: string]: Rendering } = {}
let folder: string
let server: Server
let browser: Browser
let page: Page

test.before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'patchcord-ssr-'))
  for (const version of versions) {
    const one = { name: version, resolveId: (source: string) => (/^preact(\/|$)/.test(source) ? fileURLToPath(import.meta.resolve(source.replace('preact', version))) : null) }
    const files = { client: 'preactClient', debug: 'preactDebugClient', server: 'preactServer' }
    const entries = Object.entries(files).map(([name, file]) => [`${version}-${name}`, new URL(`${file}.js`, import.meta.url)] as const)
    await bundleScripts(Object.fromEntries(entries), folder, ['browser'], [one])
    rendering[version] = (await import(pathToFileURL(join(folder, `${version}-server.js`)).href)) as Rendering
  }
  server = await serve(({ url }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost')
    const [, name = '', id] = pathname.split('/')
    if (name === 'todos') return id === undefined ? todos : todos.find(each => each.id === id)
    if (name.endsWith('.js')) {
      readFile(join(folder, name), 'utf8').then(
        script => response.setHeader('content-type', 'text/javascript').end(script),
        () => response.writeHead(404).end(),
      )
      return undefined
    }
    const [version, script] = [searchParams.get('version')!, searchParams.get('script')!]
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.write(`<!doctype html><link rel="icon" href="data:,"><script type="module" src="/${version}-${script}.js"></script><div id="app">`)
    rendering[version]!
      .writePage(text => void response.write(text), searchParams.get('mode')!, searchParams.get('id') ?? undefined, (path, init) =>
        fetch(server.url + path, { ...init, headers: { 'x-from': 'server' } }),
      )
      .then(
        () => response.end(),
        (error: unknown) => response.end(`FAILED ${String(error)}`),
      )
    return undefined
  })
  browser = await launch(executable!)
  page = await browser.newPage()
})
test.before.each(() => {
  server.seen.length = 0
})
test.after(async () => {
  await browser.close()
  await server.close()
  await rm(folder, { recursive: true })
})

/** Who asked the API for something, in order. */
const asked = (): string[] => server.seen.filter(({ url }) => url.startsWith('/todos')).map(({ headers }) => String(headers['x-from'] ?? 'page'))

/** With both Preacts, each as it is and with what tells of mistakes. */
function visits(name: string, query: string, look: (visit: Visit) => Promise<void>): void {
  if (executable === undefined) return
  for (const version of versions) {
    for (const script of ['client', 'debug']) {
      test(`${name} (${version}, ${script})`, () => visit(page, `${server.url}/?${query}&version=${version}&script=${script}`, look))
    }
  }
}

/** Of the page: `main`, `ul`, two `li`, `b`. */
const ELEMENTS = 5
const all = 'milk </script><script>alert(1)</script> 2'

for (const mode of ['string', 'async', 'stream']) {
  visits(`mode=${mode}: the server's elements stay, nothing is asked for again, and they live`, `mode=${mode}`, async ({ page, messages, shows, hasSameNodes }) => {
    // A browser that pauses inside of a streamed piece lets Preact's own script put half of it instead. Then the page is asked for again.
    for (let tries = mode === 'stream' ? 5 : 0; tries > 0 && (await page.evaluate('window.before.length')) !== ELEMENTS; tries--) {
      server.seen.length = messages.length = 0
      await page.reload({ waitUntil: 'commit' })
      await page.waitForFunction('window.rename !== undefined')
    }
    await shows(all)
    await page.evaluate('window.rename("bread")')
    await shows(all.replace('milk', 'bread'))
    assert.ok(await hasSameNodes())
    assert.equal(await page.evaluate('[document.querySelectorAll("#app *").length, window.before.length]'), [ELEMENTS, ELEMENTS])
    assert.equal(asked(), ['server'])
    assert.equal(messages, [])
    // The first load after the page came must be a real one.
    await page.evaluate('window.invalidate()')
    await shows(all)
    assert.equal(asked(), ['server', 'page'])
    // The debug build warns about everything that is thrown, a promise too: how to get more details.
    if (messages[0]?.startsWith('Add @babel/plugin')) messages.length = 0
  })
}

visits('a signal: its text is the server\'s own node, and lives', 'mode=async&id=1', async ({ page, shows, hasSameNodes }) => {
  await shows('milk')
  await page.evaluate('window.text = document.querySelector("p").firstChild')
  await page.evaluate('window.rename("bread")')
  await shows('bread')
  assert.ok(await hasSameNodes())
  assert.is(await page.evaluate('window.text === document.querySelector("p").firstChild'), true)
  assert.equal(asked(), ['server'])
})

test.run()
