import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { adapter, reachFaults } from './reach.ts'
import { planted, projectRoot, readText } from './sources.ts'

const test = suite('what suites may import')

test('contract imports only the public doors; laws, hostile and faults the adapter too', () => {
  assert.equal(reachFaults(projectRoot), [])
})

test('an import of an internal is found, also a type and also behind a support file', () => {
  const faults = planted(
    {
      'test/contract/store/planted.test.ts': "import type { Draft } from '../../../src/store/Draft.ts'\nexport type P = Draft\n",
      'test/contract/store/behind.test.ts': "import '../../support/planted.ts'\nimport '../../adapter.ts'\n",
      'test/support/planted.ts': "import '../../src/store/Draft.ts'\n",
      'test/laws/planted.test.ts': "import '../adapter.ts'\nimport '../../src/index.ts'\nimport '../../src/base/keys.ts'\n",
    },
    reachFaults,
  )
  assert.equal(faults, [
    'test/contract/store/behind.test.ts imports test/adapter.ts: what test/contract runs may import only the public doors.',
    'test/contract/store/planted.test.ts imports src/store/Draft.ts: what test/contract runs may import only the public doors.',
    'test/laws/planted.test.ts imports src/base/keys.ts: what test/laws runs may import only the public doors and test/adapter.ts.',
    'test/support/planted.ts imports src/store/Draft.ts: what test/contract runs may import only the public doors.',
  ])
})

test('the adapter names at most ten internals, each with a reason', () => {
  const lines = readText(projectRoot, adapter).split('\n')
  const exported = lines.filter((line) => line.startsWith('export '))
  assert.ok(exported.length > 0 && exported.length <= 10, `${exported.length} names`)
  for (const line of exported) assert.match(lines[lines.indexOf(line) - 1]!, /^\/\*\* .*\. \*\/$/, line)
})

test.run()
