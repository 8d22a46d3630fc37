import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../../src/index.ts'

const test = suite('the system clock')

/** Waits on the system clock. Its timers do not hold Node open, so another one has to. */
async function wait(ms: number): Promise<void> {
  const hold = setTimeout(() => {}, 5000)
  await new Promise<void>((resolve) => systemClock.after(ms, resolve))
  clearTimeout(hold)
}

test('runs a callback once, not before its time', async () => {
  const start = systemClock.now()
  await wait(20)
  assert.ok(systemClock.now() - start >= 18)
})

test('runs neither a callback that was cancelled, nor at once one whose time is beyond what the platform can count', async () => {
  const ran: number[] = []
  systemClock.after(5, () => ran.push(5))()
  const cancels = [2 ** 31, 1e12, Infinity].map((ms) => systemClock.after(ms, () => ran.push(ms)))
  await wait(20)
  for (const cancel of cancels) cancel()
  assert.equal(ran, [])
})

test('tells wall time', () => {
  assert.ok(Math.abs(systemClock.date() - Date.now()) < 1000)
})

test.run()
