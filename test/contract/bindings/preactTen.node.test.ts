import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { bundleSuites, marker } from '../../browser/bundle.ts'
import { findChromium, launch } from '../../browser/chromium.ts'
import { serve } from '../../browser/serve.ts'
import { projectRoot } from '../../house/sources.ts'

/** The suites of the binding again, with the Preact before the one that this project is built with. */
const test = suite('preact 10')

const tests = fileURLToPath(new URL('..', import.meta.url))
const pattern = '(bindings/preact(?!Ten|Memory)|ssr/preact(?!Hydration)).*\\.test\\.js$'

/** What uvu counted: everything, and what passed. */
const totals = (output: string): (string | undefined)[] => ['Total', 'Passed'].map(name => new RegExp(`${name}: +(\\d+)`).exec(output)?.[1])

test('all suites pass in Node', () => {
  const hook = new URL('preactTen.js', import.meta.url).href
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--conditions=browser', '--expose-gc', '--import', hook, join(projectRoot, 'node_modules/uvu/bin.js'), tests, pattern, '--no-color'],
    { encoding: 'utf8', timeout: 180_000, env: { ...process.env, UVU_DEFER: '' } },
  )
  assert.is(status, 0, stdout + stderr)
  const [total, passed] = totals(stdout)
  assert.ok(Number(total) > 60, stdout)
  assert.is(passed, total)
})

if (findChromium() !== undefined) {
  test('all suites pass in Chromium', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'patchcord-preact-'))
    const suites = readdirSync(tests, { recursive: true, encoding: 'utf8' })
      .filter(file => new RegExp(pattern).test(file) && !file.endsWith('.node.test.js'))
      .map(file => ({ name: file, file: join(tests, file) }))
    const ten = {
      name: 'preact 10',
      resolveId: (source: string) => (/^preact(\/|$)/.test(source) ? fileURLToPath(import.meta.resolve(source.replace('preact', 'preact-10'))) : null),
    }
    await bundleSuites(projectRoot, suites, folder, [ten])
    const server = await serve(folder)
    const browser = await launch(findChromium()!)
    try {
      const page = await browser.newPage()
      let output = ''
      page.on('console', message => void (output += message.text().replace(marker, '')))
      page.on('pageerror', error => void (output += String(error.stack)))
      await page.goto(server.url)
      await page.waitForFunction('globalThis.finished === true', undefined, { timeout: 120_000, polling: 50 })
      output = stripVTControlCharacters(output)
      const [total, passed] = totals(output)
      assert.ok(Number(total) > 60, output)
      assert.is(passed, total, output)
    } finally {
      await browser.close()
      await server.close()
      rmSync(folder, { recursive: true })
    }
  })
}

test.run()
