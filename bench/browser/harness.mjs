import { median, minimum, spread } from '../statistics.mjs'

/**
 * One side of a row, in a page.
 *
 * @typedef {object} Entry
 * @property {() => unknown} [check] Throws, or rejects, unless the work gives the right result. May give counts.
 * @property {() => unknown} [before] Not timed: makes what the next `run` uses up.
 * @property {(prepared: unknown, turn: number) => unknown} run Timed. A promise is waited for.
 * @property {(prepared: unknown) => unknown} [after] Not timed.
 * @property {number} [maxBatch] How often `run` may be called in one sample.
 */

export const EFFORT = {
  full: { warmMs: 400, measureMs: 2500, minRounds: 11, maxRounds: 100 },
  quick: { warmMs: 200, measureMs: 1500, minRounds: 5, maxRounds: 40 },
}

// Long beside the 5 µs of the page's clock.
const SAMPLE_MS = 2
// Of those of whom no budget speaks.
const FEWEST_ROUNDS = 3
let turns = 0

async function sample(entry, batch) {
  const prepared = await entry.before?.()
  // With an empty nursery: what was thrown away to make ready is collected in nobody's time.
  globalThis.gc?.({ type: 'minor' })
  const start = performance.now()
  for (let i = 0; i < batch; i++) {
    const pending = entry.run(prepared, turns++)
    if (pending instanceof Promise) await pending
  }
  const took = performance.now() - start
  await entry.after?.(prepared)
  return took
}

async function warm(entry, warmMs) {
  const until = performance.now() + warmMs
  let batch = 1
  let best = Infinity
  let costMs = 0
  for (let runs = 0; runs < 3 || performance.now() < until; runs++) {
    const begun = performance.now()
    const took = await sample(entry, batch)
    costMs = performance.now() - begun
    // It was compiled on the way, and the check has done the same before.
    if (costMs > warmMs) break
    best = Math.min(best, took / batch)
    batch = Math.max(1, Math.min(entry.maxBatch ?? 1, Math.ceil(SAMPLE_MS / best), batch * 8))
  }
  return { batch, costMs }
}

/**
 * Times all entries of a row in one page, taking turns, as `measure.mjs` does in Node. Who is slow, and whom no budget
 * compares, takes part in as many rounds as go into twice his share of the time.
 */
async function measure(entries, compared, effort, progress) {
  const names = Object.keys(entries)
  const batches = []
  const rounds = []
  for (const name of names) {
    const { batch, costMs } = await warm(entries[name], effort.warmMs)
    batches.push(batch)
    rounds.push(Math.max(compared.has(name) ? effort.minRounds : FEWEST_ROUNDS, Math.floor((2 * effort.measureMs) / names.length / costMs)))
  }
  const samples = names.map(() => [])
  const begun = performance.now()
  for (let round = 0; round < effort.maxRounds; round++) {
    const spent = performance.now() - begun
    if (round >= effort.minRounds && spent > effort.measureMs) break
    // Rarely: every word to the other process is one that somebody's sample may have to wait for.
    if (round % 10 === 0) await progress(Math.max(Math.min(1, spent / effort.measureMs), round / effort.maxRounds))
    for (let turn = 0; turn < names.length; turn++) {
      const at = (turn + round) % names.length
      if (round >= rounds[at]) continue
      samples[at].push(((await sample(entries[names[at]], batches[at])) / batches[at]) * 1e6)
    }
    // Lets the page breathe, so that nothing piles up that would be collected in somebody's sample.
    await new Promise(resolve => setTimeout(resolve))
  }
  return Object.fromEntries(
    names.map((name, at) => [
      name,
      { median: median(samples[at]), min: minimum(samples[at]), spread: spread(samples[at]), batch: batches[at], samples: samples[at].map(each => Number(each.toPrecision(5))) },
    ]),
  )
}

/** Measures the wanted rows, one after the other; hands each finished one to `tell`. */
async function runRows(rows, { wanted, effort }, tell) {
  for (const { name, about, budgets, entries: make, dispose } of rows) {
    if (!wanted.includes(name)) continue
    const progress = share => tell({ progress: { row: name, share } })
    await progress(0)
    const entries = await make()
    const wrong = {}
    const counts = {}
    for (const [who, entry] of Object.entries(entries)) {
      try {
        Object.assign(counts, await entry.check?.())
      } catch (error) {
        wrong[who] = String(error?.message ?? error)
        delete entries[who]
      }
    }
    const compared = new Set(budgets.flatMap(({ from, of, than, to, who }) => [from, of, than, to, who]))
    const timings = await measure(entries, compared, EFFORT[effort], progress)
    await dispose?.()
    globalThis.gc?.()
    await tell({ row: { name, about, budgets, timings, counts, wrong } })
  }
}

/** Makes the rows of a page known to the process that opened it. */
export function offer(rows, contenders) {
  globalThis.names = rows.map(({ name }) => name)
  globalThis.packages = [...new Set(contenders.flatMap(({ packages }) => packages))]
  globalThis.start = job => runRows(rows, job, globalThis.tell)
}
