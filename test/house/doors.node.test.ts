import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { doorFaults, frozenFile, readDoors } from './doors.ts'
import type { Doors } from './doors.ts'
import { planted, projectRoot, readText } from './sources.ts'

const test = suite('public names')

const frozen = JSON.parse(readText(projectRoot, frozenFile)) as Doors

/** What is noticed when something is added at the end of a file. */
const faultsAfter = (file: string, addition: string, more: Record<string, string> = {}): string[] =>
  planted({ [file]: readText(projectRoot, file) + addition, ...more }, (tree) => doorFaults(readDoors(projectRoot), readDoors(tree)))

test('every door has the names that were agreed on, and no other', () => {
  assert.equal(doorFaults(frozen, readDoors(projectRoot)), [])
})

test('what a door gives at run time is the list of its values', async () => {
  for (const [door, { values }] of Object.entries(frozen)) {
    const module = (await import(door)) as object
    assert.equal(Object.keys(module).sort(), values.filter((name) => !name.includes('.')), door)
  }
})

test('a name added to a door is found, a type too', () => {
  const faults = faultsAfter('src/index.ts', 'export const planted = 1\nexport interface Planted {}\n')
  assert.is(faults.length, 2)
  assert.match(String(faults[0]), 'patchcord has a new value planted. If that is meant, run npm run doors:update')
  assert.match(String(faults[1]), 'patchcord has a new type Planted.')
})

test('a name added to a namespace is found', () => {
  const faults = faultsAfter('bindings/solid/index.ts', "export * as more from './more.ts'\n", {
    'bindings/solid/more.ts': 'export const one = 1\nexport type Two = 2\n',
  })
  assert.equal(
    faults.map((fault) => fault.replace(/\. If that.*/, '')),
    ['patchcord/solid has a new value more', 'patchcord/solid has a new value more.one', 'patchcord/solid has a new type more.Two'],
  )
})

test('a name that is gone is found', () => {
  const found = readDoors(projectRoot)
  const solid = found['patchcord/solid']
  assert.ok(solid)
  const faults = doorFaults(found, { ...found, 'patchcord/solid': { ...solid, values: solid.values.slice(1) } })
  assert.is(faults.length, 1)
  assert.match(String(faults[0]), 'patchcord/solid has lost its value DataProvider')
})

test.run()
