const UNITS = /** @type {const} */ ([[1e9, 's'], [1e6, 'ms'], [1e3, 'µs'], [1, 'ns']])

/** Three significant digits, thousands set apart. */
export function number(value) {
  if (Number.isInteger(value)) return value.toLocaleString('en-US')
  if (!Number.isFinite(value)) return '—'
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))))
  return value.toLocaleString('en-US', { maximumFractionDigits: Math.min(digits, 6), minimumFractionDigits: Math.min(digits, 2) })
}

/** Nanoseconds in the unit that fits. */
export function duration(nanoseconds) {
  const [size, unit] = UNITS.find(([size]) => nanoseconds >= size) ?? [1, 'ns']
  return `${number(nanoseconds / size)} ${unit}`
}

/** Bytes in the unit that fits. */
export const bytes = amount => (amount >= 1e6 ? `${number(amount / 1e6)} MB` : amount >= 1e3 ? `${number(amount / 1e3)} kB` : `${Math.round(amount)} B`)

/** Of a growth; what is nearly nothing has no sign. */
export const power = exponent => (Math.round(exponent * 100) / 100 || 0).toFixed(2)

export const percent = share => `${number(share * 100)} %`

/** 4.2× */
export const times = value => `${number(value >= 100 ? Math.round(value) : value)}×`

/** @param {import('./ratio.mjs').Ratio} ratio */
export const range = ({ low, high }, form = times) => `${form(low)} to ${form(high)}`

/** An amount of something that was measured and not timed. Bytes become kB when there are many. */
export const quantity = (value, unit) => (unit === 'B' && Math.abs(value) >= 1e3 ? bytes(value) : `${number(value)} ${unit}`)
