// What `patchcord/persist` costs a page: restoring 10,000 rows, beside JSON.parse of the same data and the time that
// IndexedDB takes to read it; and a commit, beside the same one without it. In a Chromium, over dist/, or over the build
// that LIB names.
//   node bench/persist/restore.mjs [rounds]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundlePage } from '../browser/bundle.mjs'
import { findChromium, launch } from '../browser/chromium.mjs'
import { serve } from '../browser/serve.mjs'

const ROWS = 10_000
const rounds = Number(process.argv[2] ?? 15)
const executable = findChromium()
if (executable === undefined) throw new Error('No Chromium was found. Install one (Debian: apt-get install chromium) or name it in CHROMIUM_PATH.')
const folder = mkdtempSync(join(tmpdir(), 'patchcord-restore-'))
await bundlePage('../persist/page.mjs', folder, process.env.LIB)
const server = await serve(folder)
const browser = await launch(executable)
try {
  const page = await browser.newPage()
  await page.goto(server.url)
  await page.waitForFunction(() => globalThis.measure !== undefined)
  const times = await page.evaluate(([count, each]) => globalThis.measure(count, each), [ROWS, rounds])
  const median = name => times[name].sort((a, b) => a - b)[times[name].length >> 1]
  const show = name => `${median(name).toFixed(3)} ms (${times[name][0].toFixed(3)} to ${times[name].at(-1).toFixed(3)})`
  console.log(`${ROWS} rows, ${rounds} rounds, medians (lowest to highest)`)
  console.log(`JSON.parse        ${show('parse')}\nIndexedDB         ${show('read')}\napply             ${show('apply')}\nrestore, whole    ${show('restore')}`)
  // The time of IndexedDB varies by a factor of two, so the lowest values are compared.
  const lowest = name => times[name][0]
  console.log(`lowest: restore without IndexedDB ${((lowest('restore') - lowest('read')) / lowest('parse')).toFixed(2)} times JSON.parse, apply alone ${(lowest('apply') / lowest('parse')).toFixed(2)} times`)
  console.log(`a commit without  ${show('without')}\na commit with     ${show('with')}\nstoring a commit  ${show('write')}, in a task of its own`)
} finally {
  await browser.close()
  server.close()
  rmSync(folder, { recursive: true, force: true })
}
