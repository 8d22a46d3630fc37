import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { planted } from './plant.ts'
import { projectRoot, readText } from './sources.ts'

interface Entry {
  readonly name: string
  readonly from: Readonly<Record<string, readonly string[]>>
  readonly ceiling: number
  readonly contract?: number
}

interface Row extends Entry {
  readonly missing: readonly string[]
  readonly gzip?: number
  readonly brotli?: number
}

const { budgets, measure, readmeTable, shortfalls, sizeFaults, withTable } = (await import(
  pathToFileURL(join(projectRoot, 'bench/size.mjs')).href
)) as {
  budgets: readonly Entry[]
  measure(root: string, entries?: readonly Entry[]): Promise<Row[]>
  sizeFaults(rows: readonly Row[]): string[]
  shortfalls(rows: readonly Row[]): string[]
  readmeTable(rows: readonly Row[]): string
  withTable(readme: string, rows: readonly Row[]): string
}

const test = suite('sizes')

const entry: Entry = { name: 'an error', from: { patchcord: ['PatchcordError'] }, ceiling: 1, contract: 1 }

test('no import weighs more than it did', async () => {
  assert.equal(sizeFaults(await measure(projectRoot, budgets)), [])
})

test('growth is found', async () => {
  const noise = Array.from({ length: 1000 }, (_, index) => Math.sin(index)).join()
  const dist = readText(projectRoot, 'dist/index.js')
  const faults = await planted({ 'dist/index.js': `${dist}\nconsole.log([${noise}])\n` }, async (root) => sizeFaults(await measure(root, [entry])))
  assert.is(faults.length, 1)
  assert.match(String(faults[0]), /^an error is \d+\.\d kB gzipped, over its ceiling of 1 kB by \d+ bytes\.$/)
})

test('a name that no door has yet is said, not weighed', async () => {
  const rows = await measure(projectRoot, [{ ...entry, from: { 'patchcord/solid': ['useController', 'useNothing'] } }])
  assert.equal(rows[0]?.missing, ['useNothing'])
  assert.equal(sizeFaults(rows), [])
  assert.match(readmeTable(rows), '| an error | not yet | not yet | 1 kB |')
})

test('a contract that is missed is said', () => {
  const row = { ...entry, missing: [], gzip: 2500, brotli: 2000 }
  assert.equal(shortfalls([row, { ...row, gzip: 999 }]), ['an error is 2.5 kB gzipped; the contract is 1 kB. MISSED by 1.5 kB.'])
})

test('another number in the README is noticed, and put right', () => {
  const rows = [{ ...entry, missing: [], gzip: 1234, brotli: 1000 }]
  const right = `before\n${readmeTable(rows)}\nafter`
  assert.match(right, '| an error | 1.2 kB | 1.0 kB | 1 kB |')
  assert.is(withTable(right, rows), right)
  assert.is(withTable(right.replace('1.2 kB', '1.1 kB'), rows), right)
  assert.throws(() => withTable('nothing', rows), /no place for the sizes/)
})

test.run()
