// dist/ from the sources; with --tests also build/test, after which suites can run.
// With --loose a type error does not end it: a benchmark of half a rewrite needs the code that tsc writes all the same.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { announce, root, run, tsc } from './steps.mjs'

const tests = process.argv.includes('--tests')
const isLoose = process.argv.includes('--loose')

/** Compiles and bundles; true when everything went well. */
export async function build({ loose = false, withTests }) {
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
    if (code !== 0 && loose && command === tsc) announce('there are type errors; going on without')
    else if (code !== 0) {
      announce(`build failed at: ${name}`)
      return false
    }
  }
  announce('build done')
  return true
}

if (import.meta.filename === process.argv[1]) process.exitCode = (await build({ loose: isLoose, withTests: tests })) ? 0 : 1
