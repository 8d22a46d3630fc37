import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { floorFaults } from './floors.ts'
import { planted } from './plant.ts'
import { projectRoot } from './sources.ts'

const test = suite('floors')

/** The faults that come with some files, apart from those that are there without them. */
const faultsWith = async (files: Record<string, string>): Promise<string[]> => {
  const before = floorFaults(projectRoot)
  return (await planted(files, floorFaults)).filter((fault) => !before.includes(fault))
}

test('every import goes down, and there is no cycle', () => {
  assert.equal(floorFaults(projectRoot), [])
})

test('an upward import is found', async () => {
  const faults = await faultsWith({ 'src/base/planted.ts': "import type { Controller } from '../controller/Controller.ts'\nexport type P = Controller\n" })
  assert.equal(faults, ['src/base/planted.ts imports src/controller/Controller.ts: floor 0 may not know floor 5.'])
})

test('an import of the front door from a room is found', async () => {
  const faults = await faultsWith({ 'src/base/planted.ts': "export { schema } from '../index.ts'\n" })
  assert.ok(faults.includes('src/base/planted.ts imports src/index.ts: floor 0 may not know floor 6.'))
})

test('an import of a room on the same floor is found, written as a type too', async () => {
  const faults = await faultsWith({
    'src/store/planted.ts': "export type P = import('../schema/other.ts').Q\n",
    'src/schema/other.ts': 'export type Q = 1\n',
  })
  assert.equal(faults, ['src/store/planted.ts imports src/schema/other.ts: both are on floor 1.'])
})

test('a cycle inside of a room is found and named', async () => {
  const faults = await faultsWith({
    'src/base/a.ts': "import { b } from './b.ts'\nexport const a = (): unknown => b\n",
    'src/base/b.ts': "export const b = async (): Promise<unknown> => import('./c.ts')\n",
    'src/base/c.ts': "export { a } from './a.ts'\n",
  })
  assert.equal(faults, ['There is a cycle: src/base/a.ts → src/base/b.ts → src/base/c.ts → src/base/a.ts.'])
})

test('bindings that do not enter through the front door are found', async () => {
  const faults = await faultsWith({
    'bindings/solid/planted.ts': "export { systemClock } from '../../src/base/clock.ts'\n",
    'bindings/preact/planted.ts': "export { useController } from '../solid/useController.ts'\n",
  })
  assert.is(faults.length, 2)
  for (const fault of faults) assert.match(fault, 'bindings enter through src/index.ts alone')
})

test('a framework in the core, another package in a binding, and a second home of Immer are found', async () => {
  const faults = await faultsWith({
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

test('a room that is not on the list is found', async () => {
  const faults = await faultsWith({ 'src/attic/box.ts': 'export const box = 1\n' })
  assert.equal(faults, ['src/attic/box.ts stands in no room; the rooms are listed in test/house/floors.ts.'])
})

test('the next version has floors of its own, and does not know this one', async () => {
  const faults = await faultsWith({
    'src/next/base/keys.ts': 'export const a = 1\n',
    'src/next/network/retry.ts': "export { a } from '../base/keys.ts'\n",
    'src/next/order/log.ts': "export { a } from '../network/retry.ts'\n",
    'src/next/view/node.ts': "export { clock } from '../../base/clock.ts'\n",
    'src/next/history/index.ts': 'export const h = 1\n',
    'src/next/index.ts': "export { a } from './base/keys.ts'\n",
    'src/next/bindings/solid/index.ts': "import 'solid-js'\nexport { a } from '../../index.ts'\nexport { h } from '../../history/index.ts'\nexport { a as b } from '../../base/keys.ts'\n",
    'src/base/planted.ts': "export { a } from '../next/base/keys.ts'\n",
  })
  assert.equal(faults.sort(), [
    'src/base/planted.ts imports src/next/base/keys.ts: src/next/ and the rest of src do not know each other.',
    'src/next/bindings/solid/index.ts imports src/next/base/keys.ts: bindings enter through src/next/index.ts alone.',
    'src/next/order/log.ts imports src/next/network/retry.ts: floor 4 may not know floor 5.',
    'src/next/view/node.ts imports src/base/clock.ts: src/next/ and the rest of src do not know each other.',
  ])
})

test.run()
