import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { denormalize, Entity, EntityMixin, normalize, SchemaError } from '../../../src/index.ts'
import type { Fields } from '../../../src/index.ts'
import { caught, warnings } from '../../support/caught.ts'
import { readRow } from '../../support/state.ts'
import { write } from '../../support/write.ts'
import { entity } from './todos.ts'

const test = suite('instances of an entity class')

class User extends Entity {
  static override key = 'User'
  id = ''
  first = 'Jo'
  last = 'Doe'
  tags: string[] = []
  get full(): string {
    return `${this.first} ${this.last}`
  }
  greet(): string {
    return `hi ${this.full}`
  }
}

test('fromJS gives the defaults of the class, then the props', () => {
  const user = User.fromJS({ id: '1', last: 'Ray' })
  assert.instance(user, User)
  assert.equal({ ...user }, { id: '1', first: 'Jo', last: 'Ray', tags: [] })
  assert.is(user.greet(), 'hi Jo Ray')
  assert.equal({ ...User.fromJS() }, { id: '', first: 'Jo', last: 'Doe', tags: [] })
})

test('createIfValid gives nothing when validate objects, and else what fromJS gives', () => {
  const Adult = entity('Adult', { validate: ({ age }) => (Number(age) < 18 ? 'too young' : undefined) })
  assert.is(Adult.createIfValid({ age: 17 } as object), undefined)
  assert.equal(Adult.createIfValid({ age: 18 } as object), Adult.fromJS({ age: 18 } as object))
})

test('a view is made by the createIfValid and fromJS of the class', () => {
  class Shouting extends User {
    static override fromJS(props: Fields = {}): never {
      return Object.assign(new User(), props, { first: String(props['first']).toUpperCase() }) as never
    }
  }
  class Picky extends User {
    static override createIfValid(props: Fields): never {
      return (props['first'] === 'Al' ? undefined : new User()) as never
    }
  }
  const { state, result } = write(User, { id: '1', first: 'Al' })
  assert.is((denormalize(Shouting, result, state) as unknown as User).first, 'AL')
  assert.is(denormalize(Picky, result, state), undefined)
})

test('defaults is one instance without props for each class, and nobody can write to it', () => {
  class Other extends User {
    override first = 'Other'
  }
  assert.is(User.defaults, User.defaults)
  assert.instance(User.defaults, User)
  assert.equal([User, Other].map(({ defaults }) => defaults['first']), ['Jo', 'Other'])
  assert.throws(() => ((User.defaults as { first: string }).first = 'changed'))
})

test('a payload field named like a method or accessor stays in the record and off the view, with one warning', () => {
  class Page extends Entity {
    static override key = 'Page'
    static override schema = { owner: User }
    id = ''
    get owner(): string {
      return 'computed'
    }
    render(): string {
      return 'own'
    }
  }
  const messages = warnings(() => {
    const { state, result } = write([Page], [{ id: '1', render: 'x', pk: 'y', owner: { id: '2' } }, { id: '2', render: 'z' }])
    assert.equal(readRow(state, 'Page', '1'), { id: '1', render: 'x', pk: 'y', owner: '2' })
    assert.equal(readRow(state, 'User', '2'), { id: '2' })
    const [view] = denormalize([Page], result, state)!
    assert.equal([view!.render(), view!.owner, typeof view!.pk, Object.keys(view!)], ['own', 'computed', 'function', ['id']])
    denormalize([Page], result, state)
  })
  assert.equal(messages.map((sentence) => /"(\w+)".*\bPage\b/.exec(sentence)?.[1]), ['render', 'pk', 'owner'])
})

class Secret extends Entity {
  static override key = 'Secret'
  #hidden = 1
  reveal(): number {
    return this.#hidden
  }
}
class Child extends Secret {
  static override key = 'SecretChild'
}
class Sealed {
  #count = 0
  next(): number {
    return ++this.#count
  }
}
for (const [from, type] of [['itself', Secret], ['its base', Child], ['a mixin', EntityMixin(Sealed, { key: 'Sealed' })]] as const) {
  test(`a class that uses #private members is refused: from ${from}`, () => {
    caught(() => normalize(type, { id: '1' }), SchemaError, `${type.key}: entity classes may not use #private members`)
  })
}

test('a view is frozen, and its fields are own enumerable data that spread, JSON and Object.keys see', () => {
  const { state, result } = write(User, { id: '1', tags: ['a'], extra: { deep: [1] } })
  const user = denormalize(User, result, state)!
  assert.instance(user, User)
  assert.ok(Object.isFrozen(user) && Object.isFrozen(user.tags))
  const data = { id: '1', first: 'Jo', last: 'Doe', tags: ['a'], extra: { deep: [1] } }
  assert.equal([{ ...user }, JSON.parse(JSON.stringify(user))], [data, data])
  const fields = Object.values(Object.getOwnPropertyDescriptors(user))
  assert.equal(fields.map((each) => 'value' in each && each.enumerable), [true, true, true, true, true])
})

test.run()
