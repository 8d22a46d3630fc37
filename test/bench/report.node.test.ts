import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { projectRoot, readText } from '../house/sources.ts'
import { command, fromBench, inFolder, result, row, timing, type Result, type Row } from './bench.ts'

interface Promised {
  readonly what: string
  readonly suite: string
  readonly row: string
  readonly says: string
}

const { page } = await fromBench<{ page(results: Map<string, Result>): string }>('html/page.mjs')
const { BUDGETS, judged } = await fromBench<{ BUDGETS: Promised[]; judged(results: Map<string, Result>): { verdict: string; measured: string }[] }>('budgets.mjs')
const { judge } = await fromBench<{ judge(budget: unknown, measured: object): { budget: string; measured: string; verdict: string } }>('verdict.mjs')
const { budgetText, sideText } = await fromBench<{ budgetText(results: Result[]): string; sideText(results: Result[]): string }>('text.mjs')
const { createProgress } = await fromBench<{
  createProgress(stream: object, now: () => number): { show(suite: string, row: string, share: number, at?: number, of?: number): void; clear(): void }
}>('progress.mjs')

const test = suite('report of benchmarks')

const drawn = (rows: readonly Row[], more: object = {}): string => page(new Map([['store', result('store', rows, more)]]))

test('is one file that asks for nothing', () => {
  const html = drawn([row('write', { timings: { patchcord: timing(10), other: timing(20) } })])
  assert.not.match(html, /<script|<img|@import|url\(|(?:src|href)="(?!#|data:)/)
  assert.match(html, 'prefers-color-scheme: dark')
  assert.match(html, 'width=device-width')
})

test('has a bar with its spread for each, and how it compares', () => {
  const html = drawn([row('write', { timings: { patchcord: timing(10_000), other: timing(20_000) } })])
  assert.match(html, /<b style="width:49\.\d+%"><\/b><i class="spread"/)
  assert.match(html, '<span class="value">20 µs<small>2×</small>')
})

test('gives no factor where the spread is too wide', () => {
  const samples = timing(10, 0.9).samples
  const html = drawn([row('write', { timings: { patchcord: { ...timing(10), samples }, other: { ...timing(20), samples: samples.toReversed() } } })])
  assert.match(html, '<small>no ratio</small>')
})

test('shows a blank as a blank, with the reason, and a wrong result as one', () => {
  const html = drawn([row('write', { timings: { patchcord: timing(10) }, blanks: { normalizr: 'cannot write' }, wrong: { apollo: 'lost a row' } })])
  assert.match(html, '<span class="who">normalizr</span><span class="why">— cannot write</span>')
  assert.match(html, '— wrong result, not timed: lost a row')
  assert.match(drawn([row('write', { timings: { patchcord: timing(10) }, blanks: { map: 'joins nothing', spread: 'joins nothing' } })]), '<span class="who">map, spread</span>')
})

test('draws growth with its exponent: of one row, and of rows that differ by a size', () => {
  const flat = row('write, growth', { sizes: { '1k': 1_000, '100k': 100_000 }, timings: { '1k': timing(10), '100k': timing(10) } })
  assert.match(drawn([flat]), 'patchcord <b>size<sup>0.00</sup></b>')
  const falling = row('read, growth', { sizes: { '1k': 1_000, '100k': 100_000 }, timings: { '1k': timing(10), '100k': timing(9.99) } })
  assert.match(drawn([falling]), '<sup>0.00</sup>')
  const family = ['1k', '10k', '100k'].map((size, at) => row(`write in ${size}`, { timings: { patchcord: timing(10), other: timing(10 ** (at + 1)) } }))
  assert.match(drawn(family), 'other <b>size<sup>1.00</sup></b>')
  assert.match(drawn(family), '<h4>write in …</h4>')
})

test('rows go into two columns from left to right, and keep their order where there is room for one', () => {
  const html = drawn(['a', 'b', 'c'].map(name => row(name, { timings: { patchcord: timing(10) } })))
  const [left, right] = /<div class="rows"><div>(.*?)<\/div><div>(.*?)<\/div><\/div>/s.exec(html)?.slice(1) ?? []
  const cards = (column = ''): string[] => [...column.matchAll(/order:(\d)"><h3>(\w)</g)].map(found => `${found[1]}${found[2]}`)
  assert.equal([cards(left), cards(right)], [['0a', '2c'], ['1b']])
})

test('what libraries and files say is text', () => {
  const html = drawn([row('<img src=x>', { timings: { '"><script>': timing(10) } })], { missing: { '<b>': "it's & <gone>" } })
  assert.not.match(html, /<img|<script>/)
  assert.match(html, 'it&#39;s &amp; &lt;gone&gt;')
})

test('a short run, a part of one, and suites without a result are reported', () => {
  const html = drawn([], { effort: 'quick', filter: 'push' })
  assert.match(html, 'to look at, not to quote')
  assert.match(html, 'Only rows with “push” in their names')
  assert.match(html, 'Not measured yet: normalize, view, controller')
})

test('the command writes the newest results and says where', () =>
  inFolder(async folder => {
    assert.is((await command(folder, 'report.mjs')).error, 'There are no results yet. Run npm run bench first.\n')
    const { save } = await fromBench<{ save(result: Result, folder: string): string }>('results.mjs')
    save(result('store', [row('write', { timings: { patchcord: timing(10) } })]), folder)
    const { code, out } = await command(folder, 'report.mjs')
    assert.is(code, 0)
    assert.is(out, `${join(folder, 'report.html')}\n`)
    assert.match(readFileSync(out.trim(), 'utf8'), '<h3>write</h3>')
  }))

/** The budgets of a row, as their verdicts begin. */
async function budgetsOf({ row: name, suite }: Promised): Promise<string[]> {
  if (suite === 'size') {
    const { budgets } = await fromBench<{ budgets: { name: string; limits: unknown[] }[] }>('size.mjs')
    return budgets.find(each => each.name === name)?.limits.map(limit => judge(limit, {}).budget) ?? []
  }
  const { rows } = await fromBench<{ rows: (Row & { budgets: unknown[] })[] }>(`suites/${suite}.mjs`)
  return rows.find(each => each.name === name)?.budgets.map(budget => judge(budget, {}).budget) ?? []
}

test('every budget is a row that judges it, and README says which', async () => {
  const readme = readText(projectRoot, 'bench/README.md')
  for (const promised of BUDGETS) {
    const { row: name, says, suite, what } = promised
    assert.match(readme, `| ${what} | ${says} | ${suite} / ${name} |`)
    // Those of the browser stand in a page, which only a bundler can load.
    if (suite.startsWith('browser-')) assert.match(readText(projectRoot, `bench/browser/${suite.slice(8)}.mjs`), `'${name}'`)
    else assert.ok((await budgetsOf(promised)).some(budget => budget.startsWith(says)), `${suite} / ${name} does not judge "${says}"`)
  }
})

test('a budget without a result is a blank that says how to get one', () => {
  const found = judged(new Map())
  assert.is(found.length, BUDGETS.length)
  assert.ok(found.every(({ verdict }) => verdict === 'blank'))
  assert.is(found[0]?.measured, 'no result: npm run bench -- normalize')
})

test('a run ends with its budgets: figure, budget, met or not', () => {
  const verdict = (says: string, verdict: string): Row['verdicts'][number] => ({ budget: `${says}, min against min`, measured: '2.5×', verdict })
  const first = row('first response', { verdicts: [verdict('≥ 2× faster than data-client', 'pass'), verdict('≤ 70 % of JSON.parse', 'short')] })
  const text = budgetText([result('normalize', [first])])
  assert.match(text, /first response, 2,826 entities +2\.5× +≥ 2× faster than data-client +met/)
  assert.match(text, /first response, beside parsing +2\.5× +≤ 70 % of JSON\.parse +MISSED/)
  assert.not.match(text, 'same response again')
  assert.is(budgetText([result('store', [row('write', {})])]), '')
})

test('with the release of before, both versions stand side by side', () => {
  const text = sideText([result('normalize', [row('first response', { timings: { patchcord: timing(10_000, 0), '0.1.0': timing(20_000, 0) } })])])
  assert.match(text, /patchcord +0\.1\.0 +data-client +JSON\.parse +new \/ old/)
  assert.match(text, /first response +10 µs ±0 % +20 µs ±0 % +— +— +50 %/)
})

test('a verdict is short, passed, too noisy to say, or blank', () => {
  const budget = { kind: 'faster', who: 'a', than: 'b', atLeast: 2 }
  const verdict = (timings: object): string => judge(budget, { timings }).verdict
  assert.is(verdict({ a: timing(10), b: timing(30) }), 'pass')
  assert.is(verdict({ a: timing(10), b: timing(15) }), 'short')
  assert.is(verdict({ a: timing(10) }), 'blank')
  const wide = { ...timing(20), samples: timing(20, 0.9).samples }
  assert.is(verdict({ a: timing(10), b: wide }), 'noisy')
  assert.is(judge({ kind: 'value', who: 'a', atMost: 17_000, unit: 'B', as: 'the contract' }, { values: { a: 61_069 } }).measured, '61.1 kB')
})

test('a ratio is of the rounds that both took part in', () => {
  const budget = { kind: 'faster', who: 'a', than: 'b', atLeast: 2 }
  const slow = { ...timing(30), samples: timing(30).samples.slice(0, 5) }
  assert.match(judge(budget, { timings: { a: timing(10), b: slow } }).measured, /^3× \(3\.00× to 3\.00×\)$/)
  assert.is(judge(budget, { timings: { a: slow, b: timing(90) } }).verdict, 'pass')
})

test('progress is one line that is written over, or where nobody watches one line a row', () => {
  const written: string[] = []
  const write = (text: string): void => void written.push(text)
  let now = 0
  const log = createProgress({ write }, () => now)
  log.show('store', 'push', 0, 0, 2)
  log.show('store', 'push', 0.5, 0, 2)
  now = 61_000
  log.show('store', 'pop', 0, 1, 2)
  log.clear()
  assert.equal(written.splice(0), ['0:00 store 1/2: push\n', '1:01 store 2/2: pop\n'])
  const terminal = createProgress({ write, isTTY: true, columns: 40 }, () => 0)
  terminal.show('store', 'push', 0.5, 0, 2)
  assert.equal(written, ['\r\u001B[2K0:00 ██████████░░░░░░░░░░ store 1/2: pu'])
})

test('a suite or a filter that finds nothing is an error with the list', () =>
  inFolder(async folder => {
    const suite = await command(folder, 'run.mjs', 'nonsense')
    assert.is(suite.code, 2)
    assert.match(suite.error, /There is no suite "nonsense"\.[^]*normalize, view, store, controller, order, layers, start, memory, size, browser/)
    const filter = await command(folder, 'run.mjs', 'size', 'nonsense')
    assert.is(filter.code, 2)
    assert.match(filter.error, /No row has "nonsense" in its name\. There are:\n {2}size +app with Solid/)
  }))

test.run()
