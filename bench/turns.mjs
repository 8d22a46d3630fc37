import { NAMES, OLD } from './contenders/index.mjs'
import { openWorker } from './fork.mjs'
import { EFFORT, takeTurns } from './measure.mjs'
import { inPairs } from './pairs.mjs'
import { quietest } from './pin.mjs'
import { concluded } from './row.mjs'

/** @import { Player, Timing } from './measure.mjs' */
/** @import { Row } from './row.mjs' */

/** Those whom budgets compare, and a yardstick that is nobody's. The rest take part in fewer rounds. */
const COMPARED = ['patchcord', OLD, 'data-client', undefined]
const OTHERS = NAMES.filter(name => !COMPARED.includes(name))

/** The rows that contenders have declined, so that no process is started for them again. */
const known = new Map()

/** Why one is not in the row, if that is known: a stand-in of whom only that is known is asked to take part. */
function knownBlank({ setup }, name) {
  try {
    return known.has(name) ? setup?.([{ name, blanks: known.get(name) }]).blanks?.[name] : undefined
  } catch {
    // It can: the stand-in got as far as the work.
    return undefined
  }
}

/** Who has no controller that fetches does such a row by pure functions alone. */
const waysOf = ({ isTwofold }, name) => (!isTwofold || name === undefined ? [{ name }] : COMPARED.includes(name) ? [{ name, way: 'controller' }, { name, way: 'pure' }] : [{ name, way: 'pure' }])

/** One contender, in a process of his own that has set up the row and waits. */
async function seat(job, options, hear) {
  const isShort = OTHERS.includes(job.contenders[0])
  const worker = openWorker(job, options)
  const { begin, ready } = await worker.next()
  for (const [name, blanks] of Object.entries(begin.blanks)) known.set(name, blanks)
  hear({ begin })
  const ask = async message => {
    worker.send(message)
    return (await worker.next()).answer
  }
  /** @type {[string, Player][]} */
  const players = ready.who.map(who => [who, { isShort, warm: warmMs => ask({ verb: 'warm', who, warmMs }), turn: () => ask({ verb: 'turn', who }) }])
  return { ...ready, players, close: worker.close }
}

/**
 * A row of several contenders, each in a process of his own, as an application has one of them and not ten: one that
 * shared a heap with others would be measured by their garbage too, and by what V8 has learnt from them.
 *
 * @param {string} suite
 * @param {Row} row
 * @param {import('./suite.mjs').Options} options
 * @param {(message: any) => void} hear
 */
export async function inTurns(suite, row, options, hear) {
  /** @type {{ wrong: Record<string, string>, blanks: Record<string, string>, counts: Record<string, number> }} */
  const all = { wrong: {}, blanks: {}, counts: {} }
  const hasYardstick = Object.keys(row.setup?.([]).entries ?? {}).length > 0
  const processor = quietest()
  // Nothing is timed yet.
  const names = [...COMPARED, ...(options.onlyCompared ? [] : OTHERS)].filter(name => name !== OLD || options.old)
  const seats = await inPairs(names.flatMap(name => waysOf(row, name)), async ({ name, way }) => {
    if (name === undefined && !hasYardstick) return undefined
    const blank = knownBlank(row, name)
    if (blank) return void (all.blanks[name] = blank)
    try {
      return await seat({ suite, row: row.name, contenders: name === undefined ? [] : [name], processor, turns: true, way }, options, hear)
    } catch (error) {
      return void (all.wrong[name ?? row.name] = /** @type {Error} */ (error).message)
    }
  })
  const present = seats.filter(each => each !== undefined)
  for (const kind of /** @type {const} */ (['blanks', 'wrong'])) Object.assign(all[kind], ...present.map(each => each[kind]))
  // Budgets of counts are upper limits: of two versions the worse one is judged.
  for (const { counts } of present) for (const [name, count] of Object.entries(counts)) all.counts[name] = Math.max(count, all.counts[name] ?? 0)
  const players = Object.fromEntries(present.flatMap(each => each.players))
  const timings = await takeTurns(players, EFFORT[options.effort], share => hear({ progress: share }))
  await Promise.all(present.map(({ close }) => close()))
  return concluded(row, { ...all, timings })
}
