import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readRow } from '../../support/state.ts'
import { denormalize, Entity, MissingPkError, normalize, schema, ValidationError } from '../../../src/index.ts'
import type { Fields } from '../../../src/index.ts'
import { caught } from '../../support/caught.ts'
import { write } from '../../support/write.ts'

const test = suite('an entity on its way in')

class Tag extends Entity {
  id = ''
  static override key = 'Tag'
}

test('is stored under its key and pk, and its result is the pk', () => {
  const { result, state, change } = write(Tag, { id: 5, label: 'new' })
  assert.is(result, '5')
  assert.equal(readRow(state, 'Tag', '5'), { id: 5, label: 'new' })
  assert.equal(change.patches, [{ op: 'add', path: ['entities', 'Tag', '5'], value: { id: 5, label: 'new' } }])
})

test('goes through process, pk, validate and then its nested fields', () => {
  const calls: string[] = []
  class Inner extends Entity {
    static override key = 'Inner'
    static override process(input: Fields): Fields {
      calls.push('process of the nested')
      return input
    }
  }
  class Outer extends Entity {
    static override key = 'Outer'
    static override schema = { inner: Inner }
    override pk(): string {
      calls.push('pk')
      return (this as unknown as { id: string }).id
    }
    static override process(input: Fields): Fields {
      calls.push('process')
      return { ...input }
    }
    static override validate(): undefined {
      calls.push('validate')
    }
    static override merge(existing: Fields, incoming: Fields): Fields {
      calls.push('merge')
      return { ...existing, ...incoming }
    }
  }
  const { state } = write(Outer, { id: '1', inner: { id: '2' } })
  assert.equal(calls, ['process', 'pk', 'validate', 'process of the nested'])
  calls.length = 0
  write(Outer, { id: '1', inner: { id: '2' }, more: true }, state)
  assert.equal(calls, ['process', 'pk', 'validate', 'process of the nested', 'merge'])
})

test('process receives the parent, the key and the arguments, and what it returns is stored', () => {
  let received: unknown[] = []
  class Price extends Entity {
    static override key = 'Price'
    static override process(input: Fields, parent: unknown, key: string, args: readonly unknown[]): Fields {
      received = [parent, key, args]
      return { id: `${String(input['symbol'])}/${key}`, amount: Number(input['amount']) }
    }
  }
  const input = { open: { symbol: 'x', amount: '1.5' } }
  const { state, result } = write({ open: Price }, input, undefined, [{ day: 1 }])
  assert.equal(received, [input, 'open', [{ day: 1 }]])
  assert.equal(result, { open: 'x/open' })
  assert.equal(readRow(state, 'Price', 'x/open'), { id: 'x/open', amount: 1.5 })
})

test('pk is called on the plain object, with the parent, the key and the arguments', () => {
  let received: unknown[] = []
  class Seat extends Entity {
    static override key = 'Seat'
    override pk(parent?: unknown, key?: string, args?: readonly unknown[]): string {
      received = [this instanceof Seat, parent, key, args]
      return `${(args as [{ hall: string }])[0].hall}-${(this as unknown as { row: number }).row}`
    }
  }
  const input = { seats: [{ row: 7 }] }
  const { result } = write({ seats: [Seat] }, input, undefined, [{ hall: 'A' }])
  assert.equal(received, [false, input, 'seats', [{ hall: 'A' }]])
  assert.equal(result, { seats: ['A-7'] })
})

test('static pk decides before the pk of the instance', () => {
  class City extends Entity {
    static override key = 'City'
    override pk(): string {
      return 'instance'
    }
    static override pk(value: { name: string }, _parent?: unknown, key?: string): string {
      return `${key ?? ''}:${value.name}`
    }
  }
  assert.equal(write({ home: City }, { home: { name: 'Ulm' } }).result, { home: 'home:Ulm' })
})

test('a pk method that came with the payload is never called', () => {
  const payload = { id: '1', pk: () => 'evil' }
  assert.is(write(Tag, payload).result, '1')
})

test('undefined from process deletes the entity', () => {
  class Row extends Entity {
    id = ''
    static override key = 'Row'
    static override process(input: Fields): Fields | undefined {
      return input['gone'] ? undefined : { ...input }
    }
  }
  const before = write([Row], [{ id: '1' }, { id: '2' }]).state
  const { state, result, change } = write([Row], [{ id: '1', gone: true }, { id: '2' }], before)
  assert.equal(result, ['1', '2'])
  assert.equal(change.patches, [{ op: 'remove', path: ['entities', 'Row', '1'] }])
  assert.equal(denormalize([Row], result, state)!.map((row) => row.id), ['2'])
  assert.instance(caught(() => normalize(Row, { gone: true })), MissingPkError)
})

