import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compareVectors, Vector, VectorEditor } from '../../../src/store/vector.ts'

const test = suite('vectors')

type Difference = [index: number, before: number | undefined, after: number | undefined]

function compared(before: Vector<number>, after: Vector<number>): Difference[] {
  const found: Difference[] = []
  compareVectors(before, after, (...difference) => void found.push(difference))
  return found
}

/** Few places, far apart: on one page, on neighbours, and past the next two levels. */
const place = fc.constantFrom(0, 1, 31, 32, 33, 1023, 1024, 40_000)
const PLACES = [0, 1, 31, 32, 33, 1023, 1024, 40_000]
const version = fc.record({
  from: fc.nat(),
  writes: fc.array(fc.record({ at: place, value: fc.option(fc.nat(3), { nil: undefined }), drop: fc.boolean() }), { maxLength: 3 }),
})

test('any two versions differ where their values do, whichever was made from which', () => {
  let single = 0
  fc.assert(
    fc.property(fc.array(version, { minLength: 2, maxLength: 12 }), given => {
      const versions = [new Vector<number>()]
      for (const { from, writes } of given) {
        const before = versions[from % versions.length]!
        const editor = new VectorEditor(before)
        for (const { at, value, drop } of writes) {
          if (drop) editor.drop(at)
          else editor.set(at, value)
        }
        const after = editor.finish()
        if (after.only >= 0) single++
        versions.push(after)
      }
      for (const before of versions) {
        for (const after of versions) {
          const expected = PLACES.map((at): Difference => [at, before.get(at), after.get(at)]).filter(([, old, value]) => old !== value)
          assert.equal(compared(before, after), expected)
        }
      }
    }),
    { numRuns: 500 },
  )
  assert.ok(single > 500, `${single} versions by one write`)
})

test('what one write changed is found without going through pages', () => {
  const many = new VectorEditor<number>(new Vector<number>())
  for (let i = 0; i < 10_000; i++) many.set(i, i)
  const before = many.finish()
  const editor = new VectorEditor(before)
  editor.set(5, -1)
  const after = editor.finish()
  // A version whose pages cannot be gone through still says what was written to it.
  const root = [before.root![0]]
  Object.defineProperty(root, 1, { get: () => [0, [0, undefined, undefined, undefined, undefined, undefined, 5]] })
  Object.defineProperty(root, 2, { get: () => assert.unreachable('looked elsewhere') })
  assert.equal(compared(new Vector<number>(root, before.shift), after), [[5, 5, -1]])
})

test.run()
