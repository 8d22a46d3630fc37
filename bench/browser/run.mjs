// node bench/browser/run.mjs solid [filter] [--quick]
// Measures in a real Chromium. The library is taken from dist/: build it first.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ensureContenders } from '../install.mjs'
import { machine, versions } from '../machine.mjs'
import { rowText, summaryText } from '../report.mjs'
import { judge } from '../verdict.mjs'
import { bundlePage } from './bundle.mjs'
import { findChromium, launch } from './chromium.mjs'
import { serve } from './serve.mjs'

const { positionals, values } = parseArgs({ allowPositionals: true, options: { quick: { type: 'boolean' } } })
const [suite = 'solid', filter = ''] = positionals
const effort = values.quick ? 'quick' : 'full'

const executable = findChromium()
if (executable === undefined) {
  console.log('No Chromium was found. Install one, or name it in CHROMIUM_PATH.')
  process.exit(2)
}
ensureContenders()
const here = fileURLToPath(new URL('.', import.meta.url))
const folder = `${here}../results/page`
rmSync(folder, { recursive: true, force: true })
await bundlePage(`${suite}.mjs`, folder)
const server = await serve(folder)
const browser = await launch(executable)
const result = { suite: `browser-${suite}`, date: new Date().toISOString(), effort, machine: machine(), browser: browser.version(), rows: [] }
try {
  const page = await browser.newPage()
  page.on('pageerror', error => console.error(error.stack ?? String(error)))
  page.on('console', message => console.log(`page: ${message.text()}`))
  await page.exposeFunction('tell', row => {
    const judged = { ...row, verdicts: row.budgets.map(budget => judge(budget, row)) }
    result.rows.push(judged)
    console.log(rowText(judged))
  })
  await page.goto(server.url)
  const packages = await page.evaluate(() => globalThis.packages)
  result.versions = versions(packages)
  const { cores, cpu, load } = result.machine
  console.log(`Chromium ${result.browser}, ${cores} × ${cpu}, load ${load}`)
  console.log(Object.entries(result.versions).map(([name, version]) => `${name} ${version}`).join(', '))
  await page.evaluate(options => globalThis.start(options), { filter, effort })
} finally {
  await browser.close()
  server.close()
}
mkdirSync(`${here}../results`, { recursive: true })
writeFileSync(`${here}../results/${result.suite}-${result.date.slice(0, 19).replaceAll(':', '-')}.json`, `${JSON.stringify(result)}\n`)
rmSync(folder, { recursive: true, force: true })
console.log(summaryText([result]))
