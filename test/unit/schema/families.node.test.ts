import { spawnSync } from 'node:child_process'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const test = suite('schema: functions of their own')

const path = (name: string): string => JSON.stringify(new URL(`../../../src/${name}.js`, import.meta.url).href)

/** In a process of its own: what classes have is counted for as long as it lives. */
function run(code: string): unknown {
  const program = `
    import { Entity, emptyState, normalize } from ${path('index')}
    import { planOf } from ${path('schema/plan')}
    const classes = Array.from({ length: 40 }, (_, i) => class extends Entity { static key = 'Class' + i })
    const rows = (count, from = 0) => Array.from({ length: count }, (_, i) => ({ id: String(from + i) }))
    const families = () => classes.map(each => planOf(each).family)
    ${code}
  `
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--conditions=browser', '--input-type=module', '-e', program], { encoding: 'utf8' })
  assert.is(status, 0, stderr)
  return JSON.parse(stdout)
}

test('classes of a few rows share one family, however many there are', () => {
  const families = run('for (const each of classes) for (let n = 0; n < 50; n++) normalize([each], rows(99)); console.log(JSON.stringify(families()))')
  assert.equal(families, Array.from({ length: 40 }, () => 0))
})

test('a class of many rows gets the next one, and those who come too late share the first', () => {
  const found = run(`
    for (const each of classes.slice(10, 20)) normalize([each], rows(100))
    const [plain, own, late] = [0, 10, 19].map(i => planOf(classes[i]))
    const same = (a, b) => ['make', 'copy', 'compare'].map(name => a[name] === b[name])
    console.log(JSON.stringify([families().slice(8, 20), same(plain, own), same(plain, late)]))
  `)
  assert.equal(found, [
    [0, 0, 1, 2, 3, 4, 5, 0, 0, 0, 0, 0],
    [false, false, false],
    [true, true, true],
  ])
})

test('it is the rows of the table that count, whether they come together or one by one, alone or with others', () => {
  const found = run(`
    import { applyPatches } from ${path('index')}
    let state = emptyState
    for (let n = 0; n < 100; n++) {
      const { patches, stamps } = normalize({ one: classes[0], few: [classes[1]] }, { one: { id: String(n) }, few: rows(9) }, [], state)
      state = applyPatches(state, patches, stamps)
    }
    console.log(JSON.stringify(families().slice(0, 3)))
  `)
  assert.equal(found, [1, 0, 0])
})

test('a class keeps its family when its schema changes', () => {
  const found = run(`
    normalize([classes[0]], rows(100))
    classes[0].schema = { other: classes[1] }
    console.log(JSON.stringify([planOf(classes[0]).family, planOf(classes[0]).fields.length]))
  `)
  assert.equal(found, [1, 1])
})

test.run()
