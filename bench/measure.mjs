import { getHeapStatistics } from 'node:v8'
import { median, minimum, spread } from './statistics.mjs'

/**
 * One side of a row: the same work done by one contender.
 *
 * @typedef {object} Entry
 * @property {() => void} [check] Throws unless the work gives the right result; runs before anything is timed.
 * @property {(batch: number) => unknown} [before] Not timed: makes what the next `run` uses up.
 * @property {(prepared: any, batch: number) => unknown} run Timed: does the work `batch` times.
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

/** @type {Record<'full' | 'quick', Effort>} */
export const EFFORT = {
  full: { warmMs: 700, measureMs: 2500, minRounds: 15, maxRounds: 150 },
  quick: { warmMs: 300, measureMs: 1200, minRounds: 7, maxRounds: 50 },
}

// Long beside the resolution of the clock, short beside the time slice of the scheduler.
const SAMPLE_NS = 500_000
const MIN_WARM_RUNS = 3
const FEWEST_ROUNDS = 3

/** Keeps results alive, so that no compiler can prove the work useless. */
export let sink

/** @param {'major' | 'minor'} type */
const collect = type => globalThis.gc?.(type === 'minor' ? { type: 'minor' } : undefined)

const heap = () => getHeapStatistics().used_heap_size

/** One sample, `before` excluded: nanoseconds and bytes of one timed run. */
function time(entry, batch) {
  // Every sample starts from an empty nursery, so that nobody pays for the garbage of its neighbour. Short
  // work then ends before its own garbage is due; that is why the bytes are reported beside the time.
  collect('minor')
  const prepared = entry.before?.(batch)
  const used = heap()
  const start = process.hrtime.bigint()
  sink = entry.run(prepared, batch)
  const took = Number(process.hrtime.bigint() - start)
  return { took, grew: heap() - used }
}

/** Runs until the compiler has settled, and finds how many pieces of work make one sample and what that takes in all. */
function warm(entry, warmMs) {
  const limit = entry.maxBatch ?? 1
  const until = performance.now() + warmMs
  let batch = 1
  let best = Infinity
  let costMs = 0
  for (let runs = 0; runs < MIN_WARM_RUNS || performance.now() < until; runs++) {
    const begun = performance.now()
    const { took } = time(entry, batch)
    costMs = performance.now() - begun
    // One run as long as all of this is warm enough: it was compiled on the way, and the row has to end some day.
    if (costMs > warmMs) break
    // By the best run so far: one that was interrupted would make the samples too short to trust.
    best = Math.min(best, took / batch)
    batch = Math.max(1, Math.min(limit, Math.ceil(SAMPLE_NS / best), batch * 8))
  }
  return { batch, costMs }
}

/**
 * In how many rounds somebody takes part: in as many as go into twice his share of the time. Otherwise a slow contender
 * would leave few rounds to those that a budget is about.
 *
 * @param {number} costMs
 * @param {number} entries
 * @param {Effort} effort
 */
const roundsFor = (costMs, entries, { maxRounds, measureMs }) => Math.max(FEWEST_ROUNDS, Math.min(maxRounds, Math.floor((2 * measureMs) / entries / costMs)))

/**
 * Times all entries of a row in one process, taking turns: A B C, B C A, C A B …
 *
 * Taking turns makes a busy neighbour or a hot processor slow all alike, so that their ratio stays; changing
 * who begins keeps one from always running in the wake of the same other.
 *
 * @param {Record<string, Entry>} entries
 * @param {Effort} effort
 * @param {(share: number) => void} [progress]
 * @returns {Record<string, Timing>}
 */
export function measure(entries, effort, progress = () => {}) {
  const names = Object.keys(entries)
  const warmed = names.map(name => warm(entries[name], effort.warmMs))
  const batches = warmed.map(({ batch }) => batch)
  const rounds = warmed.map(({ costMs }) => roundsFor(costMs, names.length, effort))
  collect('major')

  const samples = names.map(() => /** @type {number[]} */ ([]))
  const growths = names.map(() => /** @type {number[]} */ ([]))
  const begun = performance.now()
  for (let round = 0; round < effort.maxRounds; round++) {
    const spent = performance.now() - begun
    if (round >= effort.minRounds && spent > effort.measureMs) break
    progress(Math.max(Math.min(1, spent / effort.measureMs), round / effort.maxRounds))
    for (let turn = 0; turn < names.length; turn++) {
      const at = (turn + round) % names.length
      if (round >= rounds[at]) continue
      const { grew, took } = time(entries[names[at]], batches[at])
      samples[at].push(took / batches[at])
      growths[at].push(grew / batches[at])
    }
  }
  sink = undefined
  return Object.fromEntries(names.map((name, at) => [name, summary(samples[at], growths[at], batches[at])]))
}

/** The heap only shrinks when it was collected in between; then the growth says nothing. */
function allocation(growths) {
  const whole = growths.filter(bytes => bytes >= 0)
  return whole.length * 2 > growths.length ? Math.round(median(whole)) : undefined
}

/** @returns {Timing} */
const summary = (samples, growths, batch) => ({
  median: median(samples),
  min: minimum(samples),
  spread: spread(samples),
  batch,
  allocated: allocation(growths),
  samples: samples.map(sample => Number(sample.toPrecision(5))),
})
