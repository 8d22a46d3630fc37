import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Directory, hashOf, type Listed } from '../../../src/store/directory.ts'

const test = suite('directories')

/** How often somebody looked where a cell belongs. */
let looks = 0

function listed(pk: string, slot: number): Listed {
  const hash = hashOf(pk)
  return {
    pk,
    slot,
    link: 0,
    get hash() {
      looks++
      return hash
    },
  }
}

function filled(pks: Iterable<string>): Directory<Listed> {
  const directory = new Directory<Listed>()
  let slot = 0
  for (const pk of pks) if (directory.find(pk, hashOf(pk)) === undefined) directory.add(listed(pk, slot++))
  return directory
}

/** Some differ at their ends, some only before; "Aa" and "BB" have one hash. */
const pk = fc.oneof(
  fc.nat(60).map(String),
  fc.nat(60).map(n => `${n}, which ends alike`),
  fc.array(fc.constantFrom('Aa', 'BB'), { minLength: 1, maxLength: 5 }).map(parts => parts.join('')),
  fc.string({ maxLength: 3 }),
)

test('whatever comes and goes, what is there is found, and nothing else', () => {
  let degenerate = 0
  fc.assert(
    fc.property(fc.array(fc.record({ pk, leaves: fc.boolean() }), { maxLength: 300, size: 'max' }), steps => {
      const directory = new Directory<Listed>()
      const model = new Map<string, Listed>()
      let next = 0
      for (const { pk: name, leaves } of steps) {
        const known = model.get(name)
        assert.is(directory.find(name, hashOf(name)), known)
        if (known === undefined) {
          const cell = listed(name, next++)
          directory.add(cell)
          model.set(name, cell)
        } else if (leaves) {
          directory.remove(known, next)
          model.delete(name)
        }
      }
      assert.is(directory.size, model.size)
      assert.equal([...directory.cells()], [...model.values()].sort((a, b) => a.slot - b.slot))
      for (const [name, cell] of model) assert.ok(directory.find(name, hashOf(name)) === cell && directory.at(cell.slot) === cell)
      if ([...model.keys()].filter(name => name.endsWith('alike')).length > 40) degenerate++
    }),
    { numRuns: 2000 },
  )
  assert.ok(degenerate > 0, 'no directory came to hold many pks that end alike')
})

const COUNT = 20_000
const numbers = Array.from({ length: COUNT }, (_, i) => i)
const kinds: { [kind: string]: (n: number) => string } = {
  numbers: String,
  'names with a number': n => `Platform${n >> 3}_Lint${n}`,
  uuids: n => [1, 2, 3, 4].map(part => (Math.imul(n + part * 7919, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0')).join('-'),
  'addresses with a slash at the end': n => `https://example.org/people/${n}/`,
  'the same end': n => `${n}-which-ends-alike`,
  mails: n => `someone${n}@example.org`,
  times: n => new Date(n * 60_000).toISOString(),
}

for (const [kind, name] of Object.entries(kinds)) {
  test(`${kind}: to find one takes a look at a few, however many there are`, () => {
    const pks = numbers.map(name)
    const directory = filled(pks)
    looks = 0
    for (const each of pks) assert.is(directory.find(each, hashOf(each))!.pk, each)
    const absent = pks.map(each => `x${each}`)
    for (const each of absent) assert.is(directory.find(each, hashOf(each)), undefined)
    assert.ok(looks < 3 * COUNT, `${looks} looks`)
  })
}

test('filling one with pks that end alike takes no longer than with others', () => {
  const cost = (name: (n: number) => string): number => {
    looks = 0
    filled(numbers.map(name))
    return looks
  }
  assert.ok(cost(kinds['the same end']!) < cost(String))
})

test('places become fewer when cells have gone, and those that stay are found', () => {
  const made: number[] = []
  class Counted extends Array<number> {
    constructor(length: number) {
      super(length)
      made.push(length)
    }
  }
  const { Array: original } = globalThis
  const directory = filled(numbers.map(String))
  globalThis.Array = Counted as unknown as ArrayConstructor
  try {
    for (const n of numbers) if (n % 1000 > 0 || n >= 19_000) directory.remove(directory.at(n)!, COUNT)
  } finally {
    globalThis.Array = original
  }
  assert.ok(made.length > 0 && made.at(-1)! <= 1024, `places: ${made.join(', ')}`)
  assert.equal([...directory.cells()].map(({ pk }) => directory.find(pk, hashOf(pk))!.slot), Array.from({ length: 19 }, (_, n) => n * 1000))
  for (const n of numbers.slice(-500)) directory.add(listed(`new ${n}`, COUNT + n))
  assert.is(directory.find('new 19999', hashOf('new 19999'))!.slot, COUNT + 19_999)
})

test('whoever goes through the cells looks at no more of them than he wants', () => {
  const directory = filled(numbers.map(String))
  const [first] = directory.cells()
  assert.is(first!.slot, 0)
  const seen: number[] = []
  for (const { slot } of directory.cells()) {
    seen.push(slot)
    if (slot === 0) directory.add(listed('late', COUNT))
  }
  assert.is(seen.at(-1), COUNT)
})

test('room is given back page by page', () => {
  const directory = filled(numbers.map(String))
  for (const n of numbers) if (n >= 1024 && n < 2048) directory.remove(directory.at(n)!, COUNT)
  assert.is(directory.at(1500), undefined)
  assert.is(directory.size, COUNT - 1024)
  assert.is(directory.find('2048', hashOf('2048')), directory.at(2048))
  assert.is(directory.find('1500', hashOf('1500')), undefined)
})

test.run()
