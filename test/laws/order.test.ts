import * as fc from 'fast-check'
import { suite } from 'uvu'
import { All, applyPatches, denormalize, emptyState, exportState, importState, Invalidate, normalize } from '../../src/index.ts'
import type { State } from '../../src/index.ts'
import { hostile, removable } from './hostile.ts'
import { metaAt } from './history.ts'
import { same } from '../support/same.ts'
import { broken, law } from '../support/settings.ts'
import { species } from './species.ts'
import { Tape, tapes } from '../support/tape.ts'

const test = suite('laws: order of arrival')

const item = species('Item', ['n'])
const all = new All(item.entity)
const gone = new Invalidate(item.entity)
const pks = [...hostile.filter(pk => pk !== ''), ...Array.from({ length: 70 }, (_, i) => `${i}`)]

/** One version, and what must be true of it: who ever came, in order, and who is there. */
interface Version { readonly state: State; readonly arrived: readonly string[]; readonly live: ReadonlySet<string> }

const branches = fc.array(tapes(24), { minLength: 1, maxLength: 6, size: 'max' })

law(test, 'INV-06 All is in the order of first arrival, in every branch; a row that comes back has its old position', 3_000, branches, series => {
  const versions: Version[] = [{ state: emptyState, arrived: [], live: new Set() }]
  series.forEach((bytes, at) => {
    const tape = new Tape(bytes)
    // Branches share cells and slots, and not histories: what is slot order in one is not in the other.
    const from = versions[tape.chance(40) ? tape.int(versions.length) : versions.length - 1]!
    const named = Array.from({ length: 1 + tape.int(8) }, () => pks[tape.int(pks.length)]!)
    const removes = tape.chance(25)
    const input = removes ? named.map(removable) : named.map(id => ({ id, n: tape.int(2) }))
    const change = normalize(removes ? gone : all, input, [], from.state, metaAt(at + 1))
    const state = applyPatches(from.state, change.patches, change.stamps)
    const next: Version = removes
      ? { state, arrived: from.arrived, live: new Set([...from.live].filter(pk => !named.includes(pk))) }
      : { state, arrived: [...new Set([...from.arrived, ...named])], live: new Set([...from.live, ...named]) }
    const back: Version = { state: applyPatches(state, change.inversePatches), arrived: next.arrived, live: from.live }
    versions.push(next, back)
    for (const version of versions) checkOrder(version)
    if (from.arrived.length === from.live.size) checkElsewhere(from, next, change.patches)
  })
})

function checkOrder({ state, arrived, live }: Version): void {
  const expected = arrived.filter(pk => live.has(pk))
  const listed = exportState(state).entities.flatMap(([, rows]) => rows.filter(([, record]) => record !== null).map(([pk]) => pk))
  if (!same(listed, expected)) broken('the rows are in another order than they came in', listed, expected)
  const visible = (denormalize(all, [], state) as { id: string }[] | undefined)?.map(({ id }) => id)
  if (!same(visible ?? [], expected)) broken('All shows another order', visible, expected)
}

/** Another store, that heard of the same rows, gets the same order from the same patches. */
function checkElsewhere(from: Version, next: Version, patches: Parameters<typeof applyPatches>[1]): void {
  const there = importState(JSON.parse(JSON.stringify(exportState(from.state))))
  checkOrder({ ...next, state: applyPatches(there, patches) })
}

test.run()
