// npm run check: everything that must hold before the package may be published.
//   npm run check                     everything
//   npm run check -- --rooms          only the rooms, in a few seconds; compiles what is newer than build/
//   npm run check -- --rooms --imports  the same with the imports of the size contract
//   npm run check -- --record         lowers the ceilings in .ci/budgets.json to the figures of today
//   npm run check -- --readme         writes the sizes into README.md
//   npm run check -- --words          only the words and type names, in a few seconds
import { parseArgs } from 'node:util'
import { build } from '../.ci/build.mjs'
import { checkGates } from '../.ci/gates.mjs'
import { announce, run } from '../.ci/steps.mjs'
import { checkWords } from '../.ci/words.mjs'

const flag = { type: 'boolean', default: false }
const { values: options } = parseArgs({ options: { imports: flag, readme: flag, record: flag, rooms: flag, words: flag } })
const { imports, readme, record, rooms, words } = options
const gates = () => checkGates({ imports, readme, record, rooms })

const bin = (file) => ['node', `node_modules/${file}`]
const command = (parts, env) => async () => {
  const { code, output } = await run(parts, { env, quiet: true })
  return { isFine: code === 0, output }
}
const suites = (pattern) => command([
  ...bin('uvu/bin.js'), 'build/test/house', pattern, ...(process.stdout.isTTY ? [] : ['--no-color']),
])

const steps = [
  ['a consumer', suites('consumer\\.node\\.test\\.js$')],
  ['publint', command([...bin('publint/src/cli.js'), '--strict'])],
  // Our own build has just run; packing must not start another.
  ['are the types wrong', command([...bin('@arethetypeswrong/cli/dist/index.js'), '--pack', '.', '--profile', 'esm-only', '--no-emoji'], { npm_config_ignore_scripts: 'true' })],
  ['rooms and imports', async () => ({ isFine: await gates(), output: '' })],
  ['words and type names', async () => ({ isFine: await checkWords(), output: '' })],
  // npm test has these; one that has just built everything for this run has them behind it.
  ...(process.env.BUILT === 'true' ? [] : [['the house', suites('(floors|shape|reach|doors|portable)\\.node\\.test\\.js$')]]),
  // The comparison itself: a build equals itself, and planted faults are found.
  ['versus', command(['node', 'test/versus/main.mjs', '--self', '--histories', '200', '--seed', '1'])],
  ['versus: faults', command(['node', 'test/versus/main.mjs', '--self', '--faults', '--most', '3', '--histories', '200', '--seed', '1'])],
]

/** Two steps at a time, the longest first; what a step prints comes in one piece at its end. */
async function checkAll() {
  const failed = []
  if (!(await build({ withTests: true }))) failed.push('build')
  else {
    const left = [...steps]
    const worker = async () => {
      for (let step = left.shift(); step !== undefined; step = left.shift()) {
        const [name, start] = step
        const { isFine, output } = await start()
        console.log(output)
        announce(`check: ${name}: ${isFine ? 'passed' : 'FAILED'}`)
        if (!isFine) failed.push(name)
      }
    }
    await Promise.all([worker(), worker()])
  }
  announce(failed.length === 0 ? `Check passed: ${steps.map(([name]) => name).join(', ')}.` : `CHECK FAILED: ${failed.join(', ')}.`)
  return failed.length === 0
}

process.exitCode = (await (words ? checkWords() : rooms || record || readme ? gates() : checkAll())) ? 0 : 1
