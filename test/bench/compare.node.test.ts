import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { command, fromBench, inFolder, result, row, timing, type Result } from './bench.ts'

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

const kinds = (a: Result, b: Result): string[] => differences(a, b).found.map(({ entry, kind, row }) => `${row}/${entry} ${kind}`)
const one = (median: number, spread?: number): Result => result('store', [row('write', { timings: { patchcord: timing(median, spread) } })])

test('a difference inside the spread is none', () => {
  assert.equal(kinds(one(100, 0.5), one(115, 0.5)), ['write/patchcord none'])
  assert.is(differences(one(100, 0.5), one(115, 0.5)).found[0]?.why, 'inside the spread')
})

test('the same difference on a quiet machine is one', () => {
  assert.equal(kinds(one(100, 0.02), one(115, 0.02)), ['write/patchcord more'])
  assert.equal(kinds(one(115, 0.02), one(100, 0.02)), ['write/patchcord less'])
})

test('less than three in a hundred is none, however quiet the machine', () => {
  assert.equal(kinds(one(100, 0.0001), one(102, 0.0001)), ['write/patchcord none'])
})

test('counts and sizes are exact', () => {
  const of = (count: number, size: number): Result => result('size', [row('core', { unit: 'B', values: { patchcord: size }, counts: { patches: count } })])
  assert.equal(kinds(of(1, 50_000), of(1, 50_000)), ['core/patchcord none', 'core/patches none'])
  assert.equal(kinds(of(1, 50_000), of(2, 50_001)), ['core/patchcord more', 'core/patches more'])
  assert.is(differences(of(0, 1), of(2, 1)).found[1]?.change, Infinity)
})

test('rows and contenders that only one result has are named', () => {
  const a = result('store', [row('gone', { timings: {} }), row('both', { timings: { patchcord: timing(1), old: timing(1) } })])
  const b = result('store', [row('both', { timings: { patchcord: timing(1), next: timing(1) } }), row('new', { timings: {} })])
  assert.equal(kinds(a, b), ['gone/ only in A', 'both/patchcord none', 'both/old only in A', 'both/next only in B', 'new/ only in B'])
})

test('what changed for the others is reported as the machine', () => {
  const of = (ours: number, other: number): Result => result('store', [row('write', { timings: { patchcord: timing(ours), 'data-client': timing(other) } })])
  assert.is(differences(of(10, 100), of(12, 120)).drift, 1.2)
  assert.is(differences(one(1), one(2)).drift, undefined)
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
    save(result('store', [], { date: '2026-01-01T00:00:00.000Z' }), folder)
    save(result('store', [], { date: '2026-01-02T00:00:00.000Z' }), folder)
    save(result('store', [], { date: '2026-01-03T00:00:00.000Z', filter: 'push' }), folder)
    save(result('store', [], { date: '2026-01-04T00:00:00.000Z', effort: 'quick' }), folder)
    save(result('view', [], { filter: 'first' }), folder)
    save(result('knob-pages', []), folder)
    assert.is(list(folder).length, 6)
    const found = newest(folder)
    assert.equal([...found.keys()].sort(), ['store', 'view'])
    assert.is(found.get('store')?.date, '2026-01-02T00:00:00.000Z')
  }))

test('the command compares two files, or the last two of a suite', () =>
  inFolder(async folder => {
    const a = save({ ...one(100), date: '2026-01-01T00:00:00.000Z' }, folder)
    const b = save({ ...one(200), date: '2026-01-02T00:00:00.000Z' }, folder)
    for (const args of [[a, b], ['store']]) {
      const { code, out } = await command(folder, 'compare.mjs', ...args)
      assert.is(code, 0)
      assert.match(out, '100 ns   →   200 ns   ↑ 2×')
      assert.match(out, '0 less, 1 more, 0 without a difference')
    }
    const wrong = await command(folder, 'compare.mjs', a, 'nothing')
    assert.is(wrong.code, 2)
    assert.match(wrong.error, /There is no result nothing\. There are:\n {2}store-2026-01-01T00-00-00\.json/)
  }))

test('a file that is no result is an error that says so', () => {
  assert.throws(() => load('/nowhere.json'), /There is no file \/nowhere\.json\./)
  assert.throws(() => load('package.json'), /package\.json is not a result of `npm run bench`: it has no suite and no rows\./)
})

test.run()
