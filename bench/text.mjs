import { OLD } from './contenders/index.mjs'
import { judged } from './budgets.mjs'
import { medianRatio } from './ratio.mjs'
import { bytes, duration, percent, power, quantity, range, times } from './format.mjs'

const MARK = { pass: '✓', short: '✗', noisy: '?', blank: '·' }
const US = 'patchcord'

/** Columns as wide as their widest cell; the first to the left, the others to the right. */
export function align(lines) {
  const widths = []
  for (const line of lines) line.forEach((cell, at) => (widths[at] = Math.max(widths[at] ?? 0, cell.length)))
  return lines.map(line => line.map((cell, at) => (at === 0 || at === line.length - 1 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))).join('   ').trimEnd())
}

/** How an entry stands to ours in the same run, or why that is unknown. */
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

const gauged = ({ beside, unit, values }) =>
  Object.entries(values).map(([name, value]) => [name, quantity(value, unit), beside?.values[name] === undefined ? '' : `${beside.label} ${quantity(beside.values[name], unit)}`, ''])

/** Who is not in the row, and the reason: what cannot be done is not a zero. */
const blank = ({ blanks, values, timings, wrong }) =>
  Object.entries(blanks ?? {})
    .filter(([name]) => (values ?? timings)[name] === undefined && !wrong?.[name])
    .map(([name, reason]) => `    ${name}: — ${reason}`)

/**
 * A finished row as lines of text.
 *
 * @param {any} row
 */
export function rowText(row) {
  const lines = row.values ? gauged(row) : timed(row)
  const out = [`\n${row.name}`, `  ${row.about}`, ...align(lines).map(line => `    ${line}`)]
  out.push(...blank(row))
  for (const [name, reason] of Object.entries(row.wrong ?? {})) out.push(`    ${name}: WRONG RESULT, not timed: ${reason}`)
  if (row.note) out.push(`    ${row.note}`)
  if (row.exponent !== undefined) out.push(`    grows as size^${power(row.exponent)}`)
  for (const { budget, measured, verdict } of row.verdicts) out.push(`  ${MARK[verdict]} ${verdict.padEnd(5)} ${budget}: ${measured}`)
  return out.join('\n')
}

/**
 * The minima of all rows side by side, each with its spread, and how 0.1.0 stands to this version.
 *
 * @param {readonly any[]} results
 */
export function sideText(results) {
  const rows = results.flatMap(({ rows }) => rows)
  const columns = [US, OLD, 'data-client', 'JSON.parse']
  const lines = rows.flatMap(({ name, timings, unit, values }) => {
    const cell = who => {
      if (values) return values[who] === undefined ? '—' : quantity(values[who], unit)
      return timings[who] ? `${duration(timings[who].min)} ±${percent(timings[who].spread)}` : '—'
    }
    const least = who => values?.[who] ?? timings?.[who]?.min
    const line = (label, suffix) => [label, ...columns.map(who => cell(`${who}${suffix}`)), least(US + suffix) && least(OLD + suffix) ? percent(least(US + suffix) / least(OLD + suffix)) : '']
    const hasPure = Object.keys(timings ?? {}).some(who => who.endsWith(', pure'))
    return [line(name, ''), ...(hasPure ? [line('  by pure functions', ', pure')] : [])]
  })
  return ['\nminimum and spread', ...align([['', ...columns, 'new / old'], ...lines]).map(line => `  ${line}`)].join('\n')
}

/** The last lines: every verdict counted, those that are not passed by name. */
export function summaryText(results) {
  const all = results.flatMap(({ rows, suite }) => rows.flatMap(({ name, verdicts }) => verdicts.map(verdict => ({ ...verdict, where: `${suite} / ${name}` }))))
  const of = kind => all.filter(({ verdict }) => verdict === kind)
  const out = [`\n${of('pass').length} passed, ${of('short').length} short, ${of('noisy').length} too noisy to say, ${of('blank').length} not measured`]
  for (const { budget, measured, verdict, where } of [...of('short'), ...of('noisy')]) out.push(`  ${MARK[verdict]} ${where}: ${budget}: ${measured}`)
  return out.join('\n')
}

const MET = { pass: 'met', short: 'MISSED', noisy: 'too noisy to say', blank: 'not measured' }

/**
 * The budgets that these results are about: row, figure, budget, and whether it is met.
 *
 * @param {readonly import('./results.mjs').Result[]} results
 */
export function budgetText(results) {
  const suites = new Map(results.map(result => [result.suite, result]))
  const all = judged(suites).filter(({ row, suite }) => suites.get(suite)?.rows.some(({ name }) => name === row))
  if (all.length === 0) return ''
  return ['\nbudgets', ...align(all.map(({ measured, says, verdict, what }) => [what, measured, says, MET[verdict]])).map(line => `  ${line}`)].join('\n')
}

/** What was measured with what, and who is not there. */
export function headingText({ browser, environment, loaded, machine: { cores, cpu, load, node }, missing = {}, versions = {} }) {
  const where = browser ? `Chromium ${browser}` : environment ? `NODE_ENV=${environment} for all, ${loaded}; Node ${node}` : `Node ${node}`
  const lines = [`${where}, ${cores} × ${cpu}, load ${load}`, Object.entries(versions).map(([name, version]) => `${name} ${version}`).join(', ')]
  for (const [name, reason] of Object.entries(missing)) lines.push(`${name} is left blank: ${reason}`)
  return lines.filter(Boolean).join('\n')
}

const KIND = { none: '=', less: '↓', more: '↑' }

/**
 * What changed between two results.
 *
 * @param {string} a
 * @param {string} b
 * @param {ReturnType<typeof import('./differences.mjs').differences>} changes
 */
export function compareText(a, b, { drift, found, remarks, verdicts }) {
  const out = [`A  ${a}`, `B  ${b}`, ...remarks.map(remark => `   ${remark}`)]
  if (drift !== undefined) out.push(`The others took ${times(drift)} the time in B: that much is the machine, not the library.`)
  const amount = (value, unit) => (unit === undefined ? duration(value) : quantity(value, unit).trim())
  const both = found.filter(({ change }) => change !== undefined)
  for (const row of new Set(both.map(({ row }) => row))) {
    const lines = both
      .filter(each => each.row === row)
      .map(({ change, entry, from, kind, to, unit, why }) => [
        entry,
        amount(from, unit),
        '→',
        amount(to, unit),
        `${KIND[kind]} ${kind === 'none' ? `no difference: ${why}` : Number.isFinite(change) ? `${times(change)}` : 'from nothing'}`,
      ])
    out.push(`\n${row}`, ...align(lines).map(line => `    ${line}`))
  }
  for (const kind of ['only in A', 'only in B']) {
    const lines = found.filter(each => each.kind === kind).map(({ entry, row }) => `    ${row}${entry ? ` / ${entry}` : ''}`)
    if (lines.length > 0) out.push(`\n${kind}`, ...lines)
  }
  if (verdicts.length > 0) out.push('\nverdicts', ...verdicts.map(({ budget, from, row, to }) => `    ${row}: ${budget}: ${from} → ${to}`))
  const of = kind => both.filter(each => each.kind === kind).length
  out.push(`\n${of('less')} less, ${of('more')} more, ${of('none')} without a difference`)
  return out.join('\n')
}
