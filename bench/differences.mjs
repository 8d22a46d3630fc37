import { median, quantile } from './statistics.mjs'

/** @import { Result } from './results.mjs' */

/** Below this no change is reported, however quiet the machine was: two builds of the same code differ by as much. */
const LEAST = 0.03
const US = 'patchcord'

/**
 * @typedef {object} Difference
 * @property {string} row
 * @property {string} entry
 * @property {'none' | 'less' | 'more' | 'only in A' | 'only in B'} kind
 * @property {number} [from]
 * @property {number} [to]
 * @property {number} [change] How many times the first the second is.
 * @property {string} [unit] Nanoseconds when left out.
 * @property {string} [why] What hides a difference.
 */

/** The middle half of the samples. */
const middle = ({ samples }) => [quantile(samples, 0.25), quantile(samples, 0.75)]
const inside = (value, [low, high]) => value >= low && value <= high

/** Two timings of other runs differ when neither median lies in the middle half of the other. */
function timingDifference(a, b) {
  const change = b.median / a.median
  const times = { from: a.median, to: b.median, change }
  if (Math.abs(change - 1) < LEAST) return { kind: 'none', ...times, why: 'less than 3 %' }
  if (inside(b.median, middle(a)) || inside(a.median, middle(b))) return { kind: 'none', ...times, why: 'inside the spread' }
  return { kind: change < 1 ? 'less' : 'more', ...times }
}

/** Counts and bundles are exact. Heaps are not: the collector leaves a little of everything behind. */
function amountDifference(a, b, unit, exact) {
  const change = a === 0 ? (b === 0 ? 1 : Infinity) : b / a
  const amounts = { from: a, to: b, change, unit }
  if (a === b) return { kind: 'none', ...amounts, why: 'the same' }
  if (!exact && Math.abs(change - 1) < LEAST) return { kind: 'none', ...amounts, why: 'less than 3 %' }
  return { kind: b < a ? 'less' : 'more', ...amounts }
}

/** What a row has measured, by name. */
function measuredOf(row, suite) {
  const all = new Map()
  for (const [name, timing] of Object.entries(row.timings ?? {})) all.set(name, { timing })
  for (const [name, amount] of Object.entries(row.values ?? {})) all.set(name, { amount, unit: row.unit, exact: suite === 'size' })
  for (const [name, amount] of Object.entries(row.beside?.values ?? {})) all.set(`${name}, ${row.beside.label}`, { amount, unit: row.unit, exact: true })
  for (const [name, amount] of Object.entries(row.counts ?? {})) all.set(name, { amount, unit: '', exact: true })
  return all
}

const difference = (a, b) => (a.timing && b.timing ? timingDifference(a.timing, b.timing) : amountDifference(a.amount, b.amount, a.unit, a.exact && b.exact))

/**
 * What changed from one result to another.
 *
 * @param {Result} a
 * @param {Result} b
 */
export function differences(a, b) {
  /** @type {Difference[]} */
  const found = []
  const verdicts = []
  const others = []
  for (const name of new Set([...a.rows, ...b.rows].map(({ name }) => name))) {
    const [before, after] = [a, b].map(({ rows }) => rows.find(row => row.name === name))
    if (!before || !after) {
      found.push({ row: name, entry: '', kind: before ? 'only in A' : 'only in B' })
      continue
    }
    const [was, is] = [measuredOf(before, a.suite), measuredOf(after, b.suite)]
    for (const entry of new Set([...was.keys(), ...is.keys()])) {
      const [old, now] = [was.get(entry), is.get(entry)]
      if (!old || !now) found.push({ row: name, entry, kind: old ? 'only in A' : 'only in B' })
      else {
        found.push({ row: name, entry, .../** @type {any} */ (difference(old, now)) })
        // Beside ours stand others, whose code did not change: what changed for them is the machine.
        if (old.timing && was.has(US) && entry !== US) others.push(now.timing.median / old.timing.median)
      }
    }
    for (const { budget, verdict } of after.verdicts) {
      const old = before.verdicts.find(each => each.budget === budget)
      if (old && old.verdict !== verdict) verdicts.push({ row: name, budget, from: old.verdict, to: verdict })
    }
  }
  return { found, verdicts, drift: others.length > 0 ? median(others) : undefined, remarks: remarks(a, b) }
}

/** Why two results may not be comparable. */
function remarks(a, b) {
  const lines = []
  const tell = (what, of) => of(a) !== of(b) && lines.push(`${what}: ${of(a)} → ${of(b)}`)
  tell('suite', ({ suite }) => suite)
  tell('effort', ({ effort }) => effort)
  tell('measured', ({ method }) => method ?? 'in one process')
  tell('machine', ({ machine: { cores, cpu } }) => `${cores} × ${cpu}`)
  tell('Node', ({ machine: { node } }) => node)
  for (const name of new Set(Object.keys({ ...a.versions, ...b.versions }))) tell(name, ({ versions }) => versions?.[name] ?? 'none')
  return lines
}
