import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { applyPatches, emptyState, exportState, importState, normalize, PatchError } from '../../src/index.ts'
import type { Patch, State } from '../../src/index.ts'
import { foldAndDrop, lookup } from '../adapter.ts'
import { History, histories, take, walk, type Step } from './history.ts'
import { hostile } from './hostile.ts'
import { same } from '../support/same.ts'
import { broken, law, quietly, runs } from '../support/settings.ts'
import { PlantedFault, Watch } from './watch.ts'
import { makeZoo } from './zoo.ts'

const test = suite('laws: atomic')

const watch = new Watch()
const zoo = makeZoo(watch)

/** What a user may give, and what must have failed at least once. */
const callbacks = [
  'process', 'pk', 'validate', 'merge', 'mergeWithStore', 'mergeMetaWithStore', 'shouldReorder', 'shouldUpdate',
  'schemaAttribute', 'argsKey', 'nestKey', 'createCollectionFilter', 'addWith',
]

/** All that a failed write could leave a trace in: rows, stamps, indexes, and the cells that every version shares. */
function fingerprint(state: State): unknown {
  const found = [...hostile, 'a', 'b', 'c'].map(name => ['username', 'constructor'].map(field => lookup(state, 'Member', field, name)))
  return { exported: exportState(state), found }
}

/** The last step that does something, and the state before it, in cells that have not seen it. */
function lastOf(history: History): { before: State; step: Step } | undefined {
  let last: { step: Step; at: number } | undefined
  walk(history, ({ step }, at) => (last = { step, at }))
  if (last === undefined) return undefined
  const { step, at } = last
  const versions = walk(new History(history.kind, history.steps.slice(0, history.steps.lastIndexOf(step))), () => {})
  return { before: versions[at]!, step }
}

/** Scenarios of every kind; more of those with callbacks of their own. */
function corpus(): History[] {
  const rich = new Set(['union', 'listed', 'owned'])
  return zoo.flatMap((kind, i) => fc.sample(histories([kind], 4, 2), { numRuns: runs(rich.has(kind.name) ? 100 : 20), seed: 8 + i }))
}

test('INV-08 An error in any call of any callback leaves rows, stamps, indexes and cells as they were', () => {
  const sites = new Set<string>()
  let scenarios = 0
  let faults = 0
  quietly(() => {
    for (const history of corpus()) {
      watch.arm(0)
      const last = lastOf(history)
      const twin = lastOf(history)
      if (last === undefined || twin === undefined) continue
      scenarios++
      for (const way of ways) faults += failEverywhere(last.before, last.step, way)
      // What failed so often must work now, as it does where nothing ever failed.
      watch.arm(0)
      const good = take(last.before, last.step)!
      const expected = take(twin.before, twin.step)!
      if (!same(exportState(good.after), exportState(expected.after))) broken('a write after a failed one does something else', history)
    }
  })
  for (const site of watch.failed) sites.add(site)
  console.log(`\n  INV-08: ${scenarios} scenarios, ${faults} planted faults in ${sites.size} callbacks: ${[...sites].sort().join(', ')}`)
  if (runs(16) >= 16) {
    assert.ok(scenarios >= 200, `${scenarios} scenarios`)
    assert.equal([...sites].sort(), [...watch.met].sort())
    for (const site of callbacks) assert.ok(sites.has(site), `${site} never failed`)
  }
})

/** The two ways in: patches worked out beside the state, and a draft of the next state. */
const ways: readonly ((before: State, step: Step) => void)[] = [
  (before, { request, meta }) => void normalize(request.schema, request.input, request.args, before, meta),
  (before, { request, meta }) => foldAndDrop(before, request.schema, request.input, request.args, meta),
]

/** Throws at the first call, at the second, and so on until none is left. */
function failEverywhere(before: State, step: Step, way: (before: State, step: Step) => void): number {
  const expected = fingerprint(before)
  for (let k = 1; ; k++) {
    watch.arm(k)
    let threw = false
    try {
      way(before, step)
    } catch (error) {
      if (!(error instanceof PlantedFault)) throw error
      threw = true
    }
    const calls = watch.calls
    watch.arm(0)
    const left = fingerprint(before)
    if (!same(left, expected)) broken(threw ? `a throw at call ${k} left something behind` : 'nothing was stored, and yet something is left behind', expected, left)
    if (!threw && calls >= k) broken(`call ${k} threw, and nobody was notified`)
    if (!threw) return k - 1
  }
}

/** None of these can be applied, wherever they stand. */
const bad: readonly unknown[] = [
  null,
  {},
  { op: 'move', path: ['entities', 'Item', '1'] },
  { op: 'add', path: ['entities', 'Fresh', '1'], value: 1 },
  { op: 'add', path: ['entities', 'Fresh', ''], value: {} },
  { op: 'add', path: ['entities', '__proto__', 'x'], value: {} },
  { op: 'replace', path: ['entities', 'Fresh', '1', 'a'], value: 1 },
  { op: 'add', path: ['elsewhere', 'x'], value: 1 },
  { op: 'add', path: ['entities', 'Fresh', '1'], value: JSON.parse('{"__proto__":{}}') as unknown },
  { op: 'replace', path: ['endpoints', 'none', 'length'], value: 4e9 },
]

const withBad = fc.tuple(histories(makeZoo(), 3), fc.nat(), fc.nat())

law(test, 'INV-08 A patch that cannot be applied takes its whole set with it', 1_500, withBad, ([history, which, where]) => {
  walk(history, ({ before: known, patches, stamps }) => {
    const set = [...patches]
    set.splice(where % (patches.length + 1), 0, bad[which % bad.length] as Patch)
    // In cells of its own, that have not seen these patches yet.
    const before = importState(exportState(known))
    const expected = fingerprint(before)
    try {
      applyPatches(before, set, stamps)
    } catch (error) {
      if (!(error instanceof PatchError)) throw error
      const left = fingerprint(before)
      if (!same(left, expected)) broken('a set of patches that was refused left something behind', set, expected, left)
      return
    }
    broken('a bad patch was applied', set)
  })
})

test('INV-08 The empty state stays empty', () => {
  assert.equal(exportState(emptyState), { version: 1, entities: [], endpoints: [] })
})

test.run()
