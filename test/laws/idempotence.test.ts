import * as fc from 'fast-check'
import { suite } from 'uvu'
import { exportState } from '../../src/index.ts'
import { histories, metaAt, readHistory, take, walk, type History } from './history.ts'
import { same } from '../support/same.ts'
import { broken, law } from '../support/settings.ts'
import { tapes } from '../support/tape.ts'
import { Watch } from './watch.ts'
import { makeZoo } from './zoo.ts'

const test = suite('laws: idempotence')

const plain = makeZoo()
const spelled = makeZoo(new Watch())
const zoo = [...plain, ...spelled]

law(test, 'INV-09 The same response twice is the same as once: no patch, and the very same rows', 4_000, histories(zoo, 3), history => {
  walk(history, ({ after, step }) => {
    const again = take(after, step)
    if (again === undefined) broken('a response was taken once and refused the second time')
    if (again.patches.length > 0) broken('the same response again makes patches', again.patches)
    if (again.after.entities !== after.entities || again.after.endpoints !== after.endpoints) broken('the same response again makes new references')
    if (!same(exportState(again.after), exportState(after))) broken('the same response again moves a stamp')
  })
})

law(test, 'INV-09 A later copy of the newest response moves stamps only', 3_000, histories(zoo, 3), history => {
  walk(history, ({ after, step }) => {
    const rows = exportState(after).entities.flatMap(([, each]) => each)
    // What is newer than this response would be overruled by a later copy of it; and a later creation names others.
    if (rows.some(([pk, , stamp]) => pk.startsWith('new ') || (stamp?.fetchedAt ?? 0) > step.meta.fetchedAt)) return
    const copy = { ...step.request, input: structuredClone(step.request.input) }
    const later = take(after, { ...step, request: copy, meta: metaAt(1000) })
    if (later === undefined) broken('a response was taken once and refused the second time')
    if (later.patches.length > 0) broken('a later copy of a response makes patches', later.patches)
    if (later.after.entities !== after.entities || later.after.endpoints !== after.endpoints) broken('a later copy makes new references')
  })
})

law(test, 'INV-09 Lifecycle methods that are overridden, and do what the defaults do, change nothing', 3_000, pairs(), ([quick, slow]) => {
  const ends = [quick, slow].map(history => {
    const seen: unknown[] = []
    walk(history, ({ patches, after }) => seen.push(patches, exportState(after)))
    return seen
  })
  if (!same(ends[0], ends[1])) broken('the quick way and the way through the methods differ', ends[0], ends[1])
})

/** The same history for the same schemas, once without and once with every method overridden. */
function pairs(): fc.Arbitrary<[History, History]> {
  return fc.tuple(fc.nat(plain.length - 1), fc.array(tapes(120), { minLength: 1, maxLength: 4, size: 'max' })).map(([at, series]) => [
    readHistory(plain[at]!, series),
    readHistory(spelled[at]!, series),
  ])
}

test.run()
