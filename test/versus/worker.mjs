// A process that compares two builds. It gets its task as JSON in its argument and reports by messages.
import { createTotals, runHistory } from './compare.mjs'
import { declared } from './declared.mjs'
import { generateHistory } from './generate.mjs'
import { loadBuild } from './load.mjs'
import { runPure } from './pure.mjs'
import { seedOf } from './random.mjs'

const task = JSON.parse(process.argv[2])
// Jitter and temporary pks must not depend on chance. Stacks are not compared and take time.
Math.random = () => 0.5
Error.stackTraceLimit = 0
console.warn = () => {}
let current = 0
const stray = kind => error => process.send({ index: current, difference: { differences: [{ kind, at: '', left: String(error?.stack ?? error), right: '' }] } })
process.on('unhandledRejection', stray('unhandled rejection'))
process.on('uncaughtException', stray('uncaught exception'))

let stopped = false
process.on('message', () => void (stopped = true))

const left = await loadBuild(task.left, 'left')
const right = await loadBuild(task.right, 'right')
const totals = createTotals()
const rules = task.strict ? [] : declared
let reported = Date.now()
for (let index = task.first; index < task.end; index += task.stride) {
  current = index
  const seed = seedOf(task.seed, index)
  // A rule that throws must not end the comparison.
  const failed = error => ({ differences: [{ kind: 'comparison failed', at: '', left: String(error?.stack ?? error), right: '' }] })
  const difference = await (task.pure ? runPure(left, right, seed, totals, rules) : runHistory(left, right, generateHistory(seed, task.steps), totals, rules)).catch(failed)
  if (difference) process.send({ index, seed, difference })
  if (Date.now() - reported > 1000) {
    reported = Date.now()
    process.send({ progress: totals.histories })
  }
  if (stopped || (difference && task.stopAtFirst)) break
  // Lets messages in.
  if (task.pure && totals.histories % 64 === 0) await new Promise(resolve => setImmediate(resolve))
}
process.send({ totals, last: current }, () => process.exit(0))
