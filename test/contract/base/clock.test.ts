import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../../src/index.ts'

const test = suite('the system clock')

/** Its timers do not hold Node open, so something else has to while a test waits for one. */
const settled = async <T>(promise: Promise<T>): Promise<T> => {
  const hold = setTimeout(() => {}, 5000)
  try {
    return await promise
  } finally {
    clearTimeout(hold)
  }
}

test('runs a callback once, not before its time', async () => {
  const start = systemClock.now()
  await settled(new Promise<void>((resolve) => systemClock.after(20, resolve)))
  assert.ok(systemClock.now() - start >= 18)
})

test('does not run a callback that was cancelled', async () => {
  let ran = false
  systemClock.after(5, () => (ran = true))()
  await settled(new Promise<void>((resolve) => systemClock.after(20, resolve)))
  assert.not(ran)
})

test('a time beyond what the platform can count does not ring at once', async () => {
  let rang = false
  const cancels = [2 ** 31, 1e12, Infinity].map((ms) => systemClock.after(ms, () => (rang = true)))
  await settled(new Promise<void>((resolve) => systemClock.after(20, resolve)))
  for (const cancel of cancels) cancel()
  assert.not(rang)
})

test('tells wall time', () => {
  assert.ok(Math.abs(systemClock.date() - Date.now()) < 1000)
})

test.run()
