import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { applyPatches, emptyState, Entity, type Patch } from '../../../src/index.ts'
import { warnings } from '../../support/caught.ts'
import { readResult, readRow } from '../../support/state.ts'
import { write } from '../../support/write.ts'

const test = suite('regressions: bugs that other stores had')

class Doc extends Entity {
  id = ''
  static override key = 'Doc'
}
const at = (...path: (string | number)[]): (string | number)[] => ['entities', 'Doc', '1', ...path]

test('apollo-client#8618 what merge is given and returns is not used again for another row', () => {
  const scratch: { [field: string]: unknown } = {}
  class Recycling extends Entity {
    static override key = 'Recycling'
    static override merge(existing: object, incoming: object): { [field: string]: unknown } {
      return Object.assign(scratch, existing, incoming)
    }
  }
  const first = write([Recycling], [{ id: '1', a: 1 }, { id: '2', b: 1 }]).state
  const { state } = write([Recycling], [{ id: '1', x: [1] }, { id: '2', y: 1 }], first)
  assert.equal(readRow(state, 'Recycling', '1'), { id: '1', a: 1, x: [1] })
})

test('TanStack/query open: an own __proto__ in data that is compared with what is there stays out', () => {
  const { state } = write(Doc, { id: '1', deep: { a: 1 } })
  const evil: unknown = JSON.parse('{"id":"1","deep":{"a":1,"__proto__":{"isAdmin":true}}}')
  warnings(() => assert.equal(write(Doc, evil, state).change.patches, []))
})

test('immer#888 a result that is a primitive is replaced as a whole', () => {
  let state = applyPatches(emptyState, [{ op: 'add', path: ['endpoints', 'k'], value: 1 }])
  for (const value of ['two', { list: [] }]) {
    state = applyPatches(state, [{ op: 'replace', path: ['endpoints', 'k'], value }])
    assert.equal(readResult(state, 'k'), value)
  }
})

test('immer#1283 #1289 what ends where it began leaves the entities as they are', () => {
  const { state } = write(Doc, { id: '1', n: 1, list: [1, 2] })
  for (const patches of [
    [{ op: 'replace', path: at('n'), value: 1 }],
    [{ op: 'replace', path: at('list', 0), value: 1 }],
    [{ op: 'replace', path: at('n'), value: 2 }, { op: 'replace', path: at('n'), value: 1 }],
    [{ op: 'add', path: at('x'), value: 2 }, { op: 'remove', path: at('x') }],
    [{ op: 'replace', path: at(), value: { list: [1, 2], n: 1, id: '1' } }],
  ] as Patch[][]) {
    assert.is(applyPatches(state, patches).entities, state.entities, JSON.stringify(patches))
  }
})

test.run()
