import { suite } from 'uvu'
import { exportState, type State } from '../../../src/index.ts'
import { documentOf, sameDocuments } from '../document.ts'
import { same } from '../../support/same.ts'
import { asyncLaw } from '../../support/asyncLaw.ts'
import { broken, type Finding } from '../../support/settings.ts'
import { expectModel, histories, live, Witness } from './history.ts'

const test = suite('order: histories')

/** What a green run must have met to mean anything, each in so many percent of the histories. */
const wanted = ['overlap', 'reorder', 'late read after delete', 'two layers', 'reset in flight']
const LEAST = 10
const counts = new Map<string, number>()
let runs = 0

function coverage(): Finding {
  const shares = [...new Set([...wanted, ...counts.keys()])].map(name => [name, (100 * (counts.get(name) ?? 0)) / runs] as const)
  const text = shares.map(([name, share]) => `${name} ${share.toFixed(1)} %`).join(', ')
  const missed = shares.filter(([name, share]) => wanted.includes(name) && share < LEAST)
  // A handful of runs says nothing about shares.
  if (runs >= 500 && missed.length > 0) throw new Error(`The histories miss what they are for: ${text}; each must be in ${LEAST} %.`)
  return text
}

asyncLaw(
  test,
  'INV-01 INV-04 INV-05 Whatever happens in whatever order, base and view are what a patient client would have, at every step',
  10_000,
  histories,
  async history => {
    const { met } = await live(history, expectModel)
    runs++
    for (const each of met) counts.set(each, (counts.get(each) ?? 0) + 1)
  },
  coverage,
)

asyncLaw(test, 'INV-07 INV-11 INV-23 Only net changes leave: equal rows keep their reference, commits replay, indexes and lists are exact', 1_500, histories, async history => {
  const witness = new Witness()
  await live(history, world => witness.see(world))
}, () => undefined)

const order = (state: State): unknown => exportState(state).entities.map(([key, rows]) => [key, rows.flatMap(([pk, record]) => (record === null ? [] : [pk]))] as const).filter(([, pks]) => pks.length > 0).sort()

asyncLaw(test, 'INV-03 When all has settled nothing shows that anybody was optimistic, not even in the order of arrival', 2_500, histories, async history => {
  const [hoped, waited] = [(await live(history, () => {}, true, true)).base, (await live(history, () => {}, false, true)).base]
  const [a, b] = [documentOf(hoped), documentOf(waited)]
  if (!sameDocuments(a, b)) broken('optimism has left a trace', a, b)
  if (!same(order(hoped), order(waited))) broken('optimism has changed an order', order(hoped), order(waited))
}, () => undefined)

test.run()
