import { duration, power } from '../format.mjs'
import { growthExponent } from '../statistics.mjs'
import { escape } from './escape.mjs'

const WIDTH = 380
const HEIGHT = 230
const EDGE = { left: 58, right: 12, top: 12, bottom: 30 }
/** One look for each series; ours comes first. */
const LOOKS = 8

const SIZE = /(\d+(?:\.\d+)?)\s?([kM]?)\b/
const UNITS = { k: 1_000, M: 1_000_000, '': 1 }

/** 1000 → 1k */
const short = size => (size >= 1e6 ? `${size / 1e6}M` : size >= 1e3 ? `${size / 1e3}k` : String(size))

/**
 * Rows that differ by a size in their names and by nothing else belong in one drawing: `new entity in 1k`, `… in 10k`.
 *
 * @param {any[]} rows
 * @returns {Map<string, { title: string, series: Record<string, [size: number, timing: any][]> }>} by the name of the last of them
 */
export function families(rows) {
  const found = new Map()
  for (const row of rows) {
    const parts = SIZE.exec(row.name)
    if (!parts || !row.timings || row.sizes) continue
    const family = row.name.replace(parts[0], '…')
    if (!found.has(family)) found.set(family, [])
    found.get(family).push({ row, size: Number(parts[1]) * UNITS[parts[2]] })
  }
  const drawn = new Map()
  for (const [title, members] of found) {
    if (new Set(members.map(({ size }) => size)).size < 2) continue
    const series = {}
    for (const { row, size } of members.sort((a, b) => a.size - b.size)) {
      for (const [name, timing] of Object.entries(row.timings)) (series[name] ??= []).push([size, timing])
    }
    const several = Object.entries(series).filter(([, points]) => points.length > 1)
    if (several.length > 0) drawn.set(rows.findLast(row => members.some(member => member.row === row)).name, { title, series: Object.fromEntries(several) })
  }
  return drawn
}

/**
 * Cost over size in the log-log plane, where a power is a straight line, with its exponent.
 *
 * @param {Record<string, [size: number, timing: { median: number, samples: number[] }][]>} series
 */
export function curve(series) {
  const points = Object.values(series).flat()
  const sizes = [...new Set(points.map(([size]) => size))].sort((a, b) => a - b)
  const costs = points.map(([, { median }]) => median)
  const [left, right] = [Math.log10(sizes[0]), Math.log10(sizes.at(-1))]
  // At least two powers high: a flat line should look flat, and not be stretched until its noise fills the drawing.
  const low = Math.floor(Math.log10(Math.min(...costs)))
  const high = Math.max(low + 2, Math.ceil(Math.log10(Math.max(...costs)) + 0.05))
  const x = size => EDGE.left + ((Math.log10(size) - left) / (right - left)) * (WIDTH - EDGE.left - EDGE.right)
  const y = cost => HEIGHT - EDGE.bottom - ((Math.log10(cost) - low) / (high - low)) * (HEIGHT - EDGE.top - EDGE.bottom)
  const step = Math.ceil((high - low) / 5)
  const decades = Array.from({ length: Math.floor((high - low) / step) + 1 }, (_, at) => 10 ** (low + at * step))

  const grid = [
    ...decades.map(cost => `<path class="grid" d="M${EDGE.left} ${y(cost).toFixed(1)}H${WIDTH - EDGE.right}"/><text x="${EDGE.left - 6}" y="${(y(cost) + 4).toFixed(1)}" text-anchor="end">${escape(duration(cost))}</text>`),
    ...sizes.map(size => `<path class="grid" d="M${x(size).toFixed(1)} ${EDGE.top}V${HEIGHT - EDGE.bottom}"/><text x="${x(size).toFixed(1)}" y="${HEIGHT - 10}" text-anchor="${size === sizes[0] ? 'start' : size === sizes.at(-1) ? 'end' : 'middle'}">${short(size)}</text>`),
  ]
  const names = Object.keys(series)
  const lines = names.map((name, at) => {
    const line = series[name].map(([size, { median }]) => `${x(size).toFixed(1)} ${y(median).toFixed(1)}`).join('L')
    const dots = series[name].map(([size, { median }]) => `<circle cx="${x(size).toFixed(1)}" cy="${y(median).toFixed(1)}" r="3.5"><title>${escape(name)}, ${short(size)}: ${escape(duration(median))}</title></circle>`)
    return `<g class="look${at % LOOKS}"><path class="line" d="M${line}"/>${dots.join('')}</g>`
  })
  const legend = names.map((name, at) => {
    const exponent = growthExponent(series[name].map(([size, { median }]) => [size, median]))
    return `<li class="look${at % LOOKS}"><i></i>${escape(name)} <b>size<sup>${power(exponent)}</sup></b></li>`
  })
  const label = names.map(name => `${name} from ${duration(series[name][0][1].median)} to ${duration(series[name].at(-1)[1].median)}`).join(', ')
  return `<figure class="curve"><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escape(`Cost over size: ${label}`)}">${grid.join('')}${lines.reverse().join('')}</svg><figcaption><ul>${legend.join('')}</ul></figcaption></figure>`
}
