import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readRow, readStamp } from '../../support/state.ts'
import { Entity, ValidationError } from '../../../src/index.ts'
import type { Fields, Meta, State } from '../../../src/index.ts'
import { caught } from '../../support/caught.ts'
import { at, write } from '../../support/write.ts'

const test = suite('an entity that is already stored')

class Plain extends Entity {
  static override key = 'Plain'
}

const fetchedAt = (state: State, key: string, pk: string): number | undefined => readStamp(state, key, pk)?.fetchedAt

test('takes the incoming fields and keeps the others', () => {
  const first = write(Plain, { id: '1', a: 1, b: 1 }, undefined, [], at(1)).state
  const { state, change } = write(Plain, { id: '1', b: 2, c: 2 }, first, [], at(2))
  assert.equal(readRow(state, 'Plain', '1'), { id: '1', a: 1, b: 2, c: 2 })
  assert.equal(change.patches, [
    { op: 'replace', path: ['entities', 'Plain', '1', 'b'], value: 2 },
    { op: 'add', path: ['entities', 'Plain', '1', 'c'], value: 2 },
  ])
  assert.is(fetchedAt(state, 'Plain', '1'), 2)
})

test('null and absent are different: null replaces, absent keeps', () => {
  const first = write(Plain, { id: '1', a: 1, b: 1 }).state
  assert.equal(readRow(write(Plain, { id: '1', a: null, b: undefined }, first).state, 'Plain', '1'), { id: '1', a: null, b: 1 })
})

test('an answer that was asked for earlier only adds what is not known, and keeps the newer stamp', () => {
  const first = write(Plain, { id: '1', a: 'new' }, undefined, [], at(5)).state
  const { state } = write(Plain, { id: '1', a: 'old', b: 'old' }, first, [], at(3))
  assert.equal(readRow(state, 'Plain', '1'), { id: '1', a: 'new', b: 'old' })
  assert.is(fetchedAt(state, 'Plain', '1'), 5)
})

/** The defaults, spelled out: they must do what the unmodified class does. */
class Spelled extends Entity {
  static override key = 'Spelled'
  static override shouldUpdate(...all: [Meta, Meta, Fields, Fields]): boolean {
    return super.shouldUpdate(...all)
  }
  static override shouldReorder(...all: [Meta, Meta, Fields, Fields]): boolean {
    return super.shouldReorder(...all)
  }
  static override merge(existing: Fields, incoming: Fields): Fields {
    return super.merge(existing, incoming)
  }
  static override mergeWithStore(...all: [Meta, Meta, Fields, Fields]): Fields {
    return super.mergeWithStore(...all)
  }
  static override mergeMetaWithStore(...all: [Meta, Meta, Fields, Fields]): Meta {
    return super.mergeMetaWithStore(...all)
  }
}

test('the default methods, when called, give what the class without them gives', () => {
  const inputs = [{ a: 1, list: [1, { x: 1 }] }, { a: 1, list: [1, { x: 1 }] }, { b: 0 }, { b: -0 }, { b: NaN }, { b: NaN }, { a: null }]
  const times = [5, 6, 3, 8, 9, 7, 10]
  let plain: State | undefined
  let spelled: State | undefined
  inputs.forEach((input, i) => {
    const a = write(Plain, { id: '1', ...input }, plain, [], at(times[i]!))
    const b = write(Spelled, { id: '1', ...input }, spelled, [], at(times[i]!))
    plain = a.state
    spelled = b.state
    assert.is(a.change.patches.length, b.change.patches.length, `step ${i}`)
    assert.equal(readRow(plain, 'Plain', '1'), readRow(spelled, 'Spelled', '1'))
    assert.is(fetchedAt(plain, 'Plain', '1'), fetchedAt(spelled, 'Spelled', '1'))
  })
})

test('shouldUpdate that says no leaves the record and its stamp alone', () => {
  let received: unknown[] = []
  class Locked extends Entity {
    static override key = 'Locked'
    static override shouldUpdate(...all: [Meta, Meta, Fields, Fields]): boolean {
      received = all
      return false
    }
  }
  const first = write(Locked, { id: '1', a: 1 }, undefined, [], at(1)).state
  const { state, change } = write(Locked, { id: '1', a: 2 }, first, [], at(2))
  assert.equal(received, [at(1), at(2), { id: '1', a: 1 }, { id: '1', a: 2 }])
  assert.equal(change.patches, [])
  assert.is(state.entities, first.entities)
  assert.is(fetchedAt(state, 'Locked', '1'), 1)
})

