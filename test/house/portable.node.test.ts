import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { nodeResolve } from '@rollup/plugin-node-resolve'
import { rollup, type InputOptions, type OutputChunk, type Plugin } from 'rollup'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findChromium, launch } from '../browser/chromium.ts'
import { written } from './compiler.ts'
import { readDoors } from './doors.ts'
import { projectRoot, readText } from './sources.ts'

const test = suite('the built package')

const found = readDoors(projectRoot)
const doors = Object.keys(found).map((door) => door.split('/')[1] ?? 'index')
const files = readdirSync(join(projectRoot, 'dist')).filter((file) => file.endsWith('.js'))
const dist = (name: string): string => join(projectRoot, 'dist', `${name}.js`)

/** A bundle of an entry with this code. */
async function bundle(code: string, format: 'es' | 'iife', plugins: readonly Plugin[], options: InputOptions = {}): Promise<OutputChunk> {
  const entry: Plugin = { name: 'entry', resolveId: (source) => (source === 'entry' ? source : null), load: (id) => (id === 'entry' ? code : null) }
  const built = await rollup({ input: 'entry', plugins: [entry, ...plugins], ...options })
  return (await built.generate({ format, name: 'bundle' })).output[0]
}

/** A consumer's bundle, with nothing set up but the resolution of packages. */
const consumed = (code: string, format: 'es' | 'iife'): Promise<OutputChunk> =>
  bundle(code, format, [nodeResolve({ browser: true, rootDir: projectRoot })])

/** The lines that are left of a file that is imported for nothing, though nobody promises that it has no side effects. */
async function remains(file: string): Promise<string[]> {
  const external = (id: string): boolean => id !== 'entry' && id !== file
  const { code } = await bundle(`import ${JSON.stringify(file)}`, 'es', [], { treeshake: { moduleSideEffects: true }, external, onwarn() {} })
  return code.split('\n').filter((line) => line !== '' && !line.startsWith('import '))
}

const imports = doors.map((door, n) => `import * as door${n} from ${JSON.stringify(dist(door))}\n`).join('')
const names = doors.map((_, n) => `door${n}`).join()
const whole = consumed(`${imports}globalThis.report = [${names}].map((door) => Object.keys(door).length).join()`, 'iife')
const expected = Object.values(found)
  .map(({ values }) => values.filter((name) => !name.includes('.')).length)
  .join()

test('is one file a door, with the core that they share, and Immer, beside them', () => {
  assert.equal(files.sort(), [...doors, 'core', 'immer'].map((name) => `${name}.js`).sort())
})

test('has maps that lead to the TypeScript files', () => {
  for (const door of [...doors.filter((name) => name !== 'index'), 'core']) {
    const map = JSON.parse(readText(projectRoot, `dist/${door}.js.map`)) as { sources: string[]; sourcesContent: (string | null)[] }
    assert.ok(map.sources.length > 0)
    assert.equal(map.sources.filter((source) => !source.endsWith('.ts') || !existsSync(join(projectRoot, 'dist', source))), [], door)
    assert.not(map.sourcesContent.includes(null))
  }
})

test('does nothing when it is imported', async () => {
  for (const door of [...doors, 'core']) assert.equal(await remains(dist(door)), [], door)
})

test('something that is done when a door is imported is found', async () => {
  assert.equal(await remains(written('planted/door.js', 'export const started = Date.now()\nregister()\n')), ['register();'])
})

test('loads where there is no process', async () => {
  const context = createContext({ console, setTimeout, clearTimeout, performance, URL, AbortController })
  runInContext((await whole).code, context)
  assert.is(runInContext('typeof process + " " + report', context), `undefined ${expected}`)
})

const chromium = findChromium()
const inPage = chromium === undefined ? test.skip : test

inPage('loads in a page, from a plain bundle', async () => {
  const browser = await launch(String(chromium))
  try {
    const page = await browser.newPage()
    await page.evaluate((await whole).code)
    assert.is(await page.evaluate('typeof process + " " + report'), `undefined ${expected}`)
  } finally {
    await browser.close()
  }
})

test('never asks for NODE_ENV, so it behaves the same whatever that is', () => {
  for (const file of files) assert.not.match(readText(projectRoot, `dist/${file}`), /NODE_ENV|process\.env/)
})

for (const name of ['PatchcordError', 'Entity']) {
  test(`leaves Immer and signals out of a bundle that imports only ${name}`, async () => {
    const { modules } = await consumed(`export { ${name} } from ${JSON.stringify(dist('index'))}`, 'es')
    assert.equal(Object.keys(modules).filter((id) => id !== 'entry' && modules[id]!.renderedLength > 0), [dist('core')])
  })
}

test('has one core, whichever doors are imported', async () => {
  const { modules } = await whole
  assert.equal(Object.keys(modules).filter((id) => modules[id]!.code?.includes('class Controller ')), [dist('core')])
})

test.run()
