import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { denormalize, Entity, MissingPkError, normalize, schema, SchemaError, ValidationError } from '../../../src/index.ts'
import type { Fields } from '../../../src/index.ts'
import { caught, warnings } from '../../support/caught.ts'
import { readRow } from '../../support/state.ts'
import { write } from '../../support/write.ts'
import { entity, idsOf } from './todos.ts'

const test = suite('an entity on its way in')

const Tag = entity('Tag')
/** A row that a response deletes by `gone`. */
const Row = entity('Row', { process: (input) => (input['gone'] ? undefined : { ...input }) })

test('is stored under its key and pk, and its result is the pk', () => {
  const { result, state, change } = write(Tag, { id: 5, label: 'new' })
  assert.is(result, '5')
  assert.equal(readRow(state, 'Tag', '5'), { id: 5, label: 'new' })
  assert.equal(change.patches, [{ op: 'add', path: ['entities', 'Tag', '5'], value: { id: 5, label: 'new' } }])
})

test('goes through process, pk, validate, then its nested fields, and merge when it is known', () => {
  const calls: string[] = []
  const note = <T>(name: string, value: T): T => (calls.push(name), value)
  const Inner = entity('Inner', { process: (input) => note('process of the nested', input) })
  const Outer = entity('Outer', {
    schema: { inner: Inner },
    process: (input) => note('process', { ...input }),
    pk: ({ id }: { id: string }) => note('pk', id),
    validate: () => note('validate', undefined),
    merge: (existing, incoming) => note('merge', { ...existing, ...incoming }),
  })
  const { state } = write(Outer, { id: '1', inner: { id: '2' } })
  assert.equal(calls.splice(0), ['process', 'pk', 'validate', 'process of the nested'])
  write(Outer, { id: '1', inner: { id: '2' }, more: true }, state)
  assert.equal(calls, ['process', 'pk', 'validate', 'process of the nested', 'merge'])
})

test('process receives the parent, the key and the arguments, and what it returns is stored', () => {
  let received: unknown[] = []
  const Price = entity('Price', {
    process(input, parent, key, args) {
      received = [parent, key, args]
      return { id: `${String(input['symbol'])}/${key}`, amount: Number(input['amount']) }
    },
  })
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
    row = 0
    override pk(...args: unknown[]): string {
      received = [this instanceof Seat, ...args]
      return `row ${this.row}`
    }
  }
  const input = { seats: [{ row: 7 }] }
  assert.equal(write({ seats: [Seat] }, input, undefined, [{ hall: 'A' }]).result, { seats: ['row 7'] })
  assert.equal(received, [false, input, 'seats', [{ hall: 'A' }]])
})

test('static pk decides before the pk of the instance', () => {
  const City = entity('City', { pk: ({ name }: { name: string }, _parent, key) => `${key}:${name}` })
  assert.equal(write({ home: City }, { home: { id: 'of the instance', name: 'Ulm' } }).result, { home: 'home:Ulm' })
})

test('a pk method that came with the payload is never called', () => {
  assert.is(write(Tag, { id: '1', pk: () => 'evil' }).result, '1')
})

test('undefined from process deletes the entity', () => {
  const before = write([Row], [{ id: '1' }, { id: '2' }]).state
  const { state, result, change } = write([Row], [{ id: '1', gone: true }, { id: '2' }], before)
  assert.equal([result, change.patches], [['1', '2'], [{ op: 'remove', path: ['entities', 'Row', '1'] }]])
  assert.equal(idsOf(denormalize([Row], result, state)), ['2'])
  assert.instance(caught(() => normalize(Row, { gone: true })), MissingPkError)
})

test('the last word of a response counts when it deletes an entity and then has it again', () => {
  const before = write(Row, { id: '1', a: 1, b: 2 }).state
  const after = (input: unknown, state = before): unknown => readRow(write([Row], input, state).state, 'Row', '1')
  const [gone, back] = [{ id: '1', gone: true }, { id: '1', b: 2 }]
  assert.equal([after([{ id: '1', a: 1 }, gone, back]), after([gone, back])], [back, back])
  assert.is(after([{ id: '1' }, gone]), undefined)
})

for (const [name, wrongs] of [['process', [null, 'text', 5]], ['merge', [undefined, null, 5]]] as const) {
  test(`${name} that returns no object is an error that names the class`, () => {
    const { state } = write(entity('Broken'), { id: '1' })
    for (const wrong of wrongs) caught(() => write(entity('Broken', { [name]: () => wrong }), { id: '1' }, state), ValidationError, 'Broken')
  })
}

