import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { projectRoot, readText } from '../house/sources.ts'
import { command, fromBench, inFolder, result, row, timed, timing, type Result, type Row } from './bench.ts'

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

const draw = (rows: readonly Row[], more: object = {}): string => page(new Map([['store', result('store', rows, more)]]))
const write = (more: Partial<Row>): string => draw([timed('write', { patchcord: 10 }, more)])
const growth = (from: number, to: number): string => draw([timed('growth', { '1k': from, '100k': to }, { sizes: { '1k': 1_000, '100k': 100_000 } })])
const family = ['1k', '10k', '100k'].map((size, at) => timed(`write in ${size}`, { patchcord: 10, other: 10 ** (at + 1) }))
const wide = timing(10, 0.9).samples
const pair = draw([timed('write', { patchcord: 10_000, other: 20_000 })])
const wideTimings = { patchcord: { ...timing(10), samples: wide }, other: { ...timing(20), samples: wide.toReversed() } }
const noLinks = /^(?!.*(<script|<img|@import|url\(|(src|href)="(?!#|data:)))/s
const hostile = draw([timed('<img src=x>', { '"><script>': 10 })], { missing: { '<b>': "it's & <gone>" } })

for (const [title, html, ...parts] of [
  ['is one file that asks for nothing', pair, 'prefers-color-scheme: dark', 'width=device-width', noLinks],
  ['has a bar with its spread for each, and how it compares', pair, /<b style="width:49\.\d+%"><\/b><i class="spread"/, '>20 µs<small>2×</small>'],
  ['gives no factor where the spread is too wide', draw([row('write', { timings: wideTimings })]), '<small>no ratio</small>'],
  ['shows a blank as a blank, with the reason', write({ blanks: { map: 'cannot write' } }), '>map</span><span class="why">— cannot write</span>'],
  ['shows blanks with one reason on one line', write({ blanks: { map: 'cannot', spread: 'cannot' } }), '<span class="who">map, spread</span>'],
  ['shows a wrong result as one', write({ wrong: { apollo: 'lost a row' } }), '— wrong result, not timed: lost a row'],
  ['draws growth with its exponent', growth(10, 10), 'patchcord <b>size<sup>0.00</sup></b>'],
  ['draws less than no growth as none', growth(10, 9.99), '<sup>0.00</sup>'],
  ['draws growth of rows that differ by a size', draw(family), 'other <b>size<sup>1.00</sup></b>', '<h4>write in …</h4>'],
  ['what libraries and files say is text', hostile, /^(?!.*(<img|<script>))/s, 'it&#39;s &amp; &lt;gone&gt;'],
  ['reports a short run', draw([], { effort: 'quick' }), 'to look at, not to quote'],
  ['reports a part of a run', draw([], { filter: 'push' }), 'Only rows with “push” in their names'],
  ['reports suites without a result', draw([]), 'Not measured yet: normalize, view, controller'],
] as const) {
  test(title, () => {
    for (const part of parts) assert.match(html, part as string)
  })
}

test('rows go into two columns from left to right, and keep their order where there is room for one', () => {
  const html = draw(['a', 'b', 'c'].map(name => timed(name, { patchcord: 10 })))
  const columns = /<div class="rows"><div>(.*?)<\/div><div>(.*?)<\/div><\/div>/s.exec(html)?.slice(1) ?? []
  const cards = columns.map(column => [...column.matchAll(/order:(\d)"><h3>(\w)</g)].map(([, order, name]) => `${order}${name}`))
  assert.equal(cards, [['0a', '2c'], ['1b']])
})

test('the command writes the newest results and says where', () =>
  inFolder(async folder => {
    assert.is(command(folder, 'report.mjs').error, 'There are no results yet. Run npm run bench first.\n')
    const { save } = await fromBench<{ save(result: Result, folder: string): string }>('results.mjs')
    save(result('store', [timed('write', { patchcord: 10 })]), folder)
    assert.equal(command(folder, 'report.mjs'), { code: 0, out: `${join(folder, 'report.html')}\n`, error: '' })
    assert.match(readFileSync(join(folder, 'report.html'), 'utf8'), '<h3>write</h3>')
  }))

/** The budgets of a row, as their verdicts begin. */
async function budgetsOf({ row: name, suite }: Promised): Promise<string[]> {
  type Limited = { readonly name: string; readonly limits?: unknown[]; readonly budgets?: unknown[] }
  const file = suite === 'size' ? 'size.mjs' : `suites/${suite}.mjs`
  const { budgets, rows = budgets } = await fromBench<{ budgets?: Limited[]; rows?: Limited[] }>(file)
  const found = rows?.find(each => each.name === name)
  return (found?.limits ?? found?.budgets ?? []).map(limit => judge(limit, {}).budget)
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
  assert.equal(found.map(({ verdict }) => verdict), BUDGETS.map(() => 'blank'))
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

const twice = { kind: 'faster', who: 'a', than: 'b', atLeast: 2 }
const noisy = { ...timing(20), samples: timing(20, 0.9).samples }
const slow = { ...timing(30), samples: timing(30).samples.slice(0, 5) }
for (const [title, budget, measured, expected] of [
  ['a ratio that reaches its budget passes', twice, { timings: { a: timing(10), b: timing(30) } }, { verdict: 'pass' }],
  ['a ratio below its budget is short', twice, { timings: { a: timing(10), b: timing(15) } }, { verdict: 'short' }],
  ['without a timing there is no verdict', twice, { timings: { a: timing(10) } }, { verdict: 'blank' }],
  ['a spread too wide to say is noisy', twice, { timings: { a: timing(10), b: noisy } }, { verdict: 'noisy' }],
  ['a ratio is of the rounds that both took part in', twice, { timings: { a: timing(10), b: slow } }, { measured: '3× (3.00× to 3.00×)' }],
  ['a ratio is of the rounds of who has fewer', twice, { timings: { a: slow, b: timing(90) } }, { verdict: 'pass' }],
  ['a value has its unit', { kind: 'value', who: 'a', atMost: 17_000, unit: 'B' }, { values: { a: 61_069 } }, { measured: '61.1 kB' }],
] as const) {
  test(title, () => {
    const found = judge(budget, measured)
    assert.equal({ ...found, ...expected }, found)
  })
}

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
  createProgress({ write, isTTY: true, columns: 40 }, () => 0).show('store', 'push', 0.5, 0, 2)
  assert.equal(written, ['\r\u001B[2K0:00 ██████████░░░░░░░░░░ store 1/2: pu'])
})

test('a suite or a filter that finds nothing is an error with the list', () =>
  inFolder(folder => {
    for (const [args, message] of [
      [['nonsense'], /There is no suite "nonsense"\.[^]*normalize, view, store, controller, order, layers, start, memory, size, browser/],
      [['size', 'nonsense'], /No row has "nonsense" in its name\. There are:\n {2}size +app with Solid/],
    ] as const) {
      const { code, error } = command(folder, 'run.mjs', ...args)
      assert.is(code, 2)
      assert.match(error, message)
    }
  }))

test.run()
