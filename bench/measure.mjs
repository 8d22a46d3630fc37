import { getHeapStatistics } from 'node:v8'
import { median, minimum, spread } from './statistics.mjs'
import { stopwatch } from './stopwatch.mjs'

/**
 * One side of a row: the same work done by one contender.
 *
 * @typedef {object} Entry
 * @property {() => unknown} [check] Throws or rejects unless the work gives the right result; runs before anything is timed.
 * @property {(batch: number) => unknown} [before] Not timed: makes what the next `run` uses up. May return a promise.
 * @property {(prepared: any, batch: number, stop: () => void) => unknown} run Timed: does the work `batch` times. May
 *   return a promise, and may call `stop` when the timed part is over and the rest is not.
 * @property {number} [warmRuns] Runs before the first that counts, where `before` takes so long that few go into the warm-up.
 * @property {number} [maxBatch] 1 for work that uses up what `before` made; more for work below a microsecond.
 */

/**
 * @typedef {object} Timing
 * @property {number} median Nanoseconds for one piece of work.
 * @property {number} min
 * @property {number} spread Width of the middle half over the median.
 * @property {number} batch
 * @property {number} [allocated] Bytes for one piece of work; missing where collections hid it.
 * @property {number[]} samples In the order of the rounds, so that contenders can be compared round by round; who is
 *   slow takes part in the first rounds only.
 */

/**
 * @typedef {object} Effort How long to measure.
 * @property {number} warmMs For each contender.
 * @property {number} measureMs For the whole row.
 * @property {number} minRounds
 * @property {number} maxRounds
 */

/**
 * Somebody who takes turns; here, or in a process of his own.
 *
 * @typedef {object} Player
 * @property {boolean} [isShort] No budget speaks of him: he takes part in the first rounds, after a shorter warm-up.
 * @property {(warmMs: number) => Warmed | Promise<Warmed>} warm
 * @property {() => Sample | Promise<Sample>} turn
 */

/** @typedef {{ batch: number, costMs: number }} Warmed Pieces of work in a sample, and what a sample takes in all. */
/** @typedef {{ took: number, grew: number, turnMs: number }} Sample Nanoseconds and bytes of one piece of work, and what the turn took. */

/** @type {Record<'full' | 'quick', Effort>} */
export const EFFORT = {
  full: { warmMs: 500, measureMs: 1500, minRounds: 11, maxRounds: 100 },
  quick: { warmMs: 250, measureMs: 700, minRounds: 5, maxRounds: 40 },
}

const MS = 1e6
// Long beside the resolution of the clock, short beside the time slice of the scheduler.
const SAMPLE_NS = 500_000
const MIN_WARM_RUNS = 3
const FEWEST_ROUNDS = 3
// So long a turn is at the least, and so long a run goes without one before it that does not count.
const TURN_MS = 6
const LEAD_MS = 20

/** Keeps results alive, so that no compiler can prove the work useless. */
export let consumed

/** With an empty nursery nobody pays for garbage that was made to make ready. */
const collect = () => globalThis.gc?.({ type: 'minor' })

const heap = () => getHeapStatistics().used_heap_size

/** One run, `before` excluded. Short work ends before its own garbage is due: that is why bytes are reported beside the time. */
async function time(entry, batch) {
  collect()
  let prepared = entry.before?.(batch)
  if (prepared instanceof Promise) {
    prepared = await prepared
    collect()
  }
  /** @type {number | undefined} */
  let took
  const used = heap()
  const elapsed = stopwatch()
  consumed = entry.run(prepared, batch, () => (took ??= elapsed()))
  if (consumed instanceof Promise) consumed = await consumed
  took ??= elapsed()
  return { took: took / batch, grew: (heap() - used) / batch }
}

/** Whether the second half of some runs was no faster than the first, but for noise. */
const isSettled = runs => median(runs.slice(runs.length >> 1)) > 0.97 * median(runs.slice(0, runs.length >> 1))

/** Runs until the compiler has settled; who still gets faster is given twice the time. */
async function warm(entry, warmMs) {
  const limit = entry.maxBatch ?? 1
  const elapsed = stopwatch()
  /** @type {number[]} */
  const runs = []
  /** @type {number[]} */
  const costs = []
  let batch = 1
  let best = Infinity
  for (;;) {
    const lap = stopwatch()
    const { took } = await time(entry, batch)
    const costMs = lap() / MS
    costs.push(costMs)
    runs.push(took)
    const spent = elapsed() / MS
    // One run as long as all of this is warm enough: it was compiled on the way, and the row has to end some day.
    if ((costMs > warmMs && !entry.warmRuns) || (runs.length >= (entry.warmRuns ?? MIN_WARM_RUNS) && spent > warmMs && (spent > 2 * warmMs || isSettled(runs.slice(-50))))) break
    // By the best run so far: one that was interrupted would make the samples too short to trust.
    best = Math.min(best, took)
    batch = Math.max(1, Math.min(limit, Math.ceil(SAMPLE_NS / best), batch * 8))
  }
  // The usual one: now and then `before` has to make a whole table anew.
  return { batch, costMs: median(costs.slice(costs.length >> 1)) }
}

