import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { projectRoot, readText, sourceFiles } from '../house/sources.ts'
import { steps } from '../faults/steps.ts'

const test = suite('the table of hostile input and faults')

const lines = readText(projectRoot, 'test/hostile/README.md').split('\n').filter((line) => line.startsWith('| '))
const cells = lines.map((line) => line.slice(1, -1).split('|'))
const code = (cell: string | undefined): string | undefined => /^`(.+)`$/.exec(cell?.trim() ?? '')?.[1]

test('every row is there', () => {
  const numbers = [[1, 12], [20, 28], [30, 39], [50, 60], [70, 76]].flatMap(([from, to]) => Array.from({ length: to! - from! + 1 }, (_, i) => from! + i))
  assert.equal(cells.map(([row]) => row!.trim()).filter((row) => /^H\d\d$/.test(row)), numbers.map((n) => `H${String(n).padStart(2, '0')}`))
  assert.ok(cells.length > 70)
})

for (const [row, , file, title] of cells.filter((each) => code(each[2]) !== undefined && code(each[3]) !== undefined)) {
  test(`${row!.trim()} ${code(title)}`, () => {
    const path = `test/hostile/${code(file)}`.replace('hostile/../', '')
    assert.ok(readText(projectRoot, path).includes(code(title)!), `${path} has no test "${code(title)}"`)
  })
}

test('the steps that it names are steps of the matrix', () => {
  const faults = lines.slice(lines.findIndex((line) => line.startsWith('| Fault')) + 1)
  const named = faults.map((line) => code(line.split('|')[2])).filter((step) => step !== undefined)
  assert.ok(named.length > 10)
  assert.equal(named.filter((step) => !(step in steps)), [])
})

test('only the doors for tabs, persistence and devtools open channels, databases and storage', () => {
  const code = sourceFiles(projectRoot).filter((file) => !/^src\/(tabs|persist|devtools)\//.test(file)).flatMap((file) => readText(projectRoot, file).split('\n').filter((line) => !/^ *[/*]/.test(line)))
  assert.equal(code.filter((line) => /indexedDB|BroadcastChannel|localStorage/.test(line)), [])
})

test.run()
