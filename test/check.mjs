// npm run check: everything that must hold before the package may be published.
import { build } from '../.ci/build.mjs'
import { announce, run } from '../.ci/steps.mjs'

const bin = (file) => ['node', `node_modules/${file}`]
const suites = (pattern) => [
  ...bin('uvu/bin.js'), 'build/test/house', pattern, ...(process.stdout.isTTY ? [] : ['--no-color']),
]

const steps = [
  ['publint', [...bin('publint/src/cli.js'), '--strict']],
  // Our own build has just run; packing must not start another.
  ['are the types wrong', [...bin('@arethetypeswrong/cli/dist/index.js'), '--pack', '.', '--profile', 'esm-only', '--no-emoji'], { npm_config_ignore_scripts: 'true' }],
  ['size', ['node', 'bench/size.mjs', '--ours']],
  ['floors and shape', suites('(floors|shape|reach|next)\\.node\\.test\\.js$')],
  ['public names', suites('doors\\.node\\.test\\.js$')],
  ['a consumer', suites('(portable|consumer)\\.node\\.test\\.js$')],
]

const failed = []
if (!(await build({ withTests: true }))) failed.push('build')
else {
  for (const [name, command, env] of steps) {
    announce(`check: ${name}`)
    const { code } = await run(command, { env })
    if (code !== 0) failed.push(name)
  }
}
announce(failed.length === 0 ? `Check passed: ${steps.map(([name]) => name).join(', ')}.` : `CHECK FAILED: ${failed.join(', ')}.`)
process.exitCode = failed.length === 0 ? 0 : 1
