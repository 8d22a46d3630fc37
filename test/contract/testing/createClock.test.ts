import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createClock } from '../../../src/testing/index.ts'

const test = suite('createClock')

test('stands still until it is advanced; wall time can be turned back while the other one goes on', () => {
  const clock = createClock(1000)
  assert.equal([clock.now(), clock.date()], [0, 1000])
  clock.advance(10)
  assert.equal([clock.now(), clock.date()], [10, 1010])
  clock.setDate(500)
  clock.advance(1)
  assert.equal([clock.now(), clock.date()], [11, 501])
})

test('runs what falls due in order of time, and of arrival where times are equal', () => {
  const clock = createClock()
  const ran: string[] = []
  for (const [name, time] of [['late', 20], ['first', 10], ['second', 10]] as const) clock.after(time, () => ran.push(`${name} ${clock.now()}`))
  // A timer that a timer has set runs too when both fall due.
  clock.after(10, () => clock.after(30, () => ran.push(`set later ${clock.now()}`)))
  clock.advance(9)
  assert.equal(ran, [])
  clock.advance(100)
  assert.equal([ran, clock.now()], [['first 10', 'second 10', 'late 20', 'set later 40'], 109])
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
  for (const time of [-5, Number.NaN]) clock.after(time, () => ran++)
  clock.advance(0)
  assert.is(ran, 2)
})

test('does not run what was cancelled, and counts what waits', () => {
  const clock = createClock()
  const cancel = clock.after(1, () => assert.unreachable())
  assert.is(clock.pending, 1)
  cancel()
  assert.is(clock.pending, 0)
  clock.advance(10)
})

test('refuses to go back', () => {
  assert.throws(() => createClock().advance(-1), /0 or more, not -1.*setDate/)
  assert.throws(() => createClock().advance(Number.NaN), /not NaN/)
})

test.run()
