/** From here on a linear scale would show one bar and nothing beside it. */
const WIDE = 40

/**
 * Where values lie between 0 and 1. Linear from zero; where the longest is many times the shortest, by powers of
 * ten, from the power below the shortest.
 *
 * @param {readonly number[]} values
 */
export function scaleOf(values) {
  const known = values.filter(value => value > 0)
  const most = Math.max(...known, Number.MIN_VALUE)
  const least = Math.min(...known, most)
  if (most / least < WIDE) return { log: false, fraction: value => Math.max(0, value / most), ticks: [] }
  const from = Math.floor(Math.log10(least) - 0.3)
  const to = Math.log10(most)
  const fraction = value => (value > 0 ? Math.max(0, (Math.log10(value) - from) / (to - from)) : 0)
  const ticks = Array.from({ length: Math.ceil(to) - from - 1 }, (_, at) => 10 ** (from + at + 1))
  return { log: true, fraction, ticks: ticks.filter(tick => fraction(tick) < 1) }
}
