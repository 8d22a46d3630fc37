import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createClock } from '../../../src/testing/index.ts'

const test = suite('createClock')

test('stands still until it is advanced', () => {
  const clock = createClock(1000)
  assert.equal([clock.now(), clock.date()], [0, 1000])
  clock.advance(5)
  assert.equal([clock.now(), clock.date()], [5, 1005])
})

test('runs what falls due in order of time, and of arrival where times are equal', () => {
  const clock = createClock()
  const ran: string[] = []
  clock.after(20, () => ran.push(`late ${clock.now()}`))
  clock.after(10, () => ran.push(`first ${clock.now()}`))
  clock.after(10, () => ran.push(`second ${clock.now()}`))
  clock.advance(9)
  assert.equal(ran, [])
  clock.advance(100)
  assert.equal(ran, ['first 10', 'second 10', 'late 20'])
  assert.is(clock.now(), 109)
})

test('runs a timer that a timer has set, when both fall due', () => {
  const clock = createClock()
  const ran: number[] = []
  clock.after(10, () => clock.after(10, () => ran.push(clock.now())))
  clock.advance(20)
  assert.equal(ran, [20])
})

test('never goes back, though what it runs has moved it further', () => {
  const clock = createClock(1000)
  clock.after(10, () => clock.advance(100))
  clock.advance(20)
  assert.equal([clock.now(), clock.date()], [110, 1110])
})

test('takes a time that is past, or no number, as now', () => {
  const clock = createClock()
  let ran = 0
  clock.after(-5, () => ran++)
  clock.after(Number.NaN, () => ran++)
  clock.advance(0)
  assert.is(ran, 2)
})

test('does not run what was cancelled, and counts what waits', () => {
  const clock = createClock()
  let ran = false
  const cancel = clock.after(1, () => (ran = true))
  assert.is(clock.pending, 1)
  cancel()
  assert.is(clock.pending, 0)
  clock.advance(10)
  assert.not(ran)
})

test('wall time can be turned back while the other one goes on', () => {
  const clock = createClock(1000)
  clock.advance(10)
  clock.setDate(500)
  clock.advance(1)
  assert.equal([clock.now(), clock.date()], [11, 501])
})

test('refuses to go back', () => {
  assert.throws(() => createClock().advance(-1), /0 or more, not -1.*setDate/)
  assert.throws(() => createClock().advance(Number.NaN), /not NaN/)
})

test.run()
