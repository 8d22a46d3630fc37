import { median, medianInterval, minimum } from './statistics.mjs'

/** @import { Timing } from './measure.mjs' */

/**
 * @typedef {object} Ratio
 * @property {number} value
 * @property {number} low
 * @property {number} high
 * @property {boolean} steady False: the range is too wide for the ratio to be quoted.
 */

// A ratio is quoted when the ends of its range are no further apart than this.
const WIDEST = 1.4

/** @returns {Ratio} */
const ratio = (value, low, high) => ({ value, low, high, steady: low > 0 && high / low <= WIDEST })

/**
 * How many times the cost of `one` the cost of `other` is: the median over the rounds of the quotient of
 * neighbouring samples, with its 95 % range. Slow phases of the machine hit both sides of a quotient and cancel.
 *
 * @param {Timing} one
 * @param {Timing} other
 */
export function medianRatio(one, other) {
  // Who is slow takes part in the first rounds only.
  const both = one.samples.slice(0, other.samples.length)
  const quotients = both.map((sample, round) => other.samples[round] / sample)
  return ratio(median(quotients), ...medianInterval(quotients))
}

/**
 * The same of the fastest samples. Its range comes from the two halves of the run: a minimum that only one
 * half has seen is luck, not speed.
 *
 * @param {Timing} one
 * @param {Timing} other
 */
export function minimumRatio(one, other) {
  const half = remainder => {
    const least = ({ samples }) => minimum(samples.filter((_, round) => round % 2 === remainder))
    return least(other) / least(one)
  }
  const halves = [half(0), half(1)]
  const value = other.min / one.min
  return ratio(value, Math.min(value, ...halves), Math.max(value, ...halves))
}
