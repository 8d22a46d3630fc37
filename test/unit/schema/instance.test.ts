import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Entity } from '../../../src/index.ts'
import type { Fields } from '../../../src/index.ts'
import { allocateView, isPolluted } from '../../../src/schema/entityView.ts'
import type { EntityClass } from '../../../src/schema/interface.ts'
import { planOf } from '../../../src/schema/plan.ts'

const test = suite('instances of records')

/** More names than a class has places for, some of them members of every class. */
const MEMBERS = ['pk', 'constructor', 'toString', 'label', 'shout']
const names = fc.oneof(
  fc.constantFrom('id', 'a', 'b', 'c', 'd', ...MEMBERS),
  fc.integer({ min: 0, max: 90 }).map(n => `f${n}`),
)
const records = fc.array(fc.uniqueArray(fc.tuple(names, fc.integer()), { selector: ([name]) => name, maxLength: 40 }), { minLength: 1, maxLength: 12 })

function makeClass(): EntityClass {
  return class Made extends Entity {
    id = ''
    a = 'default'
    c: unknown = null
    get label(): string {
      return `label of ${this.a}`
    }
    shout(): string {
      return 'shouted'
    }
    static override key = 'Made'
  } as unknown as EntityClass
}

/** What an instance has to show of a record. */
function expected(record: Fields): Fields {
  const own = Object.entries(record).filter(([name]) => !MEMBERS.includes(name))
  return { id: '', a: 'default', c: null, ...Object.fromEntries(own) }
}

const quietly = (work: () => void): void => {
  const { warn } = console
  console.warn = () => {}
  try {
    work()
  } finally {
    console.warn = warn
  }
}

test('whatever names records have, in whatever order: defaults, then the fields, and never a member of the class', () => {
  quietly(() =>
    fc.assert(
      fc.property(records, fc.boolean(), (rows, polluted) => {
        const entity = makeClass()
        for (const row of rows) {
          const record = Object.fromEntries(row)
          const view = allocateView(entity, record, planOf(entity), polluted || isPolluted()) as Fields & { shout(): string }
          assert.equal({ ...view }, expected(record))
          assert.instance(view, entity)
          assert.is(view['label'], `label of ${String(view['a'])}`)
          assert.is(view.shout(), 'shouted')
        }
      }),
      { numRuns: 300 },
    ),
  )
})

test('each name keeps its place, however many records come with fields left out', () => {
  const entity = makeClass()
  const view = (record: Fields): void => void allocateView(entity, record)
  view({ id: '1', d: 1 })
  view({ id: '2', a: 'x', d: 1 })
  view({ d: 1, a: 'x', id: '3' })
  assert.equal(planOf(entity).plain, ['id', 'd', 'a'])
})

test('more names than have a place are shown, and not remembered', () => {
  const entity = makeClass()
  const wide = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`f${i}`, i]))
  assert.equal({ ...allocateView(entity, wide) }, expected(wide))
  assert.equal({ ...allocateView(entity, { f199: 'x', f0: 'y', id: 'z' }) }, expected({ f199: 'x', f0: 'y', id: 'z' }))
  assert.ok(planOf(entity).plain.length <= 64)
})

test('more classes than makers: those that share one do not see each other’s names', () => {
  const classes = Array.from({ length: 20 }, makeClass)
  classes.forEach((entity, i) => assert.equal({ ...allocateView(entity, { [`f${i}`]: i, id: `${i}` }) }, expected({ [`f${i}`]: i, id: `${i}` })))
  classes.forEach((entity, i) => assert.equal(planOf(entity).plain, [`f${i}`, 'id']))
})

test.run()
