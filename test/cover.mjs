// npm run cover: how much of src and bindings the suites reach. The panel of devtools is tried in Chromium alone, which this does not see.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { build } from '../.ci/build.mjs'
import { announce, root, run } from '../.ci/steps.mjs'

/** Where `COVER=true npm test` writes down the lines that its suites reach. */
export const REACHED = 'build/reached'

const c8 = ['node', 'node_modules/c8/bin/c8.js']

/** Suites for this alone. */
const suites = [
  ...c8, 'node', '--conditions=browser', '--expose-gc', 'node_modules/uvu/bin.js', 'build/test', '\\.test\\.js$',
  // Those that start processes, or weigh heaps, reach no line that others do not.
  ...'house examples types soak isolation docs Memory Heap ssr/hydration Ten Development exit'.split(' ').flatMap((name) => ['-i', name]),
  ...(process.stdout.isTTY ? [] : ['--no-color']),
]

async function cover() {
  if (!(await build({ withTests: true }))) return 1
  const isThere = process.env.BUILT === 'true' && existsSync(join(root, REACHED))
  announce(isThere ? 'cover: what npm test has reached' : 'cover: suites')
  if (isThere) return (await run([...c8, 'report', '--temp-directory', REACHED])).code
  // Laws reach every line in a few runs; the other thousands are npm test's.
  return (await run(suites, { env: { RUNS_MULTIPLIER: process.env.RUNS_MULTIPLIER ?? '0.05' } })).code
}

if (import.meta.filename === process.argv[1]) {
  const code = await cover()
  announce(code === 0 ? 'Coverage is as high as it must be.' : 'COVERAGE IS TOO LOW, or a suite failed.')
  process.exitCode = code
}
