// npm run versus -- <commit> | --self [--histories N] [--seed S] [--steps N] [--pure] [--faults] [--replay file.json]
// Compares the build of a commit with this checkout by running random histories through both.
import { fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { buildCommit, ownBuild, plantFault, removeLeftovers } from './builds.mjs'
import { addTotals, createTotals, runHistory } from './compare.mjs'
import { declared } from './declared.mjs'
import { faults } from './faults.mjs'
import { generateHistory } from './generate.mjs'
import { loadBuild } from './load.mjs'
import { shrink } from './shrink.mjs'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    histories: { type: 'string' }, seed: { type: 'string' }, steps: { type: 'string', default: '30' }, pure: { type: 'boolean' },
    faults: { type: 'boolean' }, self: { type: 'boolean' }, only: { type: 'string' }, replay: { type: 'string' }, most: { type: 'string' }, processes: { type: 'string' },
  },
})
const count = (name, fallback) => {
  const value = Number(options[name] ?? fallback)
  if (!Number.isInteger(value) || value < 0) throw new Error(`--${name} takes a whole number, not "${options[name]}".`)
  return value
}
/** A build has no deliberate differences to itself. */
const rules = options.self ? [] : declared
const worker = fileURLToPath(new URL('worker.mjs', import.meta.url))
const started = Date.now()
const say = text => console.log(`${((Date.now() - started) / 1000).toFixed(1).padStart(7)} s  ${text}`)

try {
  process.exitCode = await main()
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}

async function main() {
  const [commit] = positionals
  if (commit === undefined && !options.self) throw new Error('Usage: npm run versus -- <commit> | --self [--histories N] [--seed S] [--steps N] [--pure] [--faults] [--replay file.json]')
  removeLeftovers()
  const seed = count('seed', Date.now() % 2 ** 31)
  const steps = count('steps', 30)
  const left = options.self ? ownBuild() : buildCommit(commit, say)
  const right = ownBuild()
  if (options.faults) return runFaults(left, right, seed, steps)
  if (options.replay) return replay(left, right)
  const histories = count('histories', options.pure ? 20_000 : 1000)
  const { totals, found } = await compareBuilds({ left, right, seed, steps, histories, pure: options.pure, most: 100 })
  summary(totals, seed)
  for (const each of pickDifferent(found, count('most', 3))) await explain(left, right, each, steps)
  const what = options.pure ? 'cases' : 'histories'
  console.log(`${totals.histories} ${what}, ${found.length} differences`)
  return found.length === 0 ? 0 : 1
}

