import * as fc from 'fast-check'
import { suite } from 'uvu'
import { Collection, emptyState, Invalidate } from '../../src/index.ts'
import type { State } from '../../src/index.ts'
import { documentOf } from './document.ts'
import { anyObject, anyPk, anyValue, pkList, removable } from './hostile.ts'
import { metaAt, take, type Step } from './history.ts'
import { same } from '../support/same.ts'
import { broken, law } from '../support/settings.ts'
import { species } from './species.ts'
import { Tape, tapes } from '../support/tape.ts'
import type { Request } from './zoo.ts'

const test = suite('laws: convergence')

const owner = species('Owner', [])
const item = species('Item', [])
;(item.entity as { schema: object }).schema = { owner: owner.entity }
const list = new Collection([item.entity])
const gone = new Invalidate(item.entity)

/** A record with all of its fields: whoever has the newest has everything. */
function complete(tape: Tape): object {
  return {
    id: anyPk(tape) || 'none', a: tape.int(4), b: anyValue(tape) ?? null, data: anyObject(tape),
    owner: { id: tape.int(3), name: tape.int(4), tags: pkList(tape) },
  }
}

function anyRequest(tape: Tape): Request {
  if (tape.chance(20)) return { schema: gone, input: pkList(tape).map(removable), args: [] }
  const input = Array.from({ length: 1 + tape.int(3) }, () => complete(tape))
  return tape.chance(50) ? { schema: [item.entity], input, args: [] } : { schema: list, input, args: [{ page: tape.int(2) }] }
}

const stepAt = (request: Request, fetchedAt: number): Step => ({ request, meta: metaAt(fetchedAt), endpoint: undefined, back: 0 })

function after(steps: readonly Step[]): State {
  return steps.reduce((state, step) => take(state, step)?.after ?? broken('a complete record was refused', step.request.input), emptyState as State)
}

const responses = fc
  .array(tapes(100), { minLength: 2, maxLength: 5, size: 'max' })
  .map(series => series.map((bytes, i) => stepAt(anyRequest(new Tape(bytes)), 10 + i)))

law(test, 'INV-01 Complete responses end in the same entities, in whatever order they are delivered, and however often', 3_000, responses.chain(steps => fc.tuple(fc.constant(steps), fc.shuffledSubarray(steps, { minLength: steps.length }), fc.subarray(steps))), ([steps, shuffled, again]) => {
  const expected = documentOf(after(steps)).entities
  const found = documentOf(after([...shuffled, ...again])).entities
  if (!same(expected, found)) broken('another order of delivery ends elsewhere', expected, found)
})

const partial = (bytes: readonly number[]): object => {
  const tape = new Tape(bytes)
  return Object.fromEntries(['a', 'b', 'c', 'data', 'constructor'].filter(() => tape.chance(60)).map(name => [name, anyValue(tape) ?? null]))
}

const two = fc.tuple(tapes(60), tapes(60), anyId())

law(test, 'INV-01 Of two responses the newer wins field by field, whichever comes first', 3_000, two, ([first, second, id]) => {
  const older = { ...partial(first), id }
  const newer = { ...partial(second), id }
  const steps = [stepAt({ schema: item.entity, input: older, args: [] }, 10), stepAt({ schema: item.entity, input: newer, args: [] }, 20)]
  const forwards = documentOf(after(steps)).entities
  const backwards = documentOf(after([steps[1]!, steps[0]!])).entities
  const alone = documentOf(after([stepAt({ schema: item.entity, input: { ...older, ...newer }, args: [] }, 30)])).entities
  if (!same(forwards, alone)) broken('in order', forwards, alone)
  if (!same(backwards, alone)) broken('out of order', backwards, alone)
})

function anyId(): fc.Arbitrary<string> {
  return tapes(3).map(bytes => String(anyPk(new Tape(bytes))) || 'none')
}

test.run()
