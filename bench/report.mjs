import { medianRatio } from './compare.mjs'
import { bytes, duration, number, percent, range, times } from './format.mjs'

const MARK = { pass: '✓', short: '✗', noisy: '?', blank: '·' }
const US = 'patchcord'

/** Columns as wide as their widest cell; the first to the left, the others to the right. */
function align(lines) {
  const widths = []
  for (const line of lines) line.forEach((cell, at) => (widths[at] = Math.max(widths[at] ?? 0, cell.length)))
  return lines.map(line => line.map((cell, at) => (at === 0 || at === line.length - 1 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))).join('   ').trimEnd())
}

/** How an entry stands to ours in the same run, or why that cannot be said. */
function beside(timings, name) {
  if (name === US || !timings[US]) return ''
  const ratio = medianRatio(timings[US], timings[name])
  if (!ratio.steady) return `no ratio: spread too wide (${range(ratio)})`
  return `${times(ratio.value)} the time of ${US} (${range(ratio)})`
}

const timed = ({ timings }) =>
  Object.entries(timings).map(([name, { allocated, median, min, spread }]) => [
    name,
    duration(median),
    `min ${duration(min)}`,
    `spread ${percent(spread)}`,
    allocated === undefined ? '' : `allocates ${bytes(allocated)}`,
    beside(timings, name),
  ])

const gauged = ({ unit, values }) => Object.entries(values).map(([name, value]) => [name, `${number(value)} ${unit}`, ''])

/**
 * A finished row as lines of text.
 *
 * @param {any} row
 */
export function rowText(row) {
  const lines = row.values ? gauged(row) : timed(row)
  const out = [`\n${row.name}`, `  ${row.about}`, ...align(lines).map(line => `    ${line}`)]
  for (const [name, reason] of Object.entries(row.wrong ?? {})) out.push(`    ${name}: WRONG RESULT, not timed: ${reason}`)
  if (row.note) out.push(`    ${row.note}`)
  if (row.exponent !== undefined) out.push(`    grows as size^${row.exponent.toFixed(2)}`)
  for (const { budget, measured, verdict } of row.verdicts) out.push(`  ${MARK[verdict]} ${verdict.padEnd(5)} ${budget}: ${measured}`)
  return out.join('\n')
}

/** The last lines: every verdict counted, those that are not passed by name. */
export function summaryText(results) {
  const all = results.flatMap(({ rows, suite }) => rows.flatMap(({ name, verdicts }) => verdicts.map(verdict => ({ ...verdict, where: `${suite} / ${name}` }))))
  const of = kind => all.filter(({ verdict }) => verdict === kind)
  const out = [`\n${of('pass').length} passed, ${of('short').length} short, ${of('noisy').length} too noisy to say, ${of('blank').length} not measured`]
  for (const { budget, measured, verdict, where } of [...of('short'), ...of('noisy')]) out.push(`  ${MARK[verdict]} ${where}: ${budget}: ${measured}`)
  return out.join('\n')
}

/** One line that is written over; nothing where nobody watches. */
export function progressLine(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2K${text}`)
}
