import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { nodeResolve } from '@rollup/plugin-node-resolve'
import { rollup } from 'rollup'
import type { OutputChunk, Plugin } from 'rollup'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findChromium, launch } from '../browser/chromium.ts'
import { readDoors } from './doors.ts'
import { projectRoot, readText } from './sources.ts'

const test = suite('the built package')

const doors = ['index', 'history', 'push', 'changes', 'tabs', 'persist', 'outbox', 'devtools', 'solid', 'preact', 'testing']
const dist = (name: string): string => join(projectRoot, 'dist', `${name}.js`)

/** A consumer's bundle, with nothing set up but the resolution of packages. */
async function bundle(code: string, format: 'es' | 'iife'): Promise<OutputChunk> {
  const built = await rollup({ input: 'entry', plugins: [entry(code), nodeResolve({ browser: true, rootDir: projectRoot })] })
  const { output } = await built.generate({ format, name: 'bundle' })
  return output[0]
}

/** What is left of a file that is imported for nothing. */
async function remains(file: string): Promise<string> {
  const built = await rollup({
    input: 'entry',
    treeshake: { moduleSideEffects: true },
    external: (id) => id !== 'entry' && id !== file,
    plugins: [entry(`import ${JSON.stringify(file)}`)],
    onwarn() {},
  })
  const { output } = await built.generate({ format: 'es' })
  return output[0].code
}

const entry = (code: string): Plugin => ({
  name: 'entry',
  resolveId: (source) => (source === 'entry' ? source : null),
  load: (id) => (id === 'entry' ? code : null),
})

const everything = `
  import * as core from ${JSON.stringify(dist('index'))}
  import * as history from ${JSON.stringify(dist('history'))}
  import * as push from ${JSON.stringify(dist('push'))}
  import * as changes from ${JSON.stringify(dist('changes'))}
  import * as tabs from ${JSON.stringify(dist('tabs'))}
  import * as persist from ${JSON.stringify(dist('persist'))}
  import * as outbox from ${JSON.stringify(dist('outbox'))}
  import * as devtools from ${JSON.stringify(dist('devtools'))}
  import * as solid from ${JSON.stringify(dist('solid'))}
  import * as preact from ${JSON.stringify(dist('preact'))}
  import * as testing from ${JSON.stringify(dist('testing'))}
  globalThis.report = [core, history, push, changes, tabs, persist, outbox, devtools, solid, preact, testing].map((door) => Object.keys(door).length).join()
`
const whole = bundle(everything, 'iife')
const expected = Object.values(readDoors(projectRoot))
  .map(({ values }) => values.filter((name) => !name.includes('.')).length)
  .join()

test('is one file a door, with the core that they share, and Immer, beside them', () => {
  const files = readdirSync(join(projectRoot, 'dist')).filter((file) => file.endsWith('.js')).map((file) => file.slice(0, -3))
  assert.equal(files.sort(), [...doors, 'core', 'immer'].sort())
})

test('has maps that lead to the TypeScript files', () => {
  for (const door of [...doors.filter((name) => name !== 'index'), 'core']) {
    const map = JSON.parse(readText(projectRoot, `dist/${door}.js.map`)) as { sources: string[]; sourcesContent: (string | null)[] }
    assert.ok(map.sources.length > 0)
    for (const source of map.sources) {
      assert.match(source, /\.ts$/)
      assert.ok(existsSync(join(projectRoot, 'dist', source)), source)
    }
    assert.not(map.sourcesContent.includes(null))
  }
})

test('does nothing when it is imported', async () => {
  for (const door of [...doors, 'core']) {
    // The package promises no side effects; here that promise is set aside, and still nothing may be left.
    const code = await remains(dist(door))
    assert.equal(code.split('\n').filter((line) => line !== '' && !line.startsWith('import ')), [], door)
  }
})

test('something that is done when a door is imported is found', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'patchcord-'))
  try {
    writeFileSync(join(folder, 'planted.js'), 'export const started = Date.now()\nregister()\n')
    assert.match(await remains(join(folder, 'planted.js')), 'register()')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('loads where there is no process', async () => {
  const { code } = await whole
  const context = createContext({ console, setTimeout, clearTimeout, performance, URL, AbortController })
  assert.is(runInContext('typeof process', context), 'undefined')
  runInContext(code, context)
  assert.is(runInContext('report', context), expected)
})

const chromium = findChromium()
const inPage = chromium === undefined ? test.skip : test

inPage('loads in a page, from a plain bundle', async () => {
  const { code } = await whole
  const browser = await launch(String(chromium))
  try {
    const page = await browser.newPage()
    await page.evaluate(code)
    assert.is(await page.evaluate('typeof process + " " + report'), `undefined ${expected}`)
  } finally {
    await browser.close()
  }
})

test('never asks for NODE_ENV, so it behaves the same whatever that is', () => {
  for (const file of readdirSync(join(projectRoot, 'dist')).filter((file) => file.endsWith('.js'))) {
    assert.not.match(readText(projectRoot, `dist/${file}`), /NODE_ENV|process\.env/)
  }
})

for (const name of ['PatchcordError', 'Entity']) {
  test(`leaves Immer and signals out of a bundle that imports only ${name}`, async () => {
    const { modules } = await bundle(`export { ${name} } from ${JSON.stringify(dist('index'))}`, 'es')
    const files = Object.entries(modules).filter(([, { renderedLength }]) => renderedLength > 0).map(([id]) => id)
    assert.equal(files.filter((id) => id !== 'entry'), [dist('core')])
  })
}

test('has one core, whichever doors are imported', async () => {
  const { modules } = await whole
  const controllers = Object.keys(modules).filter((id) => modules[id]!.code?.includes('class Controller '))
  assert.equal(controllers, [dist('core')])
})

test.run()