test('the last word of a response counts when it deletes an entity and then has it again', () => {
  class Row extends Entity {
    static override key = 'Row'
    static override process(input: Fields): Fields | undefined {
      return input['gone'] ? undefined : { ...input }
    }
  }
  const { state } = write([Row], [{ id: '1', a: 1 }, { id: '1', gone: true }, { id: '1', b: 2 }])
  assert.equal(readRow(state, 'Row', '1'), { id: '1', b: 2 })
  assert.is(readRow(write([Row], [{ id: '1' }, { id: '1', gone: true }]).state, 'Row', '1'), undefined)
  const again = write([Row], [{ id: '1', gone: true }, { id: '1', b: 2 }], write(Row, { id: '1', a: 1, b: 2 }).state).state
  assert.equal(readRow(again, 'Row', '1'), { id: '1', b: 2 })
})

test('process that returns no object is an error that names the class', () => {
  for (const wrong of [null, 'text', 5]) {
    class Row extends Entity {
      static override key = 'Row'
      static override process(): Fields {
        return wrong as unknown as Fields
      }
    }
    const error = caught(() => normalize(Row, { id: '1' }))
    assert.instance(error, ValidationError)
    assert.match(error.message, 'Row')
  }
})

test('a sentence from validate is a ValidationError with status 400 that carries the processed value', () => {
  class Person extends Entity {
    static override key = 'Person'
    static override process(input: Fields): Fields {
      return { ...input, seen: true }
    }
    static override validate(processed: Fields): string | undefined {
      return processed['name'] ? undefined : 'a person needs a name'
    }
  }
  const error = caught(() => normalize(Person, { id: '1' }))
  assert.instance(error, ValidationError)
  assert.is(error['status'], 400)
  assert.is(error.message, 'Person: a person needs a name')
  assert.equal(error['value'], { id: '1', seen: true })
  assert.is(normalize(Person, { id: '1', name: 'Ada' }).result, '1')
})

test('only own fields are visited, with the processed object as their parent', () => {
  const parents: unknown[] = []
  class Part extends Entity {
    static override key = 'Part'
    static override process(input: Fields, parent: unknown): Fields {
      parents.push({ ...(parent as object) })
      return { ...input }
    }
  }
  class Whole extends Entity {
    static override key = 'Whole'
    static override schema = { part: Part, toString: Part }
    static override process(input: Fields): Fields {
      return { ...input, processed: true }
    }
  }
  const { state } = write(Whole, { id: '1', part: { id: '2' } })
  assert.equal(parents, [{ id: '1', part: { id: '2' }, processed: true }])
  assert.equal(readRow(state, 'Whole', '1'), { id: '1', part: '2', processed: true })
})

test('static schema may be completed after its first use, by assignment or in place', () => {
  class Post extends Entity {
    static override key = 'Post'
    static override schema: { [field: string]: unknown } = {}
  }
  const stored = (): unknown => readRow(write(Post, { id: '1', tag: { id: 't' }, other: { id: 'o' } }).state, 'Post', '1')
  assert.equal(stored(), { id: '1', tag: { id: 't' }, other: { id: 'o' } })
  Post.schema['tag'] = Tag
  assert.equal(stored(), { id: '1', tag: 't', other: { id: 'o' } })
  Post.schema = { other: Tag }
  assert.equal(stored(), { id: '1', tag: { id: 't' }, other: 'o' })
  Post.schema['other'] = ''
  assert.equal(stored(), { id: '1', tag: { id: 't' }, other: { id: 'o' } })
})

test('where an entity is nested, null stays, a number becomes a pk, and strings and booleans stay', () => {
  class Post extends Entity {
    static override key = 'Post'
    static override schema = { tag: Tag }
  }
  const stored = (tag: unknown): unknown => (readRow(write(Post, { id: '1', tag }).state, 'Post', '1') as Fields)['tag']
  assert.is(stored(null), null)
  assert.is(stored(undefined), undefined)
  assert.is(stored(0), '0')
  assert.is(stored(12n), '12')
  assert.is(stored('7'), '7')
  assert.is(stored(''), '')
  assert.is(stored(false), false)
})

test('the parent of a top-level value is the input, for pk, process and the function that tells types apart', () => {
  const received: { [name: string]: unknown } = {}
  class Line extends Entity {
    order = ''
    n = 0
    static override key = 'Line'
    override pk(parent?: { order: string }): string {
      received['pk'] = parent
      return `${parent?.order} ${this.n}`
    }
    static override process(input: Fields, parent: unknown): Fields {
      received['process'] = parent
      return { ...input }
    }
  }
  const input = { order: 'a', n: 1 }
  assert.is(normalize(Line, input).result, 'a 1')
  assert.equal(received, { pk: input, process: input })
  const either = new schema.Union({ line: Line }, (_value: unknown, parent: unknown) => {
    received['attribute'] = parent
    return 'line'
  })
  normalize(either, input)
  assert.equal(received['attribute'], input)
})

test.run()
