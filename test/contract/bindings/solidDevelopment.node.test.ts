import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { runSuites } from './runSuites.ts'

const test = suite("solid: under Solid's development build")

// That build tells of mistakes on the console, and the suites fail when anything is reported there.
test('the suites of the binding pass, and nothing is logged', async () => {
  const output = await runSuites('bindings.solid(Conformance|Rows|Reading)\\.test\\.js$', ['--conditions=development'], 50)
  assert.not.match(output, /You appear to have multiple instances|computations created outside/)
})

test.run()
