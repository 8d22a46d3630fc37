import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readRow } from '../../support/state.ts'
import { denormalize, Entity, normalize, SchemaError } from '../../../src/index.ts'
import type { Fields } from '../../../src/index.ts'
import { caught, warnings } from '../../support/caught.ts'
import { write } from '../../support/write.ts'

const test = suite('the key of an entity')

class First extends Entity {
  id = ''
  static override key = 'Seed'
}

test('is the name of the class unless the class states one', () => {
  class Robin extends Entity {}
  class Wren extends Entity {
    static override key = 'Bird'
  }
  class Kinglet extends Wren {}
  assert.is(Robin.key, 'Robin')
  assert.is(Wren.key, 'Bird')
  assert.is(Kinglet.key, 'Bird')
  class Late extends Entity {}
  Late.key = 'Assigned'
  assert.is(Late.key, 'Assigned')
  assert.is(Robin.key, 'Robin')
  assert.equal(normalize(Late, { id: '1' }).patches[0]!.path, ['entities', 'Assigned', '1'])
})

test('is needed: an unnamed class without one is a SchemaError', () => {
  const error = caught(() => normalize((() => class extends Entity {})(), { id: '1' }))
  assert.instance(error, SchemaError)
  assert.match(error.message, 'static key')
})

test('a static schema that is no object is a SchemaError that names the class', () => {
  class Wrong extends Entity {
    static override key = 'Wrong'
    static override schema = null as unknown as { [field: string]: unknown }
  }
  const error = caught(() => normalize(Wrong, { id: '1' }))
  assert.instance(error, SchemaError)
  assert.match(error.message, 'Wrong: static schema')
})

test('two classes that state one key share records and have their own views, without a warning', () => {
  class Summary extends Entity {
    id = ''
    title = ''
    static override key = 'Article'
  }
  class Full extends Entity {
    id = ''
    title = ''
    body = ''
    static override key = 'Article'
    static override validate(processed: Fields): string | undefined {
      return processed['body'] === undefined ? 'no body yet' : undefined
    }
  }
  const messages = warnings(() => {
    const list = write([Summary], [{ id: '1', title: 'a' }], write(First, { id: '0' }).state)
    assert.equal({ ...denormalize([Summary], list.result, list.state)![0]! }, { id: '1', title: 'a' })
    assert.is(denormalize(Full, '1', list.state), undefined)
    const full = write(Full, { id: '1', body: 'b' }, list.state)
    assert.equal(readRow(full.state, 'Article', '1'), { id: '1', title: 'a', body: 'b' })
    assert.instance(denormalize(Full, '1', full.state), Full)
    assert.instance(denormalize(Summary, '1', full.state), Summary)
    write({ a: Summary, b: Full }, { a: { id: '1' }, b: { id: '1', body: 'c' } }, full.state)
  })
  assert.equal(messages, [])
})

test('two classes that meet on a derived key are warned about once, by name', () => {
  const make = (): typeof Entity => {
    class Robin extends Entity {}
    return Robin
  }
  const [one, two] = [make(), make()]
  const messages = warnings(() => {
    let { state } = write(one, { id: '1' })
    state = write(one, { id: '2' }, state).state
    state = write(two, { id: '3' }, state).state
    state = write(one, { id: '4' }, state).state
    write({ one, two }, { one: { id: '1' }, two: { id: '2' } }, state)
  })
  assert.is(messages.length, 1)
  assert.match(messages[0]!, /two classes, Robin and Robin, share the key "Robin"/)
})

test('a class whose stated key meets a derived one is warned about too', () => {
  class Robin extends Entity {}
  class Other extends Entity {
    static override key = 'Robin'
  }
  const messages = warnings(() => write([{ a: Robin, b: Other }], [{ a: { id: '1' }, b: { id: '2' } }, { a: { id: '3' }, b: { id: '4' } }]))
  assert.is(messages.length, 1)
  assert.match(messages[0]!, 'Robin and Other')
})

test.run()
