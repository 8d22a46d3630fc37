import { suite } from 'uvu'
import { exportState, type State } from '../../../src/index.ts'
import { documentOf, sameDocuments } from '../document.ts'
import { same } from '../../support/same.ts'
import { asyncLaw, Coverage } from '../../support/asyncLaw.ts'
import { broken } from '../../support/settings.ts'
import { histories, live, Witness } from './history.ts'

const test = suite('order: histories')
const coverage = new Coverage(['overlap', 'reorder', 'late read after delete', 'two layers', 'reset in flight'])

asyncLaw(test, 'INV-01 INV-04 INV-05 Whatever happens in whatever order, base and view are what a patient client would have, at every step', 10_000, histories(36), async (history, tell) => {
  const { met } = await live(history, {}, tell, client => client.look())
  coverage.add(met)
}, () => coverage.finding())

asyncLaw(test, 'INV-07 INV-11 INV-23 Only net changes leave: equal rows keep their reference, commits replay, indexes and lists are exact', 1_500, histories(36), async (history, tell) => {
  const witness = new Witness()
  await live(history, {}, tell, client => witness.see(client))
}, () => undefined)

const order = (state: State): unknown => exportState(state).entities.map(([key, rows]) => [key, rows.flatMap(([pk, record]) => (record === null ? [] : [pk]))] as const).filter(([, pks]) => pks.length > 0).sort()

asyncLaw(test, 'INV-03 When all has settled nothing shows that anybody was optimistic, not even in the order of arrival', 2_500, histories(36), async (history, tell) => {
  const settle = async (optimistic: boolean): Promise<State> => (await live(history, { optimistic, traceless: true }, tell, () => {})).state
  const [hoped, waited] = [await settle(true), await settle(false)]
  const [a, b] = [documentOf(hoped), documentOf(waited)]
  if (!sameDocuments(a, b)) broken('optimism has left a trace', a, b)
  if (!same(order(hoped), order(waited))) broken('optimism has changed an order', order(hoped), order(waited))
}, () => undefined)

test.run()
