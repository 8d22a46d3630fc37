import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { floorFaults } from './floors.ts'
import { planted, projectRoot } from './sources.ts'

const test = suite('floors')

test('every import goes down, and there is no cycle', () => {
  assert.equal(floorFaults(projectRoot), [])
})

const reexport = (name: string, from: string): string => `export { ${name} } from '${from}'\n`
const immer = "import { produce } from 'immer'\nexport const p = produce\n"

/** What is planted, and the sentences that report it. */
const faults: Readonly<Record<string, readonly [files: Record<string, string>, ...faults: string[]]>> = {
  'an upward import is found': [
    { 'src/base/planted.ts': "import type { Controller } from '../controller/Controller.ts'\nexport type P = Controller\n" },
    'src/base/planted.ts imports src/controller/Controller.ts: floor 0 may not know floor 6.',
  ],
  'an import of the front door from a room is found': [
    { 'src/base/planted.ts': reexport('schema', '../index.ts') },
    'src/base/planted.ts imports src/index.ts: floor 0 may not know floor 8.',
  ],
  'an import of a room on the same floor is found, written as a type too': [
    { 'src/store/planted.ts': "export type P = import('../schema/other.ts').Q\n", 'src/schema/other.ts': 'export type Q = 1\n' },
    'src/store/planted.ts imports src/schema/other.ts: both are on floor 1.',
  ],
  'a cycle inside of a room is found and named': [
    {
      'src/base/a.ts': "import { b } from './b.ts'\nexport const a = (): unknown => b\n",
      'src/base/b.ts': "export const b = async (): Promise<unknown> => import('./c.ts')\n",
      'src/base/c.ts': reexport('a', './a.ts'),
    },
    'There is a cycle: src/base/a.ts → src/base/b.ts → src/base/c.ts → src/base/a.ts.',
  ],
  'bindings that do not enter through a door are found': [
    {
      'bindings/solid/planted.ts': reexport('systemClock', '../../src/base/clock.ts') + reexport('historyOf', '../../src/history/index.ts'),
      'bindings/preact/planted.ts': reexport('useController', '../solid/hooks.ts') + reexport('mockFetch', '../../src/testing/index.ts'),
    },
    'bindings/preact/planted.ts imports bindings/solid/hooks.ts: bindings enter through src/index.ts and src/history/index.ts.',
    'bindings/preact/planted.ts imports src/testing/index.ts: bindings enter through src/index.ts and src/history/index.ts.',
    'bindings/solid/planted.ts imports src/base/clock.ts: bindings enter through src/index.ts and src/history/index.ts.',
  ],
  'the front door does not open the history, which has a door of its own': [
    { 'src/index.ts': reexport('createHistory', './history/index.ts') + reexport('mockFetch', './testing/index.ts') },
    'src/index.ts imports src/history/index.ts: it has a door of its own.',
    'src/index.ts imports src/testing/index.ts: it has a door of its own.',
  ],
  'a framework in the core, another package in a binding, and a second home of Immer are found': [
    {
      'src/base/planted.ts': "import 'solid-js'\nimport 'node:fs'\n",
      'bindings/solid/planted.ts': "import 'immer'\n",
      'src/base/one.ts': immer,
      'src/base/two.ts': immer,
    },
    'Immer lives in one file, but is imported by src/base/one.ts, src/base/two.ts, src/store/immer.ts, bindings/solid/planted.ts.',
    'bindings/solid/planted.ts imports immer: bindings/solid may not know this package.',
    'src/base/planted.ts imports node:fs: src/base may not know this package.',
    'src/base/planted.ts imports solid-js: src/base may not know this package.',
  ],
  'a room that is not on the list is found': [
    { 'src/cellar/box.ts': 'export const box = 1\n' },
    'src/cellar/box.ts stands in no room; the rooms are listed in test/house/floors.ts.',
  ],
}
for (const [title, [files, ...expected]] of Object.entries(faults)) {
  test(title, () => {
    // An import of the front door closes cycles too, one for each way back.
    const found = planted(files, floorFaults).filter((fault) => title.includes('cycle') || !fault.startsWith('There is a cycle'))
    assert.equal(found.sort(), expected)
  })
}

test.run()
