// Runs the compiled suites in Chromium. Exits with 0 when all passed, 1 when not, 2 when there is no Chromium.
import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { bundleSuites, marker } from './bundle.ts'
import { findChromium, launch } from './chromium.ts'
import { serve } from './serve.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const tests = join(root, 'build/test')
const pages = join(root, 'build/browser')

const executable = findChromium()
if (executable === undefined) process.exit(2)

const pattern = new RegExp(process.argv[2] ?? '')
const suites = readdirSync(tests, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.js') && !file.endsWith('.node.test.js') && pattern.test(file))
  .sort()
  .map((file) => ({ name: relative(tests, join(tests, file)), file: join(tests, file) }))

await bundleSuites(root, suites, pages)
const server = await serve(pages)
const browser = await launch(executable)
let failed = false
try {
  const page = await browser.newPage()
  page.on('console', (message) => {
    const text = message.text()
    if (!text.startsWith(marker)) return console.log(text)
    process.stdout.write(process.stdout.isTTY ? text.slice(marker.length) : stripVTControlCharacters(text.slice(marker.length)))
    if (/\u2718|FAIL/.test(text)) failed = true
  })
  page.on('pageerror', (error) => {
    console.error(error.stack ?? String(error))
    failed = true
  })
  await page.goto(server.url)
  await page.waitForFunction('globalThis.finished === true', undefined, { timeout: 300_000, polling: 50 }).catch(() => {
    console.error('The suites did not finish within 5 minutes.')
    failed = true
  })
} finally {
  await browser.close()
  await server.close()
}
process.exit(failed ? 1 : 0)
