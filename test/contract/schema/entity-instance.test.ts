import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readRow } from '../../support/state.ts'
import { denormalize, Entity, normalize, SchemaError } from '../../../src/index.ts'
import type { Fields } from '../../../src/index.ts'
import { caught, warnings } from '../../support/caught.ts'
import { write } from '../../support/write.ts'

const test = suite('instances of an entity class')

class User extends Entity {
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
  static override key = 'User'
}

test('fromJS gives the defaults of the class, then the props', () => {
  const user = User.fromJS({ id: '1', last: 'Ray' })
  assert.instance(user, User)
  assert.equal({ ...user }, { id: '1', first: 'Jo', last: 'Ray', tags: [] })
  assert.is(user.greet(), 'hi Jo Ray')
  assert.equal({ ...User.fromJS() }, { id: '', first: 'Jo', last: 'Doe', tags: [] })
})

test('createIfValid gives nothing when validate objects, and else what fromJS gives', () => {
  class Adult extends User {
    age = 0
    static override validate(processed: Fields): string | undefined {
      return (processed['age'] as number) < 18 ? 'too young' : undefined
    }
  }
  assert.is(Adult.createIfValid({ age: 17 }), undefined)
  assert.is(Adult.createIfValid({ age: 18 })!.age, 18)
})

test('a view is made by the createIfValid and fromJS of the class', () => {
  class Shouting extends User {
    static override fromJS<T>(this: T, props: object = {}): never {
      const user = User.fromJS.call(this as never, props as never) as User
      user.first = user.first.toUpperCase()
      return user as never
    }
  }
  const { state, result } = write(Shouting, { id: '1', first: 'Al' })
  assert.is((denormalize(Shouting, result, state) as unknown as User).first, 'AL')
  class Picky extends User {
    static override createIfValid(props: object): never {
      return ((props as Fields)['first'] === 'Al' ? undefined : new User()) as never
    }
  }
  assert.is(denormalize(Picky, result, state), undefined)
})

test('defaults is one instance without props for each class, and nobody can write to it', () => {
  class Other extends User {
    override first = 'Other'
  }
  assert.is(User.defaults, User.defaults)
  assert.instance(User.defaults, User)
  assert.is(User.defaults['first'], 'Jo')
  assert.is(Other.defaults['first'], 'Other')
  assert.throws(() => ((User.defaults as { first: string }).first = 'changed'))
})

test('a payload field named like a method or accessor stays in the record and off the view, with one warning', () => {
  class Page extends Entity {
    id = ''
    get size(): number {
      return 1
    }
    render(): string {
      return 'own'
    }
    static override key = 'Page'
  }
  let view: Page | undefined
  const messages = warnings(() => {
    const { state, result } = write([Page], [{ id: '1', render: 'x', pk: 'y' }, { id: '2', render: 'z' }])
    assert.equal(readRow(state, 'Page', '1'), { id: '1', render: 'x', pk: 'y' })
    view = denormalize([Page], result, state)![0]
    denormalize([Page], result, state)
  })
  assert.is(view!.render(), 'own')
  assert.type(view!.pk, 'function')
  assert.equal(Object.keys(view!), ['id'])
  assert.equal(messages.map((sentence) => /"(\w+)".*\bPage\b/.exec(sentence)?.[1]), ['render', 'pk'])
})

test('a nested field named like an accessor is not resolved over it', () => {
  class Node extends Entity {
    id = ''
    get owner(): string {
      return 'computed'
    }
    static override key = 'Node'
    static override schema = { owner: User }
  }
  warnings(() => {
    const { state, result } = write(Node, { id: '1', owner: { id: '2' } })
    assert.is(denormalize(Node, result, state)!.owner, 'computed')
    assert.ok(readRow(state, 'User', '2'))
  })
})

test('a class that uses #private members is refused, also when a base or a mixin brings them', () => {
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
  for (const type of [Secret, Child]) {
    const error = caught(() => normalize(type, { id: '1' }))
    assert.instance(error, SchemaError)
    assert.match(error.message, `${type.key}: entity classes may not use #private members`)
  }
})

test('a view is frozen, and its fields are own enumerable data that spread, JSON and Object.keys see', () => {
  const { state, result } = write(User, { id: '1', tags: ['a'], extra: { deep: [1] } })
  const user = denormalize(User, result, state)!
  assert.ok(Object.isFrozen(user))
  assert.ok(Object.isFrozen(user.tags))
  assert.instance(user, User)
  const data = { id: '1', first: 'Jo', last: 'Doe', tags: ['a'], extra: { deep: [1] } }
  assert.equal({ ...user }, data)
  assert.equal(JSON.parse(JSON.stringify(user)), data)
  assert.equal(
    Object.values(Object.getOwnPropertyDescriptors(user)).map((each) => 'value' in each && each.enumerable),
    [true, true, true, true, true],
  )
})

test.run()
