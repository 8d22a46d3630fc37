import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { suite } from 'uvu'
import { bundleSuites, marker } from '../../browser/bundle.ts'
import { findChromium } from '../../browser/chromium.ts'
import { projectRoot } from '../../house/sources.ts'
import { onChromiumPage } from './chromiumPage.ts'
import { assertPassed, runSuites, suites } from './runSuites.ts'

/** The suites of the binding again, with the Preact before the one that this project is built with. */
const test = suite('preact 10')

const pattern = '(bindings/preact(?!Ten)|ssr/preact(?!Hydration)).*\\.test\\.js$'

test('all suites pass in Node', async () => {
  await runSuites(pattern, ['--import', new URL('preactTen.js', import.meta.url).href], 90)
})

if (findChromium() !== undefined) {
  const ten = { name: 'preact 10', resolveId: (source: string) => (/^preact(\/|$)/.test(source) ? fileURLToPath(import.meta.resolve(source.replace('preact', 'preact-10'))) : null) }
  const files = readdirSync(suites, { recursive: true, encoding: 'utf8' })
    .filter(file => new RegExp(pattern).test(file) && !file.endsWith('.node.test.js'))
    .map(file => ({ name: file, file: join(suites, file) }))
  test('all suites pass in Chromium', () =>
    onChromiumPage(folder => bundleSuites(projectRoot, files, folder, [ten]), async (page, url) => {
      let output = ''
      page.on('console', message => void (output += message.text().replace(marker, '')))
      page.on('pageerror', error => void (output += String(error.stack)))
      await page.goto(url)
      await page.waitForFunction('globalThis.finished === true', undefined, { timeout: 120_000, polling: 50 })
      assertPassed(stripVTControlCharacters(output), 90)
    }))
}

test.run()
