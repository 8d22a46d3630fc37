import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Patch } from '../../../src/index.ts'
import { own } from '../../../src/base/plain.ts'
import { diffValues } from '../../../src/store/diff.ts'
import { editRecord } from '../../../src/store/edit.ts'
import { splices } from '../../../src/store/splices.ts'
import { immer } from '../../laws/document.ts'
import { anyValue } from '../../laws/hostile.ts'
import { same } from '../../support/same.ts'
import { broken, law } from '../../support/settings.ts'
import { Tape, tapes } from '../../support/tape.ts'

const test = suite('laws: splices')

const ids = Array.from({ length: 12 }, (_, i) => `${i}`)

/** Two lists without repetition, the second made of the first or apart from it. */
const uniqueLists = tapes(60).map(bytes => {
  const tape = new Tape(bytes)
  return [tape.some(ids), tape.some(ids)] as const
})

law(test, 'INV-07 Splices turn one list into the other, and keep as many members as any could', 4_000, uniqueLists, ([previous, next]) => {
  const edits = splices(previous, next, 1000) ?? broken('so few edits, and no splices')
  const made = [...previous]
  for (const { from, removed, at, added } of [...edits].reverse()) made.splice(from, removed, ...next.slice(at, at + added))
  if (!same(made, next)) broken('the splices make another list', edits, made, next)
  const kept = previous.length - edits.reduce((sum, { removed }) => sum + removed, 0)
  if (kept !== commonLength(previous, next)) broken(`${kept} members are kept, ${commonLength(previous, next)} could be`, previous, next, edits)
})

/** The length of the longest series that both lists have, by the textbook. */
function commonLength(a: readonly unknown[], b: readonly unknown[]): number {
  let row = new Array<number>(b.length + 1).fill(0)
  for (const left of a) {
    const below = [0]
    for (let j = 0; j < b.length; j++) below.push(left === b[j] ? row[j]! + 1 : Math.max(row[j + 1]!, below[j]!))
    row = below
  }
  return row[b.length]!
}

/** Any two values that have something in common: the second is the first, changed here and there. */
const valuePairs = fc.tuple(tapes(60), tapes(60)).map(([one, two]) => {
  const before = [own(anyValue(new Tape([200, ...one]), 3)), ...new Tape(one).some([1, 1, 'a', 'a', null, NaN, 'b', 2])]
  const tape = new Tape(two)
  const after = before.filter(() => !tape.chance(20))
  for (let inserts = tape.int(3); inserts > 0; inserts--) after.splice(tape.int(after.length + 1), 0, own(anyValue(tape, 2)))
  return [own({ list: before, constructor: before[0] }), own({ list: after, constructor: after[0] })] as const
})

law(test, 'INV-07 The difference of any two values, applied by us or by Immer, gives the second', 4_000, valuePairs, ([before, after]) => {
  const patches: Patch[] = []
  diffValues([], before, after, patches)
  const rooted = patches.some(({ path }) => path.length === 0)
  if (rooted) broken('two objects were not compared field by field', patches)
  const ours = editRecord(before as object, patches)
  if (!same(ours, after)) broken('our own reading of the patches', patches, ours, after)
  const theirs = immer.applyPatches(before as object, patches)
  if (!same(theirs, after)) broken("Immer's reading of the patches", patches, theirs, after)
  if (same(before, after) && patches.length > 0) broken('equal values differ', patches)
})

test('INV-07 A list takes up to 1,000 edits; past that it is replaced as a whole', () => {
  const numbers = Array.from({ length: 3000 }, (_, i) => `${i}`)
  for (const [added, expected] of [[1, 1], [999, 999], [1000, 1000], [1001, 1], [2500, 1]] as const) {
    const before = own({ list: numbers.slice(0, 400) }) as object
    const after = own({ list: [...numbers.slice(3000 - added), ...numbers.slice(0, 400)] }) as object
    for (const [from, to] of [[before, after], [after, before]] as const) {
      const patches: Patch[] = []
      diffValues([], from, to, patches)
      assert.is(patches.length, expected, `${added} edits`)
      if (expected === 1 && added > 1) assert.equal([patches[0]!.op, patches[0]!.path], ['replace', ['list']])
      assert.equal(editRecord(from, patches), to)
    }
  }
  const reversed: Patch[] = []
  diffValues(['list'], own(numbers), own(numbers.toReversed()), reversed)
  assert.is(reversed.length, 1)
})

test.run()
