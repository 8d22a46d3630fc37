import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { floorFaults } from './floors.ts'
import { planted, projectRoot } from './sources.ts'

const test = suite('floors')

/** The faults that come with some files, apart from those that are there without them. */
const faultsWith = (files: Record<string, string>): string[] => {
  const before = floorFaults(projectRoot)
  return planted(files, floorFaults).filter((fault) => !before.includes(fault))
}

test('every import goes down, and there is no cycle', () => {
  assert.equal(floorFaults(projectRoot), [])
})

test('an upward import is found', () => {
  const faults = faultsWith({ 'src/base/planted.ts': "import type { Controller } from '../controller/Controller.ts'\nexport type P = Controller\n" })
  assert.equal(faults, ['src/base/planted.ts imports src/controller/Controller.ts: floor 0 may not know floor 6.'])
})

test('an import of the front door from a room is found', () => {
  const faults = faultsWith({ 'src/base/planted.ts': "export { schema } from '../index.ts'\n" })
  assert.ok(faults.includes('src/base/planted.ts imports src/index.ts: floor 0 may not know floor 8.'))
})

test('an import of a room on the same floor is found, written as a type too', () => {
  const faults = faultsWith({
    'src/store/planted.ts': "export type P = import('../schema/other.ts').Q\n",
    'src/schema/other.ts': 'export type Q = 1\n',
  })
  assert.equal(faults, ['src/store/planted.ts imports src/schema/other.ts: both are on floor 1.'])
})

test('a cycle inside of a room is found and named', () => {
  const faults = faultsWith({
    'src/base/a.ts': "import { b } from './b.ts'\nexport const a = (): unknown => b\n",
    'src/base/b.ts': "export const b = async (): Promise<unknown> => import('./c.ts')\n",
    'src/base/c.ts': "export { a } from './a.ts'\n",
  })
  assert.equal(faults, ['There is a cycle: src/base/a.ts → src/base/b.ts → src/base/c.ts → src/base/a.ts.'])
})

test('bindings that do not enter through a door are found', () => {
  const faults = faultsWith({
    'bindings/solid/planted.ts': "export { systemClock } from '../../src/base/clock.ts'\nexport { historyOf } from '../../src/history/index.ts'\n",
    'bindings/preact/planted.ts': "export { useController } from '../solid/hooks.ts'\nexport { mockFetch } from '../../src/testing/index.ts'\n",
  })
  assert.equal(faults.sort(), [
    'bindings/preact/planted.ts imports bindings/solid/hooks.ts: bindings enter through src/index.ts and src/history/index.ts.',
    'bindings/preact/planted.ts imports src/testing/index.ts: bindings enter through src/index.ts and src/history/index.ts.',
    'bindings/solid/planted.ts imports src/base/clock.ts: bindings enter through src/index.ts and src/history/index.ts.',
  ])
})

test('the front door does not open the history, which has a door of its own', () => {
  const faults = faultsWith({ 'src/index.ts': "export { createHistory } from './history/index.ts'\nexport { mockFetch } from './testing/index.ts'\n" })
  assert.equal(faults, [
    'src/index.ts imports src/history/index.ts: it has a door of its own.',
    'src/index.ts imports src/testing/index.ts: it has a door of its own.',
  ])
})

test('a framework in the core, another package in a binding, and a second home of Immer are found', () => {
  const faults = faultsWith({
    'src/base/planted.ts': "import 'solid-js'\nimport 'node:fs'\n",
    'bindings/solid/planted.ts': "import 'immer'\n",
    'src/base/one.ts': "import { produce } from 'immer'\nexport const p = produce\n",
    'src/base/two.ts': "import { produce } from 'immer'\nexport const p = produce\n",
  })
  assert.match(faults.join('\n'), 'src/base/planted.ts imports solid-js: src/base may not know this package.')
  assert.match(faults.join('\n'), 'src/base/planted.ts imports node:fs: src/base may not know this package.')
  assert.match(faults.join('\n'), 'bindings/solid/planted.ts imports immer: bindings/solid may not know this package.')
  assert.match(faults.join('\n'), 'Immer lives in one file')
})

test('a room that is not on the list is found', () => {
  const faults = faultsWith({ 'src/cellar/box.ts': 'export const box = 1\n' })
  assert.equal(faults, ['src/cellar/box.ts stands in no room; the rooms are listed in test/house/floors.ts.'])
})

test.run()