test('shouldReorder that says yes lets the existing fields win', () => {
  class Backwards extends Entity {
    static override key = 'Backwards'
    static override shouldReorder(): boolean {
      return true
    }
  }
  const first = write(Backwards, { id: '1', a: 1 }, undefined, [], at(1)).state
  const { state } = write(Backwards, { id: '1', a: 2, b: 2 }, first, [], at(2))
  assert.equal(readRow(state, 'Backwards', '1'), { id: '1', a: 1, b: 2 })
  assert.is(fetchedAt(state, 'Backwards', '1'), 1)
})

test('merge makes the next record, and what it leaves out goes', () => {
  class Sum extends Entity {
    static override key = 'Sum'
    static override merge(existing: Fields, incoming: Fields): Fields {
      return { id: existing['id'], total: (existing['total'] as number) + (incoming['total'] as number) }
    }
  }
  const first = write(Sum, { id: '1', total: 2, note: 'x' }).state
  const { state, change } = write(Sum, { id: '1', total: 3 }, first)
  assert.equal(readRow(state, 'Sum', '1'), { id: '1', total: 5 })
  assert.equal(change.patches.map(({ op, path }) => [op, path[3]]), [['replace', 'total'], ['remove', 'note']])
})

test('merge that returns no object is an error that names the class', () => {
  class Broken extends Entity {
    static override key = 'Broken'
    static override merge(): Fields {
      return undefined as unknown as Fields
    }
  }
  const first = write(Broken, { id: '1' }).state
  const error = caught(() => write(Broken, { id: '1' }, first))
  assert.instance(error, ValidationError)
  assert.match(error.message, 'Broken')
})

test('mergeWithStore decides alone, and mergeMetaWithStore says whose stamp stays', () => {
  class Own extends Entity {
    static override key = 'Own'
    static override mergeWithStore(existingMeta: Meta, incomingMeta: Meta, existing: Fields, incoming: Fields): Fields {
      return { ...incoming, was: existing['a'], gap: incomingMeta.fetchedAt - existingMeta.fetchedAt }
    }
    static override mergeMetaWithStore(_existingMeta: Meta, incomingMeta: Meta): Meta {
      return { ...incomingMeta, expiresAt: 77 }
    }
  }
  const first = write(Own, { id: '1', a: 1 }, undefined, [], at(4)).state
  const { state } = write(Own, { id: '1', a: 2 }, first, [], at(9))
  assert.equal(readRow(state, 'Own', '1'), { id: '1', a: 2, was: 1, gap: 5 })
  assert.equal(readStamp(state, 'Own', '1'), { fetchedAt: 9, date: 9, expiresAt: 77 })
})

test('version decides before order does, whether it is a field or a function', () => {
  class ByField extends Entity {
    static override key = 'ByField'
    static override version = 'v'
  }
  class ByFunction extends Entity {
    static override key = 'ByFunction'
    static override version = (record: Fields): string => String(record['v'])
  }
  for (const type of [ByField, ByFunction]) {
    const first = write(type, { id: '1', v: 2, a: 'two' }, undefined, [], at(1)).state
    const late = write(type, { id: '1', v: 1, a: 'one', b: 'one' }, first, [], at(9)).state
    assert.equal(readRow(late, type.key, '1'), { id: '1', v: 2, a: 'two', b: 'one' })
    assert.is(fetchedAt(late, type.key, '1'), 1)
    const early = write(type, { id: '1', v: 3, a: 'three' }, late, [], at(0)).state
    assert.equal(readRow(early, type.key, '1'), { id: '1', v: 3, a: 'three', b: 'one' })
    assert.is(fetchedAt(early, type.key, '1'), 0)
  }
})

test('records with equal versions, or with ones that cannot be compared, go by order', () => {
  class Loose extends Entity {
    static override key = 'Loose'
    static override version = 'v'
  }
  for (const [old, next] of [[2, 2], ['2', 3], [undefined, 1], [null, 5]] as const) {
    const first = write(Loose, { id: '1', v: old, a: 'first' }, undefined, [], at(2)).state
    assert.is((readRow(write(Loose, { id: '1', v: next, a: 'later' }, first, [], at(3)).state, 'Loose', '1') as Fields)['a'], 'later')
    assert.is((readRow(write(Loose, { id: '1', v: next, a: 'earlier' }, first, [], at(1)).state, 'Loose', '1') as Fields)['a'], 'first')
  }
})

test('lifecycle methods are given records that they cannot write to', () => {
  const open: boolean[] = []
  class Watched extends Entity {
    static override key = 'Watched'
    static override merge(existing: Fields, incoming: Fields): Fields {
      open.push(Object.isFrozen(existing), Object.isFrozen(existing['list']), Object.isFrozen(incoming['list']))
      return incoming
    }
  }
  const first = write(Watched, { id: '1', list: [1] }).state
  write(Watched, { id: '1', list: [2] }, first)
  assert.equal(open, [true, true, true])
})

test.run()
