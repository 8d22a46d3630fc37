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
  const { blanks, counts, entries } = /** @type {NonNullable<Row['setup']>} */ (row.setup)(contenders)
  const { right, wrong } = checked(entries)
  const timings = measure(right, effort, progress)
  const points = Object.entries(sizes ?? {}).filter(([entry]) => timings[entry])
  const exponent = points.length > 1 ? growthExponent(points.map(([entry, size]) => [size, timings[entry].median])) : undefined
  return { name, about, timings, counts, blanks, wrong, exponent, verdicts: budgets.map(budget => judge(budget, { timings, counts })) }
}
