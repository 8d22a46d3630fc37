import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { gates, rooms, type Budgets, type Figures } from './gates.ts'
import { projectRoot, readText } from './sources.ts'

const test = suite('rooms and budgets')

/** A tree of sources and of what tsc has made of them. */
async function inTree(use: (root: string) => unknown): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'patchcord-rooms-'))
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  for (const [file, text] of Object.entries(tree)) {
    write(file, text)
    write(`build/${file.replace(/\.ts$/, '.js')}`, text.replaceAll(".ts'", ".js'"))
  }
  await Promise.resolve(use(root)).finally(() => rmSync(root, { recursive: true, force: true }))
}

const tree = {
  'src/index.ts': "export { a } from './base/a.ts'\nexport { b } from './store/b.ts'\n",
  'src/base/a.ts': '// A comment.\nexport const a = (value) => `${value}`.repeat(3)\n',
  'src/store/b.ts': "import { a } from '../base/a.ts'\nimport { c } from './c.ts'\nexport const b = (value) => a(c(value))\n",
  'src/store/c.ts': 'export const c = (value) => [value, value]\n',
  'bindings/solid/index.ts': "import { createSignal } from 'solid-js'\nexport const useIt = () => createSignal(1)\n",
  'src/history/index.ts': "import { b } from '../store/b.ts'\nexport const undo = () => b(1)\n",
}

test('a folder of src is a room, and so is each binding', () =>
  inTree((root) => {
    assert.equal([...rooms.roomsOf(root)], [
      ['base', ['src/base/a.ts']],
      ['history', ['src/history/index.ts']],
      ['doors', ['src/index.ts']],
      ['store', ['src/store/b.ts', 'src/store/c.ts']],
      ['bindings/solid', ['bindings/solid/index.ts']],
    ])
  }))

test('a room is weighed alone, with all its modules', () =>
  inTree(async (root) => {
    const before = await rooms.measureRooms(root)
    assert.equal([before.base?.lines, before.store?.lines, before.store?.files, before.doors?.gzip], [1, 4, 2, 0])
    const noise = Array.from({ length: 300 }, (_, index) => Math.sin(index)).join()
    writeFileSync(join(root, 'build/src/base/a.js'), `export const a = [${noise}]\n`)
    const after = await rooms.measureRooms(root)
    assert.ok(after.base!.gzip > before.base!.gzip + 1_000)
    assert.is(after.store!.gzip, before.store!.gzip)
    writeFileSync(join(root, 'build/src/store/c.js'), `export const c = [${noise}]\n`)
    assert.ok((await rooms.measureRooms(root)).store!.gzip > before.store!.gzip + 1_000)
  }))

test('an import is weighed with what it needs and without frameworks', () =>
  inTree(async (root) => {
    const both = await rooms.measureImport(root, { patchcord: ['b'], 'patchcord/solid': ['useIt'] })
    assert.match(String(both.code), "from 'solid-js'")
    assert.match(String(both.code), 'repeat(3)')
    const one = await rooms.measureImport(root, { patchcord: ['a'] })
    assert.ok(one.gzip! < both.gzip!)
    assert.equal(await rooms.measureImport(root, { patchcord: '*' }), await rooms.measureImport(root, { patchcord: ['a', 'b'] }))
    assert.equal(await rooms.measureImport(root, { 'patchcord/history': '*' }), await rooms.measureImport(root, { 'patchcord/history': ['undo'] }))
  }))

test('a name or a door that is not there is named', () =>
  inTree(async (root) => {
    assert.equal(await rooms.measureImport(root, { patchcord: ['a', 'nothing'] }), { missing: ['nothing'] })
    assert.equal(await rooms.measureImport(root, { patchcord: ['a'], 'patchcord/preact': ['useIt'], 'patchcord/testing': '*' }), { missing: ['useIt from patchcord/preact', 'patchcord/testing'] })
  }))

