// npm run bench -- [suite] [filter] [--quick] [--isolate] [--strict] [--as-installed]
import { fork } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ensureContenders } from './install.mjs'
import { machine, versions } from './machine.mjs'
import { environment, nodeFlags } from './production.mjs'
import { progressLine, rowText, summaryText } from './report.mjs'

const SUITES = ['normalize', 'store', 'memory', 'view', 'controller', 'layers']
const USAGE = `npm run bench -- [suite] [filter] [--quick] [--isolate] [--strict] [--as-installed]
  suite      ${SUITES.join(', ')}; all when left out
  filter     only rows whose name has this in it
  --quick    a short run: numbers to look at, not to quote
  --isolate  every row in a process of its own
  --strict   exit 1 unless every budget is passed
  --as-installed  contenders as plain Node loads them, not as a bundler ships them`

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: {
    'as-installed': { type: 'boolean' },
    help: { type: 'boolean' },
    isolate: { type: 'boolean' },
    quick: { type: 'boolean' },
    strict: { type: 'boolean' },
  },
})
const [suite = 'all', filter = ''] = positionals
if (options.help || (suite !== 'all' && !SUITES.includes(suite))) {
  console.log(USAGE)
  process.exit(options.help ? 0 : 2)
}

const effort = options.quick ? 'quick' : 'full'
const worker = fileURLToPath(new URL('./worker.mjs', import.meta.url))

/** Measures some rows of a suite in a new process. */
const inWorker = (suite, rows, hear) =>
  new Promise((done, fail) => {
    const child = fork(worker, [JSON.stringify({ suite, rows, effort })], {
      execArgv: nodeFlags(options['as-installed']),
      env: environment(options['as-installed']),
    })
    child.on('message', hear)
    child.on('error', fail)
    child.on('exit', (code, signal) => (code === 0 ? done(undefined) : fail(new Error(`The worker of "${suite}" ended with ${signal ?? code}.`))))
  })

async function runSuite(suite) {
  const { rows } = await import(`./suites/${suite}.mjs`)
  const names = rows.map(({ name }) => name).filter(name => name.toLowerCase().includes(filter.toLowerCase()))
  if (names.length === 0) return undefined
  const result = { suite, date: new Date().toISOString(), effort, isolated: options.isolate === true, machine: machine(), rows: [] }
  console.log(`\n── ${suite} ──`)
  const hear = ({ begin, progress, row }) => {
    if (progress) progressLine(`${suite}: ${progress.row} … ${Math.round(progress.share * 100)} %`)
    if (begin && !result.versions) {
      const { packages, ...rest } = begin
      Object.assign(result, rest, { versions: versions(packages) })
      console.log(heading(result))
    }
    if (!row) return
    progressLine('')
    result.rows.push(row)
    console.log(rowText(row))
  }
  for (const part of options.isolate ? names.map(name => [name]) : [names]) await inWorker(suite, part, hear)
  return result
}

function heading({ environment, loaded, machine: { cores, cpu, load, node }, missing, versions }) {
  const lines = [
    `NODE_ENV=${environment} for all, ${loaded}; Node ${node}, ${cores} × ${cpu}, load ${load}`,
    Object.entries(versions).map(([name, version]) => `${name} ${version}`).join(', '),
  ]
  for (const [name, reason] of Object.entries(missing)) lines.push(`${name} is left blank: ${reason}`)
  return lines.join('\n')
}

function save(result) {
  const file = `${result.suite}-${result.date.slice(0, 19).replaceAll(':', '-')}.json`
  const folder = new URL('./results/', import.meta.url)
  mkdirSync(folder, { recursive: true })
  writeFileSync(new URL(file, folder), `${JSON.stringify(result)}\n`)
  return `bench/results/${file}`
}

// What goes wrong here is told in a sentence; a stack of this script helps nobody.
process.on('uncaughtException', error => {
  progressLine('')
  console.error(error.message)
  process.exit(2)
})

ensureContenders()
const results = []
const files = []
for (const name of suite === 'all' ? SUITES : [suite]) {
  const result = await runSuite(name)
  if (!result) continue
  results.push(result)
  files.push(save(result))
}
if (results.length === 0) {
  console.log(`No row has "${filter}" in its name.`)
  process.exit(2)
}
console.log(summaryText(results))
console.log(files.map(file => `  ${file}`).join('\n'))

const rows = results.flatMap(({ rows }) => rows)
const wrong = rows.some(row => Object.keys(row.wrong ?? {}).length > 0)
const passed = rows.every(({ verdicts }) => verdicts.every(({ verdict }) => verdict === 'pass'))
process.exitCode = wrong || (options.strict && !passed) ? 1 : 0
