import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { nodeResolve } from '@rollup/plugin-node-resolve'
import * as fc from 'fast-check'
import { rollup, type Plugin } from 'rollup'
import { minify } from 'terser'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { projectRoot } from '../../house/sources.ts'
import { broken, runs } from '../../support/settings.ts'
import { tapes } from '../../support/tape.ts'
import { asyncLaw } from '../../support/asyncLaw.ts'
import * as sources from './library.ts'
import { playOn, type Build, type Play } from './play.ts'

/** INV-54. There is one build; but its Immer has two, users minify it, and everything around it looks at NODE_ENV. */
const test = suite('INV-54: every build does the same')

const plain = playOn(sources)
const bundled: Play[] = []
let folder: string

test.before(async () => {
  // Below the project, so that what is not bundled is found from there; not among the suites, where others are looking for theirs.
  folder = await mkdtemp(fileURLToPath(new URL('../../../builds-', import.meta.url)))
  const { vendored } = (await import(pathToFileURL(join(projectRoot, 'rollup.config.mjs')).href)) as { vendored: Plugin }
  const made = await rollup({ input: fileURLToPath(new URL('library.js', import.meta.url)), external: /^@preact/, plugins: [vendored, nodeResolve()], onwarn() {} })
  const { code } = (await made.generate({ format: 'es' })).output[0]
  await made.close()
  const small = (await minify(code, { module: true, compress: { passes: 2 } })).code!
  assert.ok(small.length < code.length / 2)
  for (const [name, text] of [['bundled.js', code], ['minified.js', small]] as const) {
    await writeFile(join(folder, name), text)
    bundled.push(playOn((await import(pathToFileURL(join(folder, name)).href)) as Build))
  }
})
test.after(() => rm(folder, { recursive: true }))

let errors = 0
asyncLaw(test, 'INV-54 a history on the modules, with the Immer of development, ends as it does bundled with that of production, and minified', 300, tapes(90), async bytes => {
  const expected = await plain(bytes)
  if (/Error/.test(expected)) errors++
  for (const play of bundled) {
    const found = await play(bytes)
    if (found !== expected) broken('A build does something else.', found, expected)
  }
}, () => `${errors} histories with an error in them`)

test('INV-54 NODE_ENV changes nothing', async () => {
  const some = fc.sample(tapes(90), { numRuns: runs(30), seed: 11 })
  const main = fileURLToPath(new URL('playAll.js', import.meta.url))
  const outputs = ['production', 'development', ''].map(NODE_ENV => {
    const { stdout, stderr } = spawnSync(process.execPath, ['--conditions=browser', main], { env: { ...process.env, NODE_ENV, NODE_OPTIONS: '' }, input: JSON.stringify(some), encoding: 'utf8', maxBuffer: 1e9 })
    assert.is(stderr, '')
    return JSON.parse(stdout) as string[]
  })
  assert.is(outputs[0]!.length, some.length)
  some.forEach((bytes, i) => {
    if (new Set(outputs.map(each => each[i])).size > 1) broken('NODE_ENV makes a difference.', bytes, ...outputs.map(each => each[i]))
  })
})

test.run()
