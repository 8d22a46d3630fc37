import * as fc from 'fast-check'
import { suite } from 'uvu'
import { Tape } from '../../support/tape.ts'
import { asyncLaw, Coverage } from '../../support/asyncLaw.ts'
import { later, Traffic } from './traffic.ts'
import type { Clockwork } from './world.ts'

const test = suite('order: traffic')

/** More turns than anything inside the controller takes. */
const DRAINED = 40

/** To look takes longer than to live: it is done after a fifth of the steps, and at the end. */
const LOOKS = 204

const coverage = new Coverage(['overlap', 'reorder', 'late read after delete', 'two layers', 'reset in flight', 'answers at once', 'waits for a pk', 'undo in flight'])

const days = fc.tuple(
  fc.array(fc.array(fc.nat(255), { minLength: 8, maxLength: 20, size: 'max' }), { minLength: 4, maxLength: 26, size: 'max' }),
  fc.constantFrom<Clockwork>('frozen', 'normal', 'jumping'),
  fc.constantFrom(2, 16),
)

asyncLaw(
  test,
  'INV-01 INV-05 Whatever order promises settle in, a controller ends with what a patient client would have, and no layer',
  2_000,
  days,
  async ([series, clockwork, concurrency], tell) => {
    const traffic = new Traffic(clockwork, concurrency)
    try {
      for (const bytes of series) {
        tell(traffic.step(new Tape(bytes)))
        await later(DRAINED)
        if (bytes.at(-1)! > LOOKS) traffic.look()
      }
      const tape = new Tape(series.flat())
      for (let line = traffic.settle(tape); line !== undefined; line = traffic.settle(tape)) {
        tell(line)
        await later(DRAINED)
      }
      traffic.look()
      traffic.end()
    } finally {
      traffic.controller.dispose()
    }
    coverage.add(traffic.met)
  },
  () => coverage.finding(),
)

test.run()
