import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createBreaker } from '../../../src/controller/breaker.ts'
import { createClock } from '../../../src/testing/index.ts'

const test = suite('no loops')

test('thousands of reads that are made at once do not look through each other', () => {
  const breaker = createBreaker(createClock(), () => {})
  const start = performance.now()
  for (let n = 0; n < 40_000; n++) breaker.pass(`GET /rows/${n}`)
  assert.ok(performance.now() - start < 1000, 'forty thousand within a second')
})

test.run()
