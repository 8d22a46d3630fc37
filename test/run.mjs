// npm test: types, then every suite in Node, and the same suites in Chromium.
//   npm test                  everything
//   npm run unit -- store     only in Node, only files whose path matches
//   npm run browser -- store  the same in Chromium
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { build } from '../.ci/build.mjs'
import { announce, root, run, tsc } from '../.ci/steps.mjs'
import { REACHED } from './cover.mjs'
import { readTotals } from './totals.mjs'

const only = process.argv.includes('--unit') ? 'unit' : process.argv.includes('--browser') ? 'browser' : undefined
const pattern = process.argv.slice(2).find((argument) => !argument.startsWith('--'))

/** The jobs that take longest, the longest first: the last ones to start would run alone. */
const long = [
  'laws/order/histories', 'Chromium', 'laws', 'contract/isolation', 'faults', 'examples', 'contract/bindings (Node)', 'contract/ssr', 'contract/view', 'contract/regressions (Node)',
  'contract/docs', 'house', 'contract/bindings', 'bench', 'hostile', 'soak', 'contract/rest', 'contract/regressions', 'contract/controller', 'contract/view (Node)',
]

/** Topics whose suites for Node only are a job of their own: they start processes or weigh heaps. */
const split = ['contract/bindings', 'contract/regressions', 'contract/view']

/**
 * With COVER=true these jobs write down which lines they reach, so that npm run cover has only to report. The others
 * reach hardly a line that these do not, and weigh memory, start processes or run thousands of histories.
 */
const covered = [
  'contract/base', 'contract/bindings', 'contract/controller', 'contract/devtools', 'contract/endpoint', 'contract/managers', 'contract/normalize', 'contract/order', 'contract/outbox',
  'contract/persist', 'contract/push', 'contract/regressions', 'contract/rest', 'contract/schema', 'contract/store', 'contract/tabs', 'contract/testing', 'contract/undo', 'contract/view', 'hostile',
]

const results = {}
const remarks = []

if (!(await compile())) results.types = { passed: 0, failed: 1 }
else await work([...(only === 'browser' ? [] : unitJobs()), ...(only === 'unit' ? [] : [{ kind: 'browser', name: 'Chromium', run: inBrowser }])])
finish()

/** A pattern is for the quick loop: it needs the tests only, not the doors. */
async function compile() {
  if (!pattern) return build({ withTests: true })
  rmSync(join(root, 'build/test'), { recursive: true, force: true })
  announce('types')
  return (await run([...tsc, '-p', 'test'])).code === 0
}

/** Does all jobs, one more at a time than there are cores: many wait for pages, servers and timers. */
async function work(jobs) {
  const left = [...jobs].sort((a, b) => rank(a.name) - rank(b.name))
  const worker = async () => {
    for (let job = left.shift(); job !== undefined; job = left.shift()) {
      const from = Date.now()
      const sum = await job.run(jobs.length > 1)
      if (sum === undefined) continue
      const before = results[job.kind] ?? { passed: 0, failed: 0 }
      results[job.kind] = { passed: before.passed + sum.passed, failed: before.failed + sum.failed }
      announce(`suites in ${job.name}: ${sum.failed === 0 ? 'passed' : 'FAILED'} in ${((Date.now() - from) / 1000).toFixed(0)} s; ${left.length} more to begin`)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() + 1 }, worker))
}

function rank(name) {
  const at = long.indexOf(name)
  return at < 0 ? long.length : at
}

/** One process a folder, and one for all that match a pattern. */
function unitJobs() {
  if (pattern) return [{ kind: 'unit', name: 'Node', run: () => suites([`${pattern}.*\\.test\\.js$`]) }]
  const jobs = new Map()
  for (const file of readdirSync(join(root, 'build/test'), { recursive: true })) {
    // Two compilers over a packed project take a minute; npm run check has them.
    if (!file.endsWith('.test.js') || file.startsWith('house/consumer')) continue
    const name = jobOf(file)
    jobs.set(name, [...(jobs.get(name) ?? []), file.replaceAll('.', '\\.')])
  }
  return [...jobs].map(([name, files]) => ({ kind: 'unit', name, run: () => suites([`^(${files.join('|')})$`], true, coverageOf(name)) }))
}

/** The topics of `contract` are a job each, and so are the laws about the order of writes. */
function jobOf(file) {
  const [folder, topic] = file.split('/')
  const name = folder === 'contract' ? `${folder}/${topic}` : file.startsWith('laws/order/') ? file.replace(/\.(node\.)?test\.js$/, '') : folder
  return split.includes(name) && file.endsWith('.node.test.js') ? `${name} (Node)` : name
}

function coverageOf(name) {
  return process.env.COVER === 'true' && covered.includes(name) ? { NODE_V8_COVERAGE: join(root, REACHED) } : {}
}

/** Shows what it prints as it comes, or, `later`, in one piece at the end. */
async function suites(files, later = false, env = {}) {
  const { code, output } = await run(
    [
      'node', '--conditions=browser', '--enable-source-maps', '--expose-gc', 'node_modules/uvu/bin.js', 'build/test', ...files,
      ...(process.stdout.isTTY ? [] : ['--no-color']),
    ],
    { env, quiet: later },
  )
  if (later) console.log(`\n${output}`)
  return readTotals(code, output)
}

/** All that can run there, in one page. */
async function inBrowser(later) {
  const { code, output } = await run(['node', 'build/test/browser/run.js', ...(pattern ? [pattern] : [])], { quiet: later })
  if (later) console.log(`\n${output}`)
  if (code !== 2) return readTotals(code, output)
  remarks.push(
    'Not run: the same suites in a browser, because no Chromium was found.',
    'Install one (Debian: apt-get install chromium) or name it in CHROMIUM_PATH, and run npm test again.',
  )
  return process.env.CI === 'true' ? { passed: 0, failed: 1 } : undefined
}

function finish() {
  mkdirSync(join(root, 'build'), { recursive: true })
  writeFileSync(join(root, 'build/results.json'), `${JSON.stringify(results)}\n`)
  const failed = Object.values(results).reduce((sum, result) => sum + result.failed, 0)
  const counts = Object.entries(results).map(([name, { passed, failed }]) => `${name} ${passed} passed, ${failed} failed`)
  console.log()
  for (const remark of remarks) console.log(remark)
  announce(`${failed === 0 ? 'Tests passed' : 'TESTS FAILED'}: ${counts.join('; ')}.`)
  process.exitCode = failed === 0 ? 0 : 1
}
