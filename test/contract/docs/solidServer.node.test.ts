import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compileSolid } from '../bindings/solidJsx.ts'
import { findChromium, launch } from '../../browser/chromium.ts'
import { written } from '../../house/compiler.ts'
import { projectRoot, readText } from '../../house/sources.ts'
import { bundleScripts } from '../ssr/browsing.ts'
import { startHost, type Host } from '../ssr/startHost.ts'

/** The two examples of docs/solid.md that need a server: one process serves the first, Chromium runs the second. */
const test = suite('docs/solid.md on a server')

const folder = join(projectRoot, 'build/docs/served')
// Node and the bundler both understand paths that begin with a dot.
const at = (path: string): string => relative(folder, fileURLToPath(new URL(path, import.meta.url))).replaceAll('\\', '/')

/** The example for `side`, compiled, with the application of test/contract/ssr. */
function example(side: string, more = ''): URL {
  const code = new RegExp(`^\`\`\`tsx ${side}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(readText(projectRoot, 'docs/solid.md'))![1]!
  const compiled = compileSolid(code).replace("from 'patchcord'", `from '${at('../../../src/index.js')}'`).replace("'./App.tsx'", `'${at('../ssr/solidApp.js')}'`)
  return pathToFileURL(written(`docs/served/${side}-${process.pid}.mjs`, `import { createComponent } from 'solid-js'\n${compiled}${more}`))
}

let host: Host
test.before(async () => {
  host = await startHost(example('server'), folder)
})
test.after(() => host.stop())

test('sends the shell, then the answer, then the state', async () => {
  const response = await fetch(host.url)
  assert.is(response.headers.get('content-type'), 'text/html; charset=utf-8')
  const html = await response.text()
  const state = '<script type="application/json" id="patchcord">'
  const parts = ['<!doctype html><script>', '<div id="app">', 'waiting</i>', '</div>', 'milk</li>', state, '"milk"']
  const order = parts.map(part => html.indexOf(part))
  assert.not.ok(order.includes(-1), html)
  assert.equal(order, order.toSorted((a, b) => a - b))
  assert.equal(await host.asked(), { server: 0, page: 1 })
})

const executable = findChromium()
;(executable === undefined ? test.skip : test)('hydrates in the page without asking again, and lives', async () => {
  await bundleScripts({ page: example('page', 'globalThis.controller = controller\n') }, folder, ['browser'])
  const browser = await launch(String(executable))
  try {
    const page = await browser.newPage()
    const messages: string[] = []
    page.on('console', message => void messages.push(message.text()))
    page.on('pageerror', error => void messages.push(String(error)))
    await page.goto(host.url)
    const first = page.locator('#app main[data-hk] li[data-hk]').first()
    // What the server sent has a key; what the page would have made has none.
    assert.is(await first.innerText(), 'milk')
    await page.evaluate("controller.applyPatches([{ op: 'replace', path: ['entities', 'Todo', '1', 'title'], value: 'reap' }])")
    assert.is(await first.innerText(), 'reap')
    assert.equal(await host.asked(), { server: 0, page: 1 })
    assert.equal(messages, [])
  } finally {
    await browser.close()
  }
})

test.run()