/**
 * Somebody who takes turns in this process.
 *
 * In a turn short work runs again and again, and the second half of the runs counts: the first finds in the caches of
 * the processor what others have left there, and would measure them.
 *
 * @param {Entry} entry
 * @returns {Player}
 */
export function player(entry) {
  /** @type {Warmed} */
  let warmed
  return {
    warm: async warmMs => (warmed = await warm(entry, warmMs)),
    async turn() {
      const elapsed = stopwatch()
      const runs = []
      do runs.push(await time(entry, warmed.batch))
      while (elapsed() / MS < TURN_MS || (runs.length < 2 && warmed.costMs < LEAD_MS))
      consumed = undefined
      const counted = runs.slice(runs.length >> 1)
      return { took: median(counted.map(({ took }) => took)), grew: median(counted.map(({ grew }) => grew)), turnMs: elapsed() / MS }
    },
  }
}

/** @param {Effort} effort */
const shorter = ({ measureMs, minRounds, warmMs }) => ({ warmMs: warmMs / 3, measureMs: measureMs / 3, minRounds, maxRounds: minRounds })

/**
 * In how many rounds somebody takes part: in as many as go into twice his share of the time. Otherwise a slow contender
 * would leave few rounds to the others.
 *
 * @param {number} costMs
 * @param {number} players
 * @param {Effort} effort
 */
const roundsFor = (costMs, players, { maxRounds, measureMs }) =>
  Math.max(FEWEST_ROUNDS, Math.min(maxRounds, Math.floor((2 * measureMs) / players / Math.max(TURN_MS, costMs))))

/**
 * Times all players of a row, taking turns: A B C, B C A, C A B …
 *
 * Taking turns makes a busy neighbour or a hot processor slow all alike, so that their ratio stays; changing
 * who begins keeps one from always running in the wake of the same other.
 *
 * @param {Record<string, Player>} players
 * @param {Effort} effort
 * @param {(share: number) => void} [progress]
 * @returns {Promise<Record<string, Timing>>}
 */
export async function takeTurns(players, effort, progress = () => {}) {
  const names = Object.keys(players)
  /** @type {Warmed[]} */
  const warmed = []
  const isShort = names.map(name => players[name].isShort === true)
  const efforts = isShort.map(short => (short ? shorter(effort) : effort))
  for (const [at, name] of names.entries()) warmed.push(await players[name].warm(efforts[at].warmMs))
  const rounds = warmed.map(({ costMs }, at) => roundsFor(costMs, isShort.filter(short => short === isShort[at]).length, efforts[at]))

  const samples = names.map(() => /** @type {Sample[]} */ ([]))
  let spent = 0
  for (let round = 0; round < effort.maxRounds; round++) {
    if (round >= effort.minRounds && spent > effort.measureMs) break
    progress(Math.max(Math.min(1, spent / effort.measureMs), round / effort.maxRounds))
    for (let turn = 0; turn < names.length; turn++) {
      const at = (turn + round) % names.length
      if (round >= rounds[at]) continue
      const sample = await players[names[at]].turn()
      samples[at].push(sample)
      if (!isShort[at]) spent += sample.turnMs
    }
  }
  return Object.fromEntries(names.map((name, at) => [name, summary(samples[at], warmed[at].batch)]))
}

/**
 * The same of entries that share this process.
 *
 * @param {Record<string, Entry>} entries
 * @param {Effort} effort
 * @param {(share: number) => void} [progress]
 */
export function measure(entries, effort, progress) {
  // Before the warm-up and not after it: whatever lived only in what is thrown away, V8 would have to learn again.
  globalThis.gc?.()
  return takeTurns(Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, player(entry)])), effort, progress)
}

/** The heap only shrinks when it was collected in between; then the growth says nothing. */
function allocation(samples) {
  const whole = samples.map(({ grew }) => grew).filter(bytes => bytes >= 0)
  return whole.length * 2 > samples.length ? Math.round(median(whole)) : undefined
}

/**
 * @param {Sample[]} samples
 * @returns {Timing}
 */
export function summary(samples, batch) {
  const times = samples.map(({ took }) => took)
  return {
    median: median(times),
    min: minimum(times),
    spread: spread(times),
    batch,
    allocated: allocation(samples),
    samples: times.map(time => Number(time.toPrecision(5))),
  }
}
