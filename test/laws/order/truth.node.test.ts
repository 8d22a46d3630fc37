import * as fc from 'fast-check'
import { suite } from 'uvu'
import { Tape } from '../../support/tape.ts'
import { asyncLaw, Coverage } from '../../support/asyncLaw.ts'
import { Exchange, type Setting } from './truth.ts'

const test = suite('order: server truth')
const coverage = new Coverage(['read beside a call', 'deleted', 'waits for a pk', 'doubt', 'revalidated', 'known before its creation'])

/** Responses are parsed by the platform, in turns of its own. */
const drained = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

const settings: fc.Arbitrary<Setting> = fc
  .record({ versioned: fc.boolean(), loose: fc.boolean(), optimistic: fc.boolean(), partial: fc.boolean() })
  // A doubt is cured by a list only if that tells everything.
  .map(setting => ({ ...setting, partial: setting.partial && !setting.loose }))

asyncLaw(test, 'INV-02 Whenever a server takes what it is sent, in the end the client shows what the server has, asking once for what is in doubt', 2_000, fc.tuple(fc.array(fc.array(fc.nat(255), { minLength: 6, maxLength: 10, size: 'max' }), { minLength: 8, maxLength: 22, size: 'max' }), settings), async ([series, setting], tell) => {
  tell(JSON.stringify(setting))
  const exchange = new Exchange(setting)
  try {
    for (const bytes of series) {
      tell(exchange.step(new Tape(bytes)))
      await drained()
    }
    const tape = new Tape(series.flat())
    for (let line = exchange.move(tape, false); line !== undefined; line = exchange.move(tape, false)) {
      tell(line)
      await drained()
    }
    exchange.end()
  } finally {
    exchange.controller.dispose()
  }
  coverage.add(exchange.met)
}, () => coverage.finding())

test.run()
