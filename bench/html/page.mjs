import { readFileSync } from 'node:fs'
import { judged } from '../budgets.mjs'
import { bytes, duration, number, percent, range } from '../format.mjs'
import { medianRatio } from '../ratio.mjs'
import { bars } from './bars.mjs'
import { curve, families } from './curve.mjs'
import { escape } from './escape.mjs'

/** @import { Result } from '../results.mjs' */

const style = readFileSync(new URL('./style.css', import.meta.url), 'utf8')
const ORDER = ['normalize', 'view', 'store', 'controller', 'order', 'layers', 'start', 'memory', 'size', 'browser-solid', 'browser-preact']
const ABOUT = {
  normalize: 'A response becomes patches, and the patches a state.',
  view: 'What is read: the first time, again, and after a change.',
  store: 'One write into tables of every size.',
  controller: 'The same through the verbs of an application.',
  order: 'Late responses, and responses beneath pending calls.',
  start: 'A fresh process: load, first response, first view.',
  layers: 'Calls that are under way, and steps that can be undone.',
  memory: 'What entities cost that nobody reads.',
  size: 'What an import weighs: gzipped, dependencies included, frameworks not.',
  'browser-solid': 'Lists on a page, drawn by Solid.',
  'browser-preact': 'Lists on a page, drawn by Preact.',
}
const US = 'patchcord'
const WORD = { pass: 'pass', short: 'short', noisy: 'too noisy', blank: 'blank' }

const day = date => `${date.slice(0, 10)} ${date.slice(11, 16)}`
const chip = verdict => `<span class="chip ${verdict}">${WORD[verdict]}</span>`

const verdictList = verdicts =>
  verdicts.length === 0 ? '' : `<ul class="verdicts">${verdicts.map(({ budget, measured, verdict }) => `<li>${chip(verdict)}<span>${escape(budget)} <b>${escape(measured)}</b></span></li>`).join('')}</ul>`

/** The exact numbers, for who wants them. */
function numbers({ counts, note, timings, verdicts }) {
  const isJudged = name => verdicts.some(({ budget }) => budget.endsWith(` ${name}`))
  const legend = note ? `<p class="legend">${escape(note)}</p>` : ''
  const counted = Object.entries(counts ?? {}).filter(([name]) => !isJudged(name))
  const table = `${timingTable(timings ?? {})}${counted.length > 0 ? `<ul class="counts">${counted.map(([name, count]) => `<li><span>${escape(name)}</span><b>${number(count)}</b></li>`).join('')}</ul>` : ''}`
  return table ? `${legend}<details><summary>Numbers</summary>${table}</details>` : legend
}

function timingTable(timings) {
  if (Object.keys(timings).length === 0) return ''
  const ours = Object.keys(timings).length > 1 ? timings[US] : undefined
  const lines = Object.entries(timings).map(
    ([name, { allocated, median, min, samples, spread }]) =>
      `<tr><th scope="row">${escape(name)}</th><td>${duration(median)}</td><td>${duration(min)}</td><td>${percent(spread)}</td><td>${allocated === undefined ? '—' : bytes(allocated)}</td><td>${samples.length}</td>${ours ? `<td>${name === US ? '' : range(medianRatio(ours, timings[name]))}</td>` : ''}</tr>`,
  )
  return `<div class="scroll"><table><thead><tr><th></th><th>median</th><th>min</th><th>spread</th><th>allocates</th><th>samples</th>${ours ? `<th>× ${US}</th>` : ''}</tr></thead><tbody>${lines.join('')}</tbody></table></div>`
}

function card(row, family, order) {
  const grown = row.sizes && Object.keys(row.sizes).filter(name => row.timings?.[name])
  const own = grown?.length > 1 ? curve({ patchcord: grown.map(name => [row.sizes[name], row.timings[name]]) }) : ''
  const shared = family ? `<h4>${escape(family.title)}</h4>${curve(family.series)}` : ''
  const nothing = row.values || Object.keys(row.timings ?? {}).length > 0 || Object.keys(row.blanks ?? {}).length > 0
  return `<article style="order:${order}"><h3>${escape(row.name)}</h3><p>${escape(row.about)}</p>${nothing ? bars(row) : '<p class="legend">Nothing was measured.</p>'}${own}${shared}${verdictList(row.verdicts)}${numbers(row)}</article>`
}

/** About how high a card is, in bars. */
const heightOf = ({ blanks, sizes, timings, values, verdicts }, family) =>
  5 + Object.keys({ ...timings, ...values, ...blanks }).length + verdicts.length + (sizes ? 12 : 0) + (family ? 14 : 0)

