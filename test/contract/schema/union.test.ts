import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { denormalize, Entity, schema, SchemaError, Union } from '../../../src/index.ts'
import type { Fields, State } from '../../../src/index.ts'
import { caught, warnings } from '../../support/caught.ts'
import { query } from '../../support/state.ts'
import { write } from '../../support/write.ts'

const test = suite('schema.Union')

class Text extends Entity {
  id = ''
  type = 'text'
  static override key = 'Text'
}
class Image extends Entity {
  id = ''
  type = 'image'
  static override key = 'Image'
}
const Media = new schema.Union({ text: Text, image: Image }, 'type')

test('is also exported by name', () => {
  assert.is(schema.Union, Union)
})

test('stores { id, schema } and shows the entity of that type', () => {
  const { result, state } = write({ media: Media }, { media: { id: '1', type: 'image' } })
  assert.equal(result, { media: { id: '1', schema: 'image' } })
  assert.instance(denormalize({ media: Media }, result, state)!.media, Image)
  assert.instance(denormalize(Media, { id: '1', schema: 'image' }, state), Image)
  assert.is(denormalize(Media, { id: '1', schema: 'text' }, state), undefined)
})

test('an attribute is mandatory, and the error names the types', () => {
  const error = caught(() => new schema.Union({ text: Text, image: Image }, undefined as never))
  assert.instance(error, SchemaError)
  assert.match(error.message, /schema\.Union of \{ text, image \} needs an attribute/)
})

test('the attribute may be a function, and what it does not map stays as it is', () => {
  const byShape = new schema.Union({ text: Text, image: Image }, (value: Fields) => ('url' in value ? 'image' : 'words' in value ? 'text' : undefined))
  assert.equal(write(byShape, { id: '1', url: 'x' }).result, { id: '1', schema: 'image' })
  const messages = warnings(() => {
    const { result, change, state } = write(byShape, { id: '1', sound: 'x' })
    assert.equal(result, { id: '1', sound: 'x' })
    assert.equal(change.patches, [])
    assert.equal(denormalize(byShape, result, state), { id: '1', sound: 'x' } as never)
  })
  assert.is(messages.length, 1)
  assert.match(messages[0]!, 'an object without the attribute')
})

test('what is stored can be taken in again', () => {
  const { state } = write(Media, { id: '1', type: 'text' })
  const again = write([Media], [{ id: '1', schema: 'text' }], state)
  assert.equal(again.result, [{ id: '1', schema: 'text' }])
  assert.equal(again.change.patches, [])
})

test('define merges into the mapping', () => {
  const late = new schema.Union({ text: Text } as Fields, 'type')
  late.define({ image: Image })
  assert.equal(write(late, { id: '1', type: 'image' }).result, { id: '1', schema: 'image' })
})

/** What a query finds: its id and its class. */
const finder = (state: State) => (union: unknown, ...args: readonly unknown[]): unknown[] | undefined => {
  const view = query<Text | Image>(union, args, state)
  return view && [view.id, view.constructor]
}

test('is found by the attribute of the first argument, else by the first type that has it', () => {
  const { state } = write([Media], [{ id: '1', type: 'text' }, { id: '1', type: 'image' }, { id: '2', type: 'image' }])
  const found = finder(state)
  assert.equal(found(Media, { id: '1', type: 'image' }), ['1', Image])
  assert.equal(found(Media, { id: '1' }), ['1', Text])
  assert.equal(found(Media, '2'), ['2', Image])
  assert.is(found(Media, { id: '2', type: 'text' }), undefined)
  assert.is(found(Media, { id: '9' }), undefined)
  assert.is(found(Media), undefined)
})

test('a function that tells types apart is not asked about an argument that is no object', () => {
  const byName = new schema.Union({ text: Text, image: Image }, (value: { type: string }) => value.type.toLowerCase())
  const { state } = write([byName], [{ id: '2', type: 'IMAGE' }])
  const found = finder(state)
  assert.equal(found(byName, '2'), ['2', Image])
  assert.equal(found(byName, { id: '2', type: 'IMAGE' }), ['2', Image])
})

test.run()
