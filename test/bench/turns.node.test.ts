import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { fromBench, inFolder, timing, type Timing } from './bench.ts'

interface Player {
  readonly isShort?: boolean
  warm(warmMs: number): unknown
  turn(): { took: number; grew: number; turnMs: number }
}

interface Entry {
  before?(): unknown
  run(prepared?: unknown, batch?: number, stop?: () => void): unknown
}

const effort = { warmMs: 9, measureMs: 100, minRounds: 3, maxRounds: 8 }

const { stopwatch } = await fromBench<{ stopwatch(wall: () => bigint, cpu?: () => number): () => number }>('stopwatch.mjs')
const { player, takeTurns } = await fromBench<{
  player(entry: Entry): { warm(warmMs: number): Promise<{ batch: number }>; turn(): Promise<{ took: number }> }
  takeTurns(players: Record<string, Player>, of: typeof effort): Promise<Record<string, Timing>>
}>('measure.mjs')
const { inPairs } = await fromBench<{ inPairs<T, R>(all: readonly T[], work: (each: T) => Promise<R>): Promise<R[]> }>('pairs.mjs')
const { concluded, prepare } = await fromBench<{
  prepare(row: object, contenders: readonly object[]): Promise<{ right: object; wrong: object; blanks: object; counts: object }>
  concluded(row: object, measured: object): { exponent?: number; verdicts: readonly { verdict: string }[] }
}>('row.mjs')
const { inWorker, openWorker } = await fromBench<{
  inWorker(job: object, hear: (message: unknown) => void, options: { worker: string }): Promise<void>
  openWorker(job: object, options: { worker: string }): { send(message: unknown): void; next(): Promise<unknown>; close(): Promise<void> }
}>('fork.mjs')

const test = suite('turns of benchmarks')

test('time in a queue for a processor is nobody’s, and helpers beside the work do not count', () => {
  for (const [wall, cpu, expected] of [[100, 30, 30], [100, 180, 100], [100, undefined, 100]] as const) {
    let [passed, used] = [5n, 7]
    const watch = stopwatch(() => passed, cpu === undefined ? undefined : () => used)
    passed += BigInt(wall)
    used += cpu ?? 0
    assert.is(watch(), expected)
  }
})

/** Players who write down who was called. */
function table(costs: Record<string, number>, short: readonly string[] = []): { players: Record<string, Player>; calls: string[]; warmed: Record<string, number> } {
  const calls: string[] = []
  const warmed: Record<string, number> = {}
  const player = ([name, costMs]: [string, number]): [string, Player] => [name, {
    isShort: short.includes(name),
    warm: warmMs => ((warmed[name] = warmMs), { batch: 1, costMs }),
    turn: () => (calls.push(name), { took: costMs, grew: 0, turnMs: costMs }),
  }]
  return { players: Object.fromEntries(Object.entries(costs).map(player)), calls, warmed }
}

test('they take turns, and another begins each time', async () => {
  const { calls, players } = table({ a: 1, b: 1, c: 1 })
  await takeTurns(players, { ...effort, maxRounds: 3 })
  assert.is(calls.join(''), 'abcbcacab')
})

test('the time of a row is shared: who is slow has fewer rounds, three at the least', async () => {
  const rounds = async (costs: Record<string, number>, minRounds: number): Promise<number[]> =>
    Object.values(await takeTurns(table(costs).players, { ...effort, minRounds })).map(({ samples }) => samples.length)
  assert.equal(await rounds({ quick: 1, slow: 10, slower: 400 }, 7), [7, 6, 3])
  assert.equal(await rounds({ quick: 1, quickest: 1 }, 3), [8, 8])
})

test('of whom no budget speaks is warmed shorter, has the first rounds, and takes no time from the others', async () => {
  const { calls, players, warmed } = table({ ours: 10, other: 40 }, ['other'])
  const timings = await takeTurns(players, effort)
  assert.equal([warmed, timings['ours']?.samples.length, timings['other']?.samples.length], [{ ours: 9, other: 3 }, 8, 3])
  assert.is(calls.slice(-5).join(' '), 'ours ours ours ours ours')
})

test('short work runs more than once in a turn', async () => {
  let runs = 0
  const short = player({ run: () => void runs++ })
  assert.is((await short.warm(1)).batch, 1)
  runs = 0
  assert.ok((await short.turn()).took > 0)
  assert.ok(runs > 1)
})

test('work may prepare and finish later, and stop the clock before its end', async () => {
  const later = player({
    before: () => Promise.resolve('prepared'),
    async run(prepared, _batch, stop) {
      assert.is(prepared, 'prepared')
      await Promise.resolve()
      stop?.()
      for (const end = performance.now() + 30; performance.now() < end; );
    },
  })
  await later.warm(1)
  const { took } = await later.turn()
  assert.ok(took < 20e6, `${took} ns`)
})

test('two at a time, and in order', async () => {
  let at = 0
  let most = 0
  const done = await inPairs([3, 1, 2], async each => {
    most = Math.max(most, ++at)
    await new Promise(resolve => setTimeout(resolve, each))
    at--
    return each * 10
  })
  assert.equal(done, [30, 10, 20])
  assert.is(most, 2)
})

test('a wrong result is not timed, and says why', async () => {
  const fail = (): never => { throw new Error('a row is missing') }
  const entries = { good: { run() {} }, bad: { check: fail, run() {} }, late: { check: async () => fail(), run() {} } }
  const { right, wrong } = await prepare({ setup: () => ({ entries }) }, [])
  assert.equal([Object.keys(right), wrong], [['good'], { bad: 'a row is missing', late: 'a row is missing' }])
})

test('a row of growth has its exponent and its verdict', () => {
  const sizes = { '1k': 1_000, '10k': 10_000 }
  const timings = { '1k': timing(10, 0), '10k': timing(100, 0) }
  const { exponent, verdicts } = concluded({ sizes, budgets: [{ kind: 'growth', from: '1k', to: '10k', atMost: 3 }] }, { timings })
  assert.equal([exponent?.toFixed(2), verdicts[0]?.verdict], ['1.00', 'short'])
})

test('a process that measures is asked and answers; one that ends tells why', () =>
  inFolder(async folder => {
    const worker = join(folder, 'worker.mjs')
    const options = { worker }
    writeFileSync(worker, `process.on('disconnect', () => process.exit()); process.on('message', text => process.send(text + '!')); process.send(JSON.parse(process.argv[2]).word)`)
    const asked = openWorker({ word: 'ready' }, options)
    assert.is(await asked.next(), 'ready')
    asked.send('turn')
    assert.is(await asked.next(), 'turn!')
    await asked.close()
    writeFileSync(worker, `process.send('one'); process.send({ failed: 'no such file' }, () => process.exit(1))`)
    const heard: unknown[] = []
    const ended = await inWorker({}, message => heard.push(message), options).catch((error: Error) => error.message)
    assert.equal([heard, ended], [['one'], 'no such file'])
    writeFileSync(worker, `process.send('all', () => process.disconnect())`)
    await inWorker({}, message => heard.push(message), options)
    assert.equal(heard, ['one', 'all'])
  }))

test.run()
