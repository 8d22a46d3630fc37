import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { command, fromBench, inFolder, result, row, timed, timing, type Result } from './bench.ts'

interface Difference {
  readonly row: string
  readonly entry: string
  readonly kind: string
  readonly why?: string
  readonly change?: number
}

const { differences } = await fromBench<{
  differences(a: Result, b: Result): { found: Difference[]; verdicts: unknown[]; drift: number | undefined; remarks: string[] }
}>('differences.mjs')
const { list, load, newest, save } = await fromBench<{
  list(folder: string): { suite: string }[]
  load(file: string): Result
  newest(folder: string): Map<string, Result>
  save(result: Result, folder: string): string
}>('results.mjs')

const test = suite('results of benchmarks')

const one = (median: number, spread?: number): Result => result('store', [row('write', { timings: { patchcord: timing(median, spread) } })])
const core = (patches: number, size: number): Result => result('size', [row('core', { unit: 'B', values: { patchcord: size }, counts: { patches } })])

for (const [title, a, b, expected] of [
  ['a difference inside the spread is none', one(100, 0.5), one(115, 0.5), ['write/patchcord none']],
  ['the same difference on a quiet machine is one', one(100, 0.02), one(115, 0.02), ['write/patchcord more']],
  ['and so it is the other way round', one(115, 0.02), one(100, 0.02), ['write/patchcord less']],
  ['less than three in a hundred is none, however quiet the machine', one(100, 0.0001), one(102, 0.0001), ['write/patchcord none']],
  ['equal counts and sizes are no difference', core(1, 50_000), core(1, 50_000), ['core/patchcord none', 'core/patches none']],
  ['counts and sizes are exact', core(1, 50_000), core(2, 50_001), ['core/patchcord more', 'core/patches more']],
  [
    'rows and contenders that only one result has are named',
    result('store', [timed('gone', {}), timed('both', { patchcord: 1, old: 1 })]),
    result('store', [timed('both', { patchcord: 1, next: 1 }), timed('new', {})]),
    ['gone/ only in A', 'both/patchcord none', 'both/old only in A', 'both/next only in B', 'new/ only in B'],
  ],
] as const) {
  test(title, () => {
    assert.equal(differences(a, b).found.map(({ entry, kind, row }) => `${row}/${entry} ${kind}`), expected)
  })
}

test('a difference says why it is none, and how much it is', () => {
  assert.is(differences(one(100, 0.5), one(115, 0.5)).found[0]?.why, 'inside the spread')
  assert.is(differences(core(0, 1), core(2, 1)).found[1]?.change, Infinity)
})

test('what changed for the others is reported as the machine', () => {
  const of = (patchcord: number, other: number): Result => result('store', [timed('write', { patchcord, 'data-client': other })])
  assert.equal([differences(of(10, 100), of(12, 120)).drift, differences(one(1), one(2)).drift], [1.2, undefined])
})

test('another verdict, another machine and another version are reported', () => {
  const of = (verdict: string, more: object): Result => result('store', [row('write', { verdicts: [{ budget: '≤ 1', measured: '', verdict }] })], more)
  const { remarks, verdicts } = differences(of('pass', { versions: { normalizr: '3.6.1' } }), of('short', { effort: 'quick', versions: { normalizr: '3.6.2' } }))
  assert.equal(remarks, ['effort: full → quick', 'normalizr: 3.6.1 → 3.6.2'])
  assert.equal(differences(of('pass', {}), of('pass', { method: 'a process each' })).remarks, ['measured: in one process → a process each'])
  assert.equal(verdicts, [{ row: 'write', budget: '≤ 1', from: 'pass', to: 'short' }])
})

test('the newest of each suite is taken; one that was short or of some rows only where there is no other', () =>
  inFolder(folder => {
    for (const [day, more] of [{}, {}, { filter: 'push' }, { effort: 'quick' }].entries()) {
      save(result('store', [], { date: `2026-01-0${day + 1}T00:00:00.000Z`, ...more }), folder)
    }
    save(result('view', [], { filter: 'first' }), folder)
    save(result('knob-pages', []), folder)
    assert.is(list(folder).length, 6)
    const found = newest(folder)
    assert.equal([[...found.keys()].sort(), found.get('store')?.date], [['store', 'view'], '2026-01-02T00:00:00.000Z'])
  }))

test('the command compares two files, or the last two of a suite', () =>
  inFolder(folder => {
    const [a, b] = [100, 200].map(median => save({ ...one(median), date: `2026-01-0${median / 100}T00:00:00.000Z` }, folder)) as [string, string]
    for (const args of [[a, b], ['store']]) {
      const { code, out } = command(folder, 'compare.mjs', ...args)
      assert.is(code, 0)
      assert.match(out, /100 ns {3}→ {3}200 ns {3}↑ 2×[^]*0 less, 1 more, 0 without a difference/)
    }
    const { code, error } = command(folder, 'compare.mjs', a, 'nothing')
    assert.is(code, 2)
    assert.match(error, /There is no result nothing\. There are:\n {2}store-2026-01-01T00-00-00\.json/)
  }))

test('a file that is no result is an error that says so', () => {
  assert.throws(() => load('/nowhere.json'), /There is no file \/nowhere\.json\./)
  assert.throws(() => load('package.json'), /package\.json is not a result of `npm run bench`: it has no suite and no rows\./)
})

test.run()