test('a sentence from validate is a ValidationError with status 400 that carries the processed value', () => {
  const Person = entity('Person', { process: (input) => ({ ...input, seen: true }), validate: ({ name }) => (name ? undefined : 'a person needs a name') })
  const error = caught(() => normalize(Person, { id: '1' }), ValidationError)
  assert.equal([error['status'], error.message, error['value']], [400, 'Person: a person needs a name', { id: '1', seen: true }])
  assert.is(normalize(Person, { id: '1', name: 'Ada' }).result, '1')
})

test('only own fields are visited, with the processed object as their parent', () => {
  const parents: unknown[] = []
  const Part = entity('Part', { process: (input, parent) => (parents.push({ ...(parent as object) }), input) })
  const Whole = entity('Whole', { schema: { part: Part, toString: Part }, process: (input) => ({ ...input, processed: true }) })
  const { state } = write(Whole, { id: '1', part: { id: '2' } })
  assert.equal(parents, [{ id: '1', part: { id: '2' }, processed: true }])
  assert.equal(readRow(state, 'Whole', '1'), { id: '1', part: '2', processed: true })
})

test('static schema may be completed after its first use, by assignment or in place', () => {
  const Post = entity('Post', { schema: {} }) as { schema: { [field: string]: unknown } }
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
  const Post = entity('Post', { schema: { tag: Tag } })
  const stored = (tag: unknown): unknown => (readRow(write(Post, { id: '1', tag }).state, 'Post', '1') as Fields)['tag']
  assert.equal([null, undefined, 0, 12n, '7', '', false].map(stored), [null, undefined, '0', '12', '7', '', false])
})

test('the parent of a top-level value is the input, for pk, process and the function that tells types apart', () => {
  const received: unknown[] = []
  const note = <T>(name: string, parent: unknown, value: T): T => (received.push([name, parent]), value)
  const Line = entity('Line', { process: (value, parent) => note('process', parent, value), pk: (_value, parent) => note('pk', parent, 'a') })
  const either = new schema.Union({ line: Line }, (_value: unknown, parent: unknown) => note('attribute', parent, 'line'))
  const input = { order: 'a', n: 1 }
  normalize(either, input)
  assert.equal(received, [['attribute', input], ['process', input], ['pk', input]])
})

test('its key is the name of the class unless the class states one', () => {
  class Robin extends Entity {}
  class Wren extends Entity {
    static override key = 'Bird'
  }
  class Kinglet extends Wren {}
  class Late extends Entity {}
  Late.key = 'Assigned'
  assert.equal([Robin, Wren, Kinglet, Late].map(({ key }) => key), ['Robin', 'Bird', 'Bird', 'Assigned'])
  assert.equal(normalize(Late, { id: '1' }).patches[0]!.path, ['entities', 'Assigned', '1'])
})

for (const [title, type, message] of [
  ['an unnamed class without a key', (() => class extends Entity {})(), 'static key'],
  ['a static schema that is no object, by the name of the class', entity('Wrong', { schema: null as never }), 'Wrong: static schema'],
] as const) {
  test(`is refused with a SchemaError: ${title}`, () => void caught(() => normalize(type, { id: '1' }), SchemaError, message))
}

test('two classes that state one key share records and have their own views, without a warning', () => {
  const Summary = entity('Article')
  const Full = entity('Article', { validate: ({ body }) => (body === undefined ? 'no body yet' : undefined) })
  const messages = warnings(() => {
    const list = write([Summary], [{ id: '1', title: 'a' }], write(Tag, { id: '0' }).state)
    assert.equal({ ...denormalize(Summary, '1', list.state)! }, { id: '1', title: 'a' })
    assert.is(denormalize(Full, '1', list.state), undefined)
    const { state } = write(Full, { id: '1', body: 'b' }, list.state)
    assert.equal(readRow(state, 'Article', '1'), { id: '1', title: 'a', body: 'b' })
    for (const type of [Full, Summary]) assert.instance(denormalize(type, '1', state), type)
    write({ a: Summary, b: Full }, { a: { id: '1' }, b: { id: '1', body: 'c' } }, state)
  })
  assert.equal(messages, [])
})

const derived = (): typeof Entity => class Robin extends Entity {}
class Other extends Entity {
  static override key = 'Robin'
}
for (const [title, two, names] of [
  ['two classes that meet on a derived key', derived(), 'Robin and Robin'],
  ['classes whose stated key meets a derived one', Other, 'Other and Robin'],
] as const) {
  test(`${title} are warned about once, by name`, () => {
    const one = derived()
    const messages = warnings(() => {
      const { state } = write(two, { id: '3' }, write([one], [{ id: '1' }, { id: '2' }]).state)
      write([{ one, two }], [{ one: { id: '1' }, two: { id: '2' } }, { one: { id: '3' }, two: { id: '4' } }], state)
    })
    assert.is(messages.length, 1)
    assert.match(messages[0]!, `two classes, ${names}, share the key "Robin"`)
  })
}

test.run()
