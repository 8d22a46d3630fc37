/** @import { Contender } from './contenders/index.mjs' */
/** @import { Entry } from './measure.mjs' */
/** @import { Budget } from './verdict.mjs' */

/**
 * One line of comparison. A suite is a module that exports `rows`.
 *
 * @typedef {object} Row
 * @property {string} name
 * @property {string} about
 * @property {Budget[]} budgets
 * @property {Record<string, number>} [sizes] Entry name to size: the row is about growth and prints its exponent.
 * @property {(contenders: Contender[]) => Setup} [setup] A timed row. Called just before the row is measured,
 *   so that tables of other rows are gone by then.
 * @property {(contenders: Contender[], progress: (share: number) => void) => Promise<Quantities>} [gauge]
 *   A row that measures a quantity and not a time.
 */

/**
 * @typedef {object} Setup
 * @property {Record<string, Entry>} entries
 * @property {Record<string, number>} [counts] May be filled by the checks.
 * @property {Record<string, string>} [blanks] Who is not in the row, and the reason: shown as a blank, not as a zero.
 */

/**
 * @typedef {object} Quantities
 * @property {string} unit
 * @property {Record<string, number>} values By contender.
 * @property {Record<string, number>} [counts]
 * @property {Record<string, string>} [blanks]
 */

import { growthExponent } from './statistics.mjs'
import { measure } from './measure.mjs'
import { judge } from './verdict.mjs'

/** A contender that gives a wrong result is not timed: being fast at something else is no merit. */
function checked(entries) {
  /** @type {Record<string, string>} */
  const wrong = {}
  const right = {}
  for (const [name, entry] of Object.entries(entries)) {
    try {
      entry.check?.()
      right[name] = entry
    } catch (error) {
      wrong[name] = String(/** @type {Error} */ (error)?.message ?? error)
    }
  }
  return { right, wrong }
}

/**
 * Those whom a budget compares take turns with each other, and the rest with each other after them: ten caches of a
 * hundred thousand rows in one process would be measured by how they disturb each other.
 *
 * @param {Budget[]} budgets
 * @param {Contender[]} contenders
 */
function groups(budgets, contenders) {
  const named = new Set(budgets.flatMap(budget => Object.values(budget)))
  const compared = contenders.filter(({ name }) => named.has(name))
  return compared.length > 1 ? [compared, contenders.filter(({ name }) => !named.has(name))] : [contenders]
}

/** For those of whom no budget speaks. */
const shorter = ({ warmMs, measureMs, ...rounds }) => ({ warmMs: warmMs / 4, measureMs: measureMs / 4, ...rounds })

/**
 * @param {Row} row
 * @param {Contender[]} contenders
 * @param {import('./measure.mjs').Effort} effort
 * @param {(share: number) => void} progress
 */
export async function runRow(row, contenders, effort, progress) {
  const { name, about, budgets, sizes } = row
  if (row.gauge) {
    const gauged = await row.gauge(contenders, progress)
    return { name, about, ...gauged, verdicts: budgets.map(budget => judge(budget, gauged)) }
  }
  const timings = {}
  const wrong = {}
  const blanks = {}
  let counts
  for (const [at, group] of groups(budgets, contenders).entries()) {
    const setup = /** @type {NonNullable<Row['setup']>} */ (row.setup)(group)
    const checks = checked(Object.fromEntries(Object.entries(setup.entries).filter(([entry]) => !(entry in timings))))
    Object.assign(timings, measure(checks.right, at === 0 ? effort : shorter(effort), progress))
    Object.assign(wrong, checks.wrong)
    Object.assign(blanks, setup.blanks)
    counts ??= setup.counts
    globalThis.gc?.()
  }
  const points = Object.entries(sizes ?? {}).filter(([entry]) => timings[entry])
  const exponent = points.length > 1 ? growthExponent(points.map(([entry, size]) => [size, timings[entry].median])) : undefined
  return { name, about, timings, counts, blanks, wrong, exponent, verdicts: budgets.map(budget => judge(budget, { timings, counts })) }
}
