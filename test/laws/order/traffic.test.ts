import * as fc from 'fast-check'
import { suite } from 'uvu'
import { asyncLaw, Coverage } from '../../support/asyncLaw.ts'
import { histories, live } from './history.ts'

const test = suite('order: traffic')

/** To look takes longer than to live: it is done after a fifth of the steps, and at the end. */
const LOOKS = 204

const coverage = new Coverage(['overlap', 'reorder', 'late read after delete', 'two layers', 'reset in flight', 'answers at once', 'waits for a pk', 'undo in flight'])

asyncLaw(test, 'INV-01 INV-05 Whatever order promises settle in, a controller ends with what a patient client would have, and no layer', 2_000, fc.tuple(histories(26), fc.constantFrom(2, 16)), async ([history, concurrency], tell) => {
  const { met } = await live(history, { concurrency }, tell, (client, bytes) => {
    if (bytes.at(-1)! > LOOKS) client.look()
  })
  coverage.add(met)
}, () => coverage.finding())

test.run()
