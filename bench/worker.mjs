// Measures, in a process of its own: node --expose-gc worker.mjs <json of { suite, row, effort, contenders, processor, turns, way }>
// With `turns` it takes turns with others when it is asked to; without, it measures the whole row.
import { LOADED } from './production.mjs'
import { loadContenders } from './contenders/index.mjs'
import { EFFORT, player } from './measure.mjs'
import { pin } from './pin.mjs'
import { prepare, runRow } from './row.mjs'
import { pureName } from './suites/among.mjs'

const { contenders: names, effort, processor, row: wanted, suite, turns, way } = JSON.parse(process.argv[2])

/** The channel must be empty before the process may end, or the last row is lost. */
const tell = message => new Promise(done => (process.send ? process.send(message, done) : (console.log(JSON.stringify(message)), done(null))))

// The parent process has ended, or everything is reported.
process.on('disconnect', () => process.exit())

const { rows } = await import(`./suites/${suite}.mjs`)
const row = rows.find(({ name }) => name === wanted)
const { contenders, missing } = await loadContenders(names)
const begin = { missing, contenders: contenders.map(({ name }) => name), packages: contenders.flatMap(({ packages }) => packages), blanks: Object.fromEntries(contenders.map(({ blanks = {}, name }) => [name, blanks])), loaded: LOADED, environment: process.env.NODE_ENV }

if (turns) {
  const { right, ...facts } = await prepare(row, contenders, way)
  // A yardstick stands beside every contender: it has a process of its own.
  const mine = Object.entries(right).filter(([name]) => names.length === 0 || names.some(mine => name === mine || name === pureName(mine)))
  const players = Object.fromEntries(mine.map(([name, entry]) => [name, player(entry)]))
  const answers = { warm: ({ who, warmMs }) => players[who].warm(warmMs), turn: ({ who }) => players[who].turn() }
  process.on('message', async (/** @type {any} */ asked) => void tell({ answer: await answers[asked.verb](asked) }))
  globalThis.gc?.()
  pin(processor)
  await tell({ begin, ready: { ...facts, who: Object.keys(players) } })
} else {
  await tell({ begin })
  let reported = 0
  const progress = share => {
    // Ten lines a row, not one a round: each of them wakes the parent on the other core.
    if (share < reported) return
    reported = share + 0.1
    void tell({ progress: share })
  }
  // One that starts processes of its own leaves the choice to the system.
  if (row.alone) pin(processor)
  await tell({ row: await runRow(row, contenders, EFFORT[effort], progress) })
  process.disconnect?.()
}
