/** @import { Contender } from './contenders/index.mjs' */
/** @import { Entry, Timing } from './measure.mjs' */
/** @import { Budget } from './verdict.mjs' */

/**
 * One line of comparison. A suite is a module that exports `rows`.
 *
 * @typedef {object} Row
 * @property {string} name
 * @property {string} about
 * @property {Budget[]} budgets
 * @property {boolean} [alone] By patchcord alone: its entries take turns in one process.
 * @property {Record<string, number>} [sizes] Entry name to size: the row is about growth and prints its exponent.
 * @property {string} [short] The name that `--only` takes.
 * @property {boolean} [isTwofold] Done through the controller and by the pure functions, a process each.
 * @property {(contenders: Contender[], way?: Way) => Setup} [setup] A timed row. Called in the process that measures; what does
 *   not belong to a contender is set up when there is none.
 * @property {(contenders: Contender[], progress: (share: number) => void, effort: import('./measure.mjs').Effort) => Promise<any>} [gauge]
 *   A row that measures by itself: a quantity, or `timings` that it took in processes of its own.
 */

/** @typedef {'controller' | 'pure'} Way How a row is done that is done in two ways. */

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

/**
 * Sets a row up for some. A contender that gives a wrong result is not timed: being fast at something else is no merit.
 *
 * @param {Row} row
 * @param {Contender[]} contenders
 * @param {Way} [way]
 */
export async function prepare(row, contenders, way) {
  const { blanks = {}, counts = {}, entries } = /** @type {NonNullable<Row['setup']>} */ (row.setup)(contenders, way)
  /** @type {Record<string, string>} */
  const wrong = {}
  /** @type {Record<string, Entry>} */
  const right = {}
  for (const [name, entry] of Object.entries(entries)) {
    try {
      await entry.check?.()
      right[name] = entry
    } catch (error) {
      wrong[name] = String(/** @type {Error} */ (error)?.message ?? error)
    }
  }
  return { right, wrong, blanks, counts }
}

/**
 * What a timed row has to say.
 *
 * @param {Row} row
 * @param {{ timings: Record<string, Timing>, wrong: Record<string, string>, blanks: Record<string, string>, counts: Record<string, number> }} measured
 */
export function concluded({ about, budgets, name, short, sizes }, { blanks, counts, timings, wrong }) {
  const points = Object.entries(sizes ?? {}).filter(([entry]) => timings[entry])
  const exponent = points.length > 1 ? growthExponent(points.map(([entry, size]) => [size, timings[entry].median])) : undefined
  return { name, about, sizes, timings, counts, blanks, wrong, exponent, short, verdicts: budgets.map(budget => judge(budget, { timings, counts })) }
}

/**
 * A row that is measured within one process.
 *
 * @param {Row} row
 * @param {Contender[]} contenders
 * @param {import('./measure.mjs').Effort} effort
 * @param {(share: number) => void} progress
 */
export async function runRow(row, contenders, effort, progress) {
  const { name, about, budgets } = row
  if (row.gauge) {
    const gauged = await row.gauge(contenders, progress, effort)
    if (gauged.timings) return concluded(row, { wrong: {}, blanks: {}, counts: {}, ...gauged })
    return { name, about, ...gauged, verdicts: budgets.map(budget => judge(budget, gauged)) }
  }
  const { right, ...facts } = await prepare(row, contenders)
  return concluded(row, { timings: await measure(right, effort, progress), ...facts })
}
