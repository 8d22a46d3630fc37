// dist/ from the sources; with --tests also build/test, after which suites can run.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { announce, root, run, tsc } from './steps.mjs'

const tests = process.argv.includes('--tests')

/** Compiles and bundles; true when everything went well. */
export async function build({ withTests }) {
  // Steps of one run, one after the other over the same sources, share what the first of them has built.
  if (process.env.BUILT === 'true') {
    announce('build: as it is')
    return true
  }
  // What was deleted from the sources must not live on in the output.
  for (const folder of ['dist', 'build']) rmSync(join(root, folder), { recursive: true, force: true })
  const steps = [
    ['types and modules', tsc],
    ['doors', ['node', 'node_modules/rollup/dist/bin/rollup', '--config', '--silent']],
  ]
  if (withTests) steps.push(['tests', [...tsc, '-p', 'test']])
  for (const [name, command] of steps) {
    announce(`build: ${name}`)
    const { code } = await run(command)
    if (code !== 0) {
      announce(`build failed at: ${name}`)
      return false
    }
  }
  announce('build done')
  return true
}

if (import.meta.filename === process.argv[1]) process.exitCode = (await build({ withTests: tests })) ? 0 : 1
