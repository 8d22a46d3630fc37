import { existsSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { versions } from '../machine.mjs'
import { has, started } from '../suite.mjs'
import { judge } from '../verdict.mjs'
import { bundlePage } from './bundle.mjs'
import { findChromium, launch } from './chromium.mjs'
import { serve } from './serve.mjs'

const path = relative => fileURLToPath(new URL(relative, import.meta.url))

/**
 * A suite whose rows run in a page of a real Chromium. The library is taken from dist/.
 *
 * @param {string} suite `browser-solid` or `browser-preact`
 * @param {import('../suite.mjs').Options} options
 * @param {import('../suite.mjs').Listener} listener
 * @returns {Promise<import('../suite.mjs').Ran>}
 */
export async function inBrowser(suite, options, listener) {
  const executable = findChromium()
  if (executable === undefined) return { names: [], skipped: 'no Chromium was found. Install one (Debian: apt-get install chromium) or name it in CHROMIUM_PATH.' }
  if (!existsSync(path('../../dist/index.js'))) return { names: [], skipped: 'dist/ is missing. Run npm run build first.' }
  const framework = suite.replace('browser-', '')
  const folder = path('../results/page')
  rmSync(folder, { recursive: true, force: true })
  await bundlePage(`${framework}.mjs`, folder)
  const server = await serve(folder)
  const browser = await launch(executable)
  try {
    const page = await browser.newPage()
    page.on('pageerror', error => console.error(error.stack ?? String(error)))
    page.on('console', message => console.log(`page: ${message.text()}`))
    await page.exposeFunction('tell', ({ progress, row }) => {
      if (progress) return listener.progress(progress.row, progress.share, wanted.indexOf(progress.row), wanted.length)
      const { budgets, ...rest } = row
      const judged = { ...rest, verdicts: budgets.map(budget => judge(budget, row)) }
      result.rows.push(judged)
      return listener.row(judged)
    })
    await page.goto(server.url)
    const { names, packages } = await page.evaluate(() => ({ names: globalThis.names, packages: globalThis.packages }))
    // "solid" picks a page, as a part of a name picks a row.
    const wanted = names.filter(name => has(`${framework} ${name}`, options.filter))
    if (wanted.length === 0) return { names }
    const result = { ...started(suite, options), browser: browser.version(), versions: versions(packages) }
    listener.begin(result)
    await page.evaluate(job => globalThis.start(job), { wanted, effort: options.effort })
    return { names, result }
  } finally {
    await browser.close()
    server.close()
  }
}
