import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { doorFaults, frozenFile, readDoors, type Doors } from './doors.ts'
import { planted, projectRoot, readText } from './sources.ts'

const test = suite('public names')

const frozen = JSON.parse(readText(projectRoot, frozenFile)) as Doors
const found = readDoors(projectRoot)

/** What is noticed when something is added at the end of a file. */
const faultsAfter = (file: string, addition: string, more: Record<string, string> = {}): string[] =>
  planted({ [file]: readText(projectRoot, file) + addition, ...more }, (tree) => doorFaults(found, readDoors(tree)))

test('every door has the names that were agreed on, and no other', () => {
  assert.equal(doorFaults(frozen, found), [])
})

test('what a door gives at run time is the list of its values', async () => {
  for (const [door, { values }] of Object.entries(frozen)) {
    assert.equal(Object.keys((await import(door)) as object).sort(), values.filter((name) => !name.includes('.')), door)
  }
})

const remedy = 'If that is meant, run npm run doors:update and say so in CHANGELOG.md.'

test('a name added to a door is found, a type too', () => {
  const faults = faultsAfter('src/index.ts', 'export const planted = 1\nexport interface Planted {}\n')
  assert.equal(faults, [`patchcord has a new value planted. ${remedy}`, `patchcord has a new type Planted. ${remedy}`])
})

test('a name added to a namespace is found', () => {
  const more = { 'bindings/solid/more.ts': 'export const one = 1\nexport type Two = 2\n' }
  const faults = faultsAfter('bindings/solid/index.ts', "export * as more from './more.ts'\n", more)
  assert.equal(faults, ['value more', 'value more.one', 'type more.Two'].map((name) => `patchcord/solid has a new ${name}. ${remedy}`))
})

test('a name that is gone is found', () => {
  const { values, types } = found['patchcord/solid']!
  const faults = doorFaults(found, { ...found, 'patchcord/solid': { values: values.slice(1), types } })
  assert.equal(faults, [`patchcord/solid has lost its value DataProvider. ${remedy}`])
})

test.run()
