import { duration, quantity, times } from '../format.mjs'
import { medianRatio } from '../ratio.mjs'
import { align } from '../text.mjs'
import { KNOBS } from './knobs.mjs'

/** Entries by what they measure and then by value: `1k, pages=16` → 1k → 16. */
function byValue(measured, knob) {
  const lines = new Map()
  for (const [name, amount] of Object.entries(measured)) {
    const [, entry = '', value] = /^(?:(.*), )?[^=]+=(.*)$/.exec(name) ?? []
    if (!name.includes(`${knob}=`)) continue
    if (!lines.has(entry)) lines.set(entry, new Map())
    lines.get(entry).set(value, amount)
  }
  return lines
}

/** A value beside that which the library has. */
function cell(timing, standard) {
  if (timing === undefined) return '—'
  if (timing === standard || standard === undefined) return duration(timing.median)
  const ratio = medianRatio(standard, timing)
  const label = ratio.low <= 1 && ratio.high >= 1 ? '=' : ratio.steady ? times(ratio.value) : '?'
  return `${duration(timing.median)} ${label}`
}

export const knobHeading = ({ knob: { name, payload, suite }, machine: { cores, cpu, load, node } }) =>
  `\n── ${name}: ${KNOBS[name].about} ──\n${suite}${payload ? ` on ${payload}` : ''}; Node ${node}, ${cores} × ${cpu}, load ${load}`

/**
 * One table: a line for each thing that was measured, a column for each value.
 *
 * @param {any} result
 */
export function knobText({ knob: { name, standard, values }, rows }) {
  const lines = [[name, ...values.map(value => (value === standard ? `${value} *` : value)), '']]
  const notes = []
  for (const row of rows) {
    const label = entry => (entry ? `${row.name}, ${entry}` : row.name)
    for (const [entry, timings] of byValue(row.timings ?? {}, name)) lines.push([label(entry), ...values.map(value => cell(timings.get(value), timings.get(standard))), ''])
    for (const [entry, amounts] of byValue(row.values ?? {}, name)) lines.push([label(entry), ...values.map(value => (amounts.has(value) ? quantity(amounts.get(value), row.unit) : '—')), ''])
    for (const [entry, counts] of byValue(row.counts ?? {}, name)) lines.push([label(entry), ...values.map(value => String(counts.get(value) ?? '—')), ''])
    notes.push(`  ${row.name}: ${row.about}${row.note ? ` (${row.note})` : ''}`)
  }
  return [
    '',
    ...align(lines).map(line => `  ${line}`),
    '',
    '  * is what the library has. Beside a time: how many times that of *, from samples taken in turn; = is no difference, ? too noisy to say.',
    ...notes,
  ].join('\n')
}
