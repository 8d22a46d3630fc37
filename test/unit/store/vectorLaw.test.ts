import * as fc from 'fast-check'
import { suite } from 'uvu'
import { compareVectors, Vector, VectorEditor } from '../../../src/store/vector.ts'
import { same } from '../../support/same.ts'
import { broken, law } from '../../support/settings.ts'
import { Tape, tapes } from '../../support/tape.ts'

const test = suite('laws: vector')

interface Version {
  readonly vector: Vector<string>
  readonly model: ReadonlyMap<number, string>
}

/** Places on both sides of every border between pages and levels, and a few in the middle of nowhere. */
const places = [
  0, 1, 2, 62, 63, 64, 65, 127, 128, 191, 4094, 4095, 4096, 4097, 4160, 8191, 8192,
  262_142, 262_143, 262_144, 262_145, 266_240, 300_000, 1_000_000,
]

const edits = fc.array(tapes(40), { minLength: 1, maxLength: 8, size: 'max' })

law(test, 'INV-06 Every version of a vector keeps what it held, whatever was written to later ones', 3_000, edits, series => {
  const versions: Version[] = [{ vector: new Vector(), model: new Map() }]
  for (const bytes of series) {
    const tape = new Tape(bytes)
    versions.push(edit(versions[tape.chance(30) ? tape.int(versions.length) : versions.length - 1]!, tape))
  }
  for (const version of versions) checkVersion(version)
  for (const before of versions) for (const after of versions) checkDifference(before, after)
})

function edit({ vector, model }: Version, tape: Tape): Version {
  const editor = new VectorEditor(vector)
  const next = new Map(model)
  let wrote = false
  // Few levels as often as many: a vector that reaches far at once never grows.
  const reach = tape.pick([3, 8, 11, places.length])
  for (let writes = tape.int(10); writes > 0; writes--) {
    const place = places[tape.int(reach)]! + tape.int(2) * tape.int(6)
    const value = tape.chance(20) ? undefined : tape.pick(['a', 'b', 'c'])
    editor.set(place, value)
    wrote = true
    if (value === undefined) next.delete(place)
    else next.set(place, value)
    if (editor.get(place) !== value) broken(`place ${place} was written and reads otherwise`)
    // A version may be taken in the middle; the editor goes on and must not write into it.
    if (tape.chance(10)) checkVersion({ vector: editor.finish(), model: new Map(next) })
  }
  const made = editor.finish()
  if (!wrote && made !== vector) broken('nothing was written, and there is a new version')
  for (const place of places) if (editor.get(place) !== next.get(place)) broken(`the editor does not see ${place}`)
  return { vector: made, model: next }
}

function checkVersion({ vector, model }: Version): void {
  for (const place of places) {
    if (vector.get(place) !== model.get(place)) broken(`place ${place} holds another value`, vector.get(place), model.get(place))
  }
  const seen: [number, string][] = []
  vector.forEach((place, value) => seen.push([place, value]))
  const expected = [...model].sort(([a], [b]) => a - b)
  if (!same(seen, expected)) broken('a walk sees other values, or another order', seen, expected)
}

function checkDifference(before: Version, after: Version): void {
  const seen: unknown[] = []
  compareVectors(before.vector, after.vector, (place, from, to) => void seen.push([place, from, to]))
  const touched = [...new Set([...before.model.keys(), ...after.model.keys()])].sort((a, b) => a - b)
  const expected = touched
    .map(place => [place, before.model.get(place), after.model.get(place)] as const)
    .filter(([, from, to]) => from !== to)
  if (!same(seen, expected)) broken('two versions compare otherwise than their contents', seen, expected)
  let calls = 0
  const ended = compareVectors(before.vector, after.vector, () => ++calls === 1)
  if (ended !== expected.length > 0 || calls !== Math.min(1, expected.length)) broken('a comparison that is ended goes on')
}

test.run()
