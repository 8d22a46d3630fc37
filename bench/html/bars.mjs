import { duration, percent, quantity, times } from '../format.mjs'
import { medianRatio } from '../ratio.mjs'
import { quantile } from '../statistics.mjs'
import { escape } from './escape.mjs'
import { scaleOf } from './scale.mjs'

const US = 'patchcord'
const share = fraction => `${(fraction * 100).toFixed(2)}%`

/** What stands behind a bar: the middle half of the samples, and how ours compares. */
const timed = timings =>
  Object.entries(timings).map(([name, timing]) => ({
    name,
    value: timing.median,
    low: quantile(timing.samples, 0.25),
    high: quantile(timing.samples, 0.75),
    text: duration(timing.median),
    note: beside(timings, name),
    title: `${name}: median ${duration(timing.median)}, min ${duration(timing.min)}, spread ${percent(timing.spread)}`,
  }))

const gauged = ({ beside, unit, values }) =>
  Object.entries(values).map(([name, value]) => {
    const other = beside?.values[name]
    return { name, value, text: quantity(value, unit), note: other === undefined ? '' : `${quantity(other, unit)} ${beside.label}`, title: `${name}: ${quantity(value, unit)}` }
  })

function beside(timings, name) {
  if (name === US || !timings[US]) return ''
  const ratio = medianRatio(timings[US], timings[name])
  return ratio.steady ? times(ratio.value) : 'no ratio'
}

const isOurs = (name, entries) => name.startsWith(US) || !entries.some(({ name }) => name.startsWith(US))

/**
 * A bar for each entry, its spread on it; a blank for who is not there, with the reason.
 *
 * @param {any} row
 */
export function bars(row) {
  const entries = row.values ? gauged(row) : timed(row.timings)
  const scale = scaleOf(entries.flatMap(({ high, low, value }) => [value, low ?? value, high ?? value]))
  const ticks = scale.ticks.map(tick => `<i class="tick" style="left:${share(scale.fraction(tick))}"></i>`).join('')
  const bar = ({ high, low, name, note, text, title, value }) => {
    const from = scale.fraction(low)
    const whisker = low === undefined ? '' : `<i class="spread" style="left:${share(from)};width:${share(scale.fraction(high) - from)}"></i>`
    return `<li class="bar${isOurs(name, entries) ? ' ours' : ''}" title="${escape(title)}"><span class="who">${escape(name)}</span>
<span class="track">${ticks}<b style="width:${share(scale.fraction(value))}"></b>${whisker}</span>
<span class="value">${escape(text)}<small>${escape(note)}</small></span></li>`
  }
  /** @type {Map<string, string[]>} */
  const absent = new Map()
  for (const [name, reason] of Object.entries({ ...row.blanks, ...row.wrong })) {
    if (entries.some(entry => entry.name === name)) continue
    const why = row.wrong?.[name] ? `wrong result, not timed: ${reason}` : reason
    absent.set(why, [...(absent.get(why) ?? []), name])
  }
  const gaps = [...absent].map(([why, names]) => `<li class="bar gap"><span class="who">${escape(names.join(', '))}</span><span class="why">— ${escape(why)}</span></li>`)
  const legend = scale.log ? '<p class="legend">Logarithmic: each line is ten times the one before it.</p>' : ''
  return `<ul class="bars">${entries.map(bar).join('\n')}${gaps.join('\n')}</ul>${legend}`
}