/** Runs histories in as many processes as pay, and gives totals and differences. */
async function compareBuilds({ left, right, seed, steps, histories, pure, most, stopAtFirst, quiet }) {
  const processes = histories >= 500 && !stopAtFirst ? count('processes', Math.min(2, availableParallelism())) : 1
  const totals = createTotals()
  const found = []
  const done = new Array(processes).fill(0)
  const ticker = setInterval(() => quiet || say(`${done.reduce((sum, each) => sum + each, 0)} of ${histories}, ${found.length} differences`), 5000)
  const children = []
  let last = 0
  await Promise.all(done.map((_, i) => new Promise((resolve, reject) => {
    const task = { left, right, seed, steps, first: i, end: histories, stride: processes, pure, stopAtFirst, strict: options.self }
    const child = fork(worker, [JSON.stringify(task)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    children.push(child)
    let ended = false
    let hangs = false
    // A build that never comes back from a step is different, too.
    const watchdog = () => setTimeout(() => ((hangs = true), child.kill('SIGKILL')), 120_000)
    let timer = watchdog()
    child.on('message', message => {
      clearTimeout(timer)
      timer = watchdog()
      if (message.difference) {
        found.push(message)
        // More of them tell nothing new.
        if (found.length >= most) for (const each of children) if (each.connected) each.send('stop', () => {})
      }
      if (message.progress) done[i] = message.progress
      if (message.totals) {
        ended = true
        done[i] = message.totals.histories
        addTotals(totals, message.totals)
        last = Math.max(last, message.last)
      }
    })
    child.on('error', reject)
    child.on('exit', (code, signal) => {
      clearTimeout(timer)
      if (!ended) {
        totals.histories += done[i]
        found.push({ index: done[i] * processes + i, difference: { differences: [{ kind: hangs ? 'hang' : 'crash', at: '', left: `the process ended (${signal ?? code})`, right: '' }] } })
      }
      resolve()
    })
  }))).finally(() => clearInterval(ticker))
  found.sort((a, b) => a.index - b.index)
  return { totals, found, last }
}

/** Up to `most` differences, of different kinds first. */
function pickDifferent(found, most) {
  const kindOf = ({ difference }) => difference.differences[0].kind
  const firsts = found.filter((each, i) => found.findIndex(other => kindOf(other) === kindOf(each)) === i)
  return [...new Set([...firsts, ...found])].slice(0, most)
}

/** Shows a difference by its shortest history. */
async function explain(left, right, { index, seed, difference }, steps) {
  console.log(`\nDifference in ${options.pure ? 'case' : 'history'} ${index} (seed ${seed}):`)
  if (seed === undefined || options.pure) return show(difference)
  prepare()
  const [a, b] = [await loadBuild(left, 'left'), await loadBuild(right, 'right')]
  const { kind } = difference.differences[0]
  const fails = async history => {
    const found = await runHistory(a, b, history, undefined, rules)
    return found?.differences.some(each => each.kind === kind) ? found : undefined
  }
  const history = await shrink(generateHistory(seed, steps), fails)
  const found = (await fails(history)) ?? difference
  console.log(`settings ${JSON.stringify(history.settings)}`)
  history.steps.forEach((step, i) => console.log(`${String(i + 1).padStart(3)}. ${JSON.stringify(step)}`))
  show(found)
  console.log(`To replay, save this as JSON: ${JSON.stringify(history)}`)
}

function show({ differences, index }) {
  if (index !== undefined) console.log(`After step ${index + 1}:`)
  for (const { kind, at, left, right } of differences.slice(0, 8)) {
    const [was, is] = excerpts(String(left), String(right))
    console.log(`  ${kind} ${at}\n    left:  ${was}\n    right: ${is}`)
  }
  if (differences.length > 8) console.log(`  and ${differences.length - 8} more`)
}

/** Long texts from shortly before the first difference. */
function excerpts(left, right) {
  if (left.length + right.length < 400) return [left, right]
  let at = 0
  while (at < left.length && left[at] === right[at]) at++
  const start = Math.max(0, at - 60)
  return [left, right].map(text => `${start > 0 ? '…' : ''}${text.slice(start, start + 300)}${text.length > start + 300 ? '…' : ''}`)
}

async function replay(left, right) {
  prepare()
  const history = JSON.parse(readFileSync(options.replay, 'utf8'))
  const found = await runHistory(await loadBuild(left, 'left'), await loadBuild(right, 'right'), history, undefined, rules)
  if (found) show(found)
  console.log(`1 histories, ${found ? 1 : 0} differences`)
  return found ? 1 : 0
}

/** As in the worker: nothing may depend on chance. */
function prepare() {
  Math.random = () => 0.5
  console.warn = () => {}
}

/** Plants each fault into a copy of this checkout's build and compares that with the other build. */
async function runFaults(left, path, seed, steps) {
  const limit = count('histories', 3000)
  const chosen = faults.filter(({ name }) => name.includes(options.only ?? '')).slice(0, count('most', faults.length))
  let missed = 0
  for (const fault of chosen) {
    const planted = plantFault(path, fault)
    if (planted === undefined) {
      missed++
      say(`DOES NOT FIT ${fault.in}: ${fault.name}`)
      continue
    }
    try {
      const { found, last } = await compareBuilds({ left, right: planted.path, seed, steps, histories: limit, most: 1, stopAtFirst: true, quiet: true, pure: fault.pure })
      const [first] = found
      if (first === undefined) missed++
      const sign = first?.difference.differences[0]
      say(first ? `found after ${first.index + 1} ${fault.pure ? 'cases' : 'histories'}: ${fault.name} (${sign.kind} ${sign.at})` : `NOT FOUND in ${last + 1}: ${fault.name}`)
    } finally {
      planted.remove()
    }
  }
  console.log(`${chosen.length} faults, ${missed} not found`)
  return missed === 0 ? 0 : 1
}

function summary(totals, seed) {
  const list = table => Object.entries(table).sort((a, b) => b[1] - a[1]).map(([name, times]) => `${name} ${times}`).join(', ')
  const share = table => Object.entries(table).sort((a, b) => b[1] - a[1]).map(([name, times]) => `${name} ${((100 * times) / totals.histories).toFixed(1)} %`).join(', ')
  const seconds = (Date.now() - started) / 1000
  console.log(`\nseed ${seed}, ${totals.histories} ${options.pure ? 'cases' : 'histories'}, ${totals.steps} steps, ${totals.comparisons} comparisons in ${seconds.toFixed(0)} s`)
  console.log(`Steps: ${list(totals.kinds)}`)
  if (Object.keys(totals.met).length > 0) console.log(`Situations, by share of histories: ${share(totals.met)}`)
  for (const { id, reason } of declared) if (totals.declared[id]) console.log(`Declared difference ${id}: ${totals.declared[id]} times (${reason})`)
}