/** Two columns: each row goes below the shorter one, so that they are read from left to right and none ends long before the other. */
function columns(rows) {
  const drawn = families(rows)
  const both = [{ height: 0, cards: '' }, { height: 0, cards: '' }]
  for (const [order, row] of rows.entries()) {
    const family = drawn.get(row.name)
    const column = both[0].height <= both[1].height ? both[0] : both[1]
    column.height += heightOf(row, family)
    column.cards += card(row, family, order)
  }
  return both.map(({ cards }) => `<div>${cards}</div>`).join('')
}

/** @param {Result & { browser?: string, loaded?: string }} result */
function section(result) {
  const { cores, cpu, load, memoryGB, node, platform } = result.machine
  const where = [day(result.date), result.browser ? `Chromium ${result.browser}` : `Node ${node}`, `${cores} × ${cpu}`, memoryGB && `${memoryGB} GB`, platform, `load ${load}`, result.loaded]
  const versions = Object.entries(result.versions ?? {}).map(([name, version]) => `${escape(name)}&nbsp;${escape(version)}`).join(', ')
  const missing = Object.entries(result.missing ?? {}).map(([name, reason]) => `<li>${escape(name)} is blank in every row: ${escape(reason)}</li>`).join('')
  const remarks = [
    result.effort === 'quick' ? 'A short run: to look at, not to quote.' : '',
    result.filter ? `Only rows with “${result.filter}” in their names.` : '',
  ].filter(Boolean)
  return `<section id="${escape(result.suite)}"><h2>${escape(result.suite.replace('-', ', '))}</h2><p class="lead">${escape(ABOUT[result.suite] ?? '')}</p>
${remarks.map(remark => `<p class="remark">${escape(remark)}</p>`).join('')}
<div class="rows">${columns(result.rows)}</div>
<p class="where">${where.filter(Boolean).map(escape).join(' · ')}<br>${versions}</p>${missing ? `<ul class="where">${missing}</ul>` : ''}</section>`
}

function promises(results) {
  const lines = judged(results).map(
    ({ budget, measured, row, suite, verdict, what }) =>
      `<tr><td>${chip(verdict)}</td><th scope="row">${escape(what)}<small><a href="#${escape(suite)}">${escape(suite)}</a> / ${escape(row)}</small></th><td>${escape(budget)}</td><td>${escape(measured)}</td></tr>`,
  )
  return `<section id="budgets"><h2>Budgets</h2><p class="lead">What the library has to reach, and what was measured.</p><div class="card scroll"><table class="budgets"><thead><tr><th></th><th>what</th><th>budget</th><th>measured</th></tr></thead><tbody>${lines.join('')}</tbody></table></div></section>`
}

function tiles(all) {
  const verdicts = all.flatMap(({ rows }) => rows.flatMap(({ verdicts }) => verdicts))
  const tile = kind => `<li class="${kind}"><b>${verdicts.filter(({ verdict }) => verdict === kind).length}</b>${WORD[kind]}</li>`
  return `<ul class="tiles">${Object.keys(WORD).map(tile).join('')}</ul>`
}

/**
 * The whole report, in one file that needs nothing else.
 *
 * @param {Map<string, Result>} results by suite
 */
export function page(results) {
  const rank = ({ suite }) => (ORDER.includes(suite) ? ORDER.indexOf(suite) : ORDER.length)
  const all = [...results.values()].sort((a, b) => rank(a) - rank(b))
  const dates = all.map(({ date }) => day(date)).sort()
  const absent = ORDER.filter(suite => !results.has(suite))
  const links = ['budgets', ...all.map(({ suite }) => suite)].map(name => `<a href="#${escape(name)}">${escape(name.replace('browser-', ''))}</a>`)
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><link rel="icon" href="data:,"><title>patchcord benchmarks</title>
<style>${style}</style></head><body>
<header><h1>patchcord <span>benchmarks</span></h1><p>${escape(dates[0] === dates.at(-1) ? dates[0] : `${dates[0]} to ${dates.at(-1)}`)}</p>${tiles(all)}</header>
<nav>${links.join('')}</nav>
<main>${promises(results)}
${all.map(section).join('\n')}
${absent.length > 0 ? `<p class="remark">Not measured yet: ${absent.map(escape).join(', ')}. Run <code>npm run bench</code>.</p>` : ''}
<footer>A bar is the median; the line on it spans the middle half of the samples. A factor beside a value is how many times the time of patchcord it is, from samples taken in turn; where the machine was too restless for that, no factor is given. size<sup>0</sup> is flat, size<sup>1</sup> linear.</footer></main></body></html>
`
}
