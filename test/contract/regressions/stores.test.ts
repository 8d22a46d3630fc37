import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Entity } from '../../../src/index.ts'
import { warnings } from '../../support/caught.ts'
import { readRow } from '../../support/state.ts'
import { write } from '../../support/write.ts'

const test = suite('regressions: bugs that other stores had')

class Doc extends Entity {
  id = ''
  static override key = 'Doc'
}

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

test.run()
