// npm run bench -- [suite] [filter] [--old] [--only names] [--quick] [--strict] [--as-installed]
// npm run bench -- knob [name] [values] [suite] [filter] [--payload file.json --schema file.ts] [--quick]
import { relative } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureContenders } from './install.mjs'
import { createProgress } from './progress.mjs'
import { releaseDoor } from './release.mjs'
import { save } from './results.mjs'
import { inNode } from './suite.mjs'
import { budgetText, headingText, rowText, sideText, summaryText } from './text.mjs'

/** Bundlers and browsers take a while to load: who does not need them does not wait. */
const inBrowser = async (...job) => (await import('./browser/run.mjs')).inBrowser(...job)
const inBundle = async (...job) => (await import('./size.mjs')).inBundle(...job)

/** What runs a suite, in the order of the layers. */
const SUITES = {
  normalize: inNode,
  view: inNode,
  store: inNode,
  controller: inNode,
  order: inNode,
  layers: inNode,
  start: inNode,
  memory: inNode,
  size: inBundle,
  'browser-solid': inBrowser,
  'browser-preact': inBrowser,
}

/** One name for both pages. */
const named = wanted => Object.keys(SUITES).filter(name => wanted === 'all' || name === wanted || name.startsWith(`${wanted}-`))

const USAGE = `npm run bench -- [suite] [filter] [--old] [--only names] [--quick] [--strict] [--as-installed]
  suite      all when left out; ${[...new Set(Object.keys(SUITES).map(name => name.replace(/-.*/, '')))].join(', ')}
             (browser-solid and browser-preact are the halves of browser)
  filter     only rows whose name has this in it
  --old      release 0.1.0, built from its commit, takes part as one more contender
  --only a,b rows by their short names, by patchcord and data-client alone:
             first, again, view, cached, denormalize, one, row, late, latelist, pending, poll, cold
  --quick    a short run: numbers to look at, not to quote
  --strict   exit 1 unless every budget is passed
  --as-installed  contenders as plain Node loads them, not as a bundler ships them
npm run bench -- knob [name] [values] [suite] [filter] [--payload file.json --schema file.ts]
  measures a suite over a range of one knob; alone it lists the knobs
npm run bench:report          the newest results as a page
npm run bench:compare A B     what changed between two results`

/** Errors are reported in one sentence; a stack of this script helps nobody. */
function stop(message) {
  progress.clear()
  console.error(message)
  process.exit(2)
}

const progress = createProgress()
process.on('uncaughtException', error => stop(error.message))

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: {
    'as-installed': { type: 'boolean' },
    help: { type: 'boolean' },
    old: { type: 'boolean' },
    only: { type: 'string' },
    payload: { type: 'string' },
    quick: { type: 'boolean' },
    schema: { type: 'string' },
    strict: { type: 'boolean' },
  },
})
if (options.help) {
  console.log(USAGE)
  process.exit(0)
}
const effort = options.quick ? 'quick' : 'full'
const display = file => relative(process.cwd(), file)

if (positionals[0] === 'knob') {
  const { turnKnob } = await import('./knobs/run.mjs')
  const result = await turnKnob(positionals.slice(1), { effort, payload: options.payload, schema: options.schema }, progress)
  if (result) console.log(`\n  ${display(save(result))}`)
} else {
  await runSuites(...positionals)
}

async function runSuites(wanted = 'all', filter = '') {
  if (options.payload || options.schema) stop('A payload of your own is measured over a knob: npm run bench -- knob pages 16,32,64 --payload file.json --schema file.ts')
  const only = options.only?.split(',').map(name => name.trim())
  const suites = named(wanted).filter(name => !only || SUITES[name] === inNode)
  if (suites.length === 0) stop(`There is no suite "${wanted}".\n\n${USAGE}`)
  if (suites.some(name => name !== 'size')) ensureContenders()
  // Here and not by the processes that measure: they would build it all at once.
  if (options.old) releaseDoor(text => console.log(text))
  const results = []
  const files = []
  const known = []
  for (const suite of suites) {
    const { names, result, skipped } = await SUITES[suite](
      suite,
      { filter, effort, asInstalled: options['as-installed'], old: options.old, only, onlyCompared: only !== undefined },
      {
        progress: (...row) => progress.show(suite, ...row),
        begin: result => progress.clear() ?? console.log(`\n── ${suite} ──\n${headingText(result)}`),
        row: row => progress.clear() ?? console.log(rowText(row)),
      },
    )
    progress.clear()
    if (skipped) console.log(`\n── ${suite} ──\nSkipped: ${skipped}`)
    known.push(...names.map(name => `  ${suite.padEnd(14)} ${name}`))
    if (!result) continue
    results.push(result)
    files.push(display(save(result)))
  }
  if (results.length === 0) stop(known.length > 0 ? `No row has "${options.only ?? filter}" in its name. There are:\n${known.join('\n')}` : 'Nothing was measured.')
  if (only || options.old) console.log(sideText(results))
  console.log(`${summaryText(results)}\n  in ${progress.passed()}`)
  console.log(files.map(file => `  ${file}`).join('\n'))
  console.log(budgetText(results))

  const rows = results.flatMap(({ rows }) => rows)
  const wrong = rows.some(row => Object.keys(row.wrong ?? {}).length > 0)
  const passed = rows.every(({ verdicts }) => verdicts.every(({ verdict }) => verdict === 'pass'))
  process.exitCode = wrong || (options.strict && !passed) ? 1 : 0
}
