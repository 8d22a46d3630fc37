/** @param {readonly number[]} values */
export const sorted = values => Float64Array.from(values).sort()

/**
 * The value below which a share of the values lies, interpolated.
 *
 * @param {readonly number[]} values
 * @param {number} share in [0, 1]
 */
export function quantile(values, share) {
  const ranked = sorted(values)
  const rank = (ranked.length - 1) * share
  const low = Math.floor(rank)
  const high = Math.ceil(rank)
  return ranked[low] + (ranked[high] - ranked[low]) * (rank - low)
}

/** @param {readonly number[]} values */
export const median = values => quantile(values, 0.5)

/** @param {readonly number[]} values */
export const minimum = values => values.reduce((least, value) => (value < least ? value : least), Infinity)

/**
 * The width of the middle half of the values, as a share of their median.
 *
 * Quartiles and not the standard deviation: one collection of garbage in a hundred samples says nothing
 * about the other ninety-nine.
 *
 * @param {readonly number[]} values
 */
export const spread = values => (quantile(values, 0.75) - quantile(values, 0.25)) / median(values)

/**
 * Where the true median lies with 95 % confidence, whatever the distribution: order statistics, not a bell curve.
 *
 * @param {readonly number[]} values
 * @returns {[low: number, high: number]}
 */
export function medianInterval(values) {
  const ranked = sorted(values)
  const step = Math.max(0, Math.floor(ranked.length / 2 - 0.98 * Math.sqrt(ranked.length)))
  return [ranked[step], ranked[ranked.length - 1 - step]]
}

/**
 * The exponent e of cost ~ size^e: the least-squares slope in the log-log plane. 0 is flat, 1 linear.
 *
 * @param {readonly (readonly [size: number, cost: number])[]} points
 */
export function growthExponent(points) {
  const logs = points.map(([size, cost]) => [Math.log(size), Math.log(cost)])
  const meanX = logs.reduce((sum, [x]) => sum + x, 0) / logs.length
  const meanY = logs.reduce((sum, [, y]) => sum + y, 0) / logs.length
  let covariance = 0
  let variance = 0
  for (const [x, y] of logs) {
    covariance += (x - meanX) * (y - meanY)
    variance += (x - meanX) ** 2
  }
  return covariance / variance
}
