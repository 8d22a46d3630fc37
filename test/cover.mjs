// npm run cover: how much of src and bindings the suites reach.
import { build } from '../.ci/build.mjs'
import { announce, run } from '../.ci/steps.mjs'

let code = 1
if (await build({ withTests: true })) {
  announce('cover: suites')
  // Laws reach every line in a few runs; the other thousands are npm test's.
  const command = [
    'node', 'node_modules/c8/bin/c8.js', 'node', '--conditions=browser', '--expose-gc', 'node_modules/uvu/bin.js', 'build/test', '\\.test\\.js$',
    // Nor do those that start processes, or weigh heaps, reach a line that others do not.
    ...['house', 'examples', 'types', 'soak', 'isolation', 'docs', 'Memory', 'Heap', 'Hydration', 'Ten', 'Development', 'exit'].flatMap((name) => ['-i', name]),
    ...(process.stdout.isTTY ? [] : ['--no-color']),
  ]
  code = (await run(command, { env: { RUNS_MULTIPLIER: process.env.RUNS_MULTIPLIER ?? '0.05' } })).code
}
announce(code === 0 ? 'Coverage is as high as it must be.' : 'COVERAGE IS TOO LOW, or a suite failed.')
process.exitCode = code
