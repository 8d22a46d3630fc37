import { medianRatio, minimumRatio } from './ratio.mjs'
import { number, percent, quantity, range, times } from './format.mjs'

/**
 * What a row must reach. `who` is the entry that is judged.
 *
 * @typedef {{ kind: 'faster', who: string, than: string, atLeast: number, isMinimum?: boolean }} Faster median against median, or minimum against minimum
 * @typedef {{ kind: 'share', who: string, of: string, atMost: number, aim?: number }} Share minimum against minimum
 * @typedef {{ kind: 'growth', from: string, to: string, atMost: number, isMinimum?: boolean }} Growth one size against another
 * @typedef {{ kind: 'count', count: string, atMost: number }} Count something counted, not timed
 * @typedef {{ kind: 'value', who: string, atMost: number, unit: string, as?: string }} Value a measured quantity; `as` says what kind of limit it is
 * @typedef {Faster | Share | Growth | Count | Value} Budget
 */

/**
 * @typedef {object} Verdict
 * @property {string} budget
 * @property {string} measured
 * @property {'pass' | 'short' | 'noisy' | 'blank'} verdict noisy: spread too wide to say; blank: nothing to judge.
 * @property {number} [value]
 */

/** @typedef {{ timings?: Record<string, any>, counts?: Record<string, number>, values?: Record<string, number> }} Measured */

const BLANK = 'not measured'

/** A wide range decides nothing only while it has the budget inside. */
function judgeRatio(budget, ratio, good, form) {
  const inside = good(ratio.low) !== good(ratio.high)
  if (!ratio.steady) {
    const measured = `spread too wide for a ratio (${range(ratio, form)})`
    return { budget, measured, verdict: inside ? 'noisy' : good(ratio.low) ? 'pass' : 'short' }
  }
  const measured = `${form(ratio.value)} (${range(ratio, form)})`
  return { budget, measured, verdict: good(ratio.value) ? 'pass' : 'short', value: ratio.value }
}

const judges = {
  /** @param {Faster} budget */
  faster({ who, than, atLeast, isMinimum }, { timings }) {
    const text = `≥ ${times(atLeast)} faster than ${than}${isMinimum ? ', min against min' : ''}`
    if (!timings?.[who] || !timings[than]) return { budget: text, measured: BLANK, verdict: 'blank' }
    return judgeRatio(text, (isMinimum ? minimumRatio : medianRatio)(timings[who], timings[than]), value => value >= atLeast, times)
  },
  /** @param {Share} budget */
  share({ who, of, atMost, aim }, { timings }) {
    const text = `≤ ${percent(atMost)} of ${of}, min against min${aim ? ` (aim ${percent(aim)})` : ''}`
    if (!timings?.[who] || !timings[of]) return { budget: text, measured: BLANK, verdict: 'blank' }
    return judgeRatio(text, minimumRatio(timings[of], timings[who]), value => value <= atMost, percent)
  },
  /** @param {Growth} budget */
  growth({ from, to, atMost, isMinimum }, { timings }) {
    const text = `at ${to} ≤ ${times(atMost)} the cost at ${from}${isMinimum ? ', min against min' : ''}`
    if (!timings?.[from] || !timings[to]) return { budget: text, measured: BLANK, verdict: 'blank' }
    return judgeRatio(text, (isMinimum ? minimumRatio : medianRatio)(timings[from], timings[to]), value => value <= atMost, times)
  },
  /** @param {Count} budget */
  count({ count, atMost }, { counts }) {
    return judgeAmount(`≤ ${number(atMost)} ${count}`, counts?.[count], atMost, number)
  },
  /** @param {Value} budget */
  value({ as, atMost, unit, who }, { values }) {
    const form = value => quantity(value, unit)
    return judgeAmount(`≤ ${form(atMost)}${as ? `, ${as}` : ''}`, values?.[who], atMost, form)
  },
}

function judgeAmount(budget, value, atMost, form) {
  if (value === undefined) return { budget, measured: BLANK, verdict: 'blank' }
  return { budget, measured: form(value), verdict: value <= atMost ? 'pass' : 'short', value }
}

/**
 * @param {Budget} budget
 * @param {Measured} measured
 * @returns {Verdict}
 */
export const judge = (budget, measured) => judges[budget.kind](/** @type {any} */ (budget), measured)