const budgets: Budgets = {
  enforce: false,
  rooms: {
    base: { lines: { contract: 10, ceiling: 20 }, gzip: { contract: 1_000, ceiling: 2_000 } },
    view: { lines: { contract: 30, ceiling: 15 } },
    network: { lines: { contract: 5 } },
    managers: { lines: { ceiling: 40 } },
  },
  total: { lines: { contract: 50, ceiling: 100 } },
  imports: { app: { from: { patchcord: ['Entity'] }, gzip: { contract: 26_000, ceiling: 61_700 } } },
}
const figures = (more: Partial<Record<keyof Budgets['rooms'], readonly [lines: number, gzip: number]>> = {}, app?: number): Figures => ({
  rooms: Object.fromEntries(Object.entries({ base: [20, 2_000] as const, ...more }).map(([name, of]) => [name, { files: 1, lines: of![0], gzip: of![1] }])),
  ...(app === undefined ? {} : { imports: { app: { gzip: app, missing: [] } } }),
})

const gone: Figures = { ...figures({ cellar: [90, 0] }), imports: { app: { missing: ['Entity'] } } }
const enforced = ['base: 20 code lines, over its contract of 10 by 10 lines.', 'base: 2.0 kB gzip, over its contract of 1.0 kB by 1000 bytes.']

for (const [title, found, limits, isOnlyContract, faults] of [
  ['a figure at its ceiling passes', figures({}, 61_700), budgets, undefined, []],
  ['a figure above its ceiling fails, and says by how much', figures({ base: [21, 2_100], managers: [41, 0] }, 61_760), budgets, undefined, [
    'base: 21 code lines, over its ceiling of 20 by 1 lines.',
    'base: 2.1 kB gzip, over its ceiling of 2.0 kB by 100 bytes.',
    'managers: 41 code lines, over its ceiling of 40 by 1 lines.',
    'app: 61.8 kB gzip, over its ceiling of 61.7 kB by 60 bytes.',
  ]],
  ['a figure within its contract passes', figures({ view: [30, 0], network: [5, 0] }), budgets, undefined, []],
  ['a room without a ceiling has its contract', figures({ view: [31, 0], network: [6, 0] }), budgets, undefined, [
    'view: 31 code lines, over its contract of 30 by 1 lines.',
    'network: 6 code lines, over its contract of 5 by 1 lines.',
  ]],
  ['the contract is the limit once it is enforced', figures(), { ...budgets, enforce: true }, undefined, enforced],
  ['the contract is the limit for who asks for it', figures(), budgets, true, enforced],
  ['an unknown room, too many lines in total, and an import that is gone fail', gone, budgets, undefined, [
    'cellar is not in .ci/budgets.json. Add the room with its limits, or move its files.',
    'all rooms: 110 code lines, over its ceiling of 100 by 10 lines.',
    'app cannot be imported: there is no Entity.',
  ]],
] as const) {
  test(title, () => assert.equal(gates.gateFaults(found, limits, isOnlyContract), faults))
}

test('recording lowers ceilings, never raises or adds one, and drops those that have reached their contract', () => {
  const next = gates.lowered(budgets, figures({ base: [12, 2_500], view: [14, 0], network: [9, 0] }, 60_000))
  assert.equal(next.rooms, {
    base: { lines: { contract: 10, ceiling: 12 }, gzip: { contract: 1_000, ceiling: 2_000 } },
    view: { lines: { contract: 30 } },
    network: { lines: { contract: 5 } },
  })
  assert.equal([next.total.lines, next.imports.app?.gzip.ceiling], [{ contract: 50 }, 60_000])
  assert.is(budgets.rooms.base?.lines.ceiling, 20)
})

test('the file is written as it is read', () => {
  assert.is(gates.budgetsText(gates.readBudgets(projectRoot)), readText(projectRoot, '.ci/budgets.json'))
})

test('another number in the README is noticed, and put right', () => {
  const right = gates.withSizes('before\n<!-- sizes --><!-- /sizes -->\nafter', figures({}, 61_700), budgets)
  assert.match(right, /^before\n<!-- sizes -->\n[^]*\| app \| `Entity` \| 61\.7 kB \| 26\.0 kB \|\n<!-- \/sizes -->\nafter$/)
  assert.is(gates.withSizes(right.replace('61.7 kB', '61.6 kB'), figures({}, 61_700), budgets), right)
  assert.throws(() => gates.withSizes('nothing', figures({}, 1), budgets), /no markers for the sizes/)
})

test.run()
