import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readRow } from '../../support/state.ts'
import { denormalize, EntityMixin, normalize, SchemaError } from '../../../src/index.ts'
import type { Entity, Fields } from '../../../src/index.ts'
import { caught } from '../../support/caught.ts'
import { write } from '../../support/write.ts'

const test = suite('EntityMixin')

class Person {
  username = ''
  email = 'none'
  get initial(): string {
    return this.username.charAt(0)
  }
  shout(): string {
    return this.username.toUpperCase()
  }
}

test('makes an entity of a class: its instances, the statics of Entity', () => {
  class PersonEntity extends EntityMixin(Person, { pk: 'username', key: 'Person' }) {}
  const { state, result } = write([PersonEntity], [{ username: 'bo' }])
  assert.equal(result, ['bo'])
  const [view] = denormalize([PersonEntity], result, state)!
  assert.instance(view, PersonEntity)
  assert.instance(view, Person)
  assert.equal({ ...view! }, { username: 'bo', email: 'none' })
  assert.is(view!.initial, 'b')
  assert.is(view!.shout(), 'BO')
  assert.is(PersonEntity.fromJS({ username: 'al' }).initial, 'a')
})

test('takes pk as a field or as a function of the value, the parent, the key and the arguments', () => {
  let received: unknown[] = []
  class ByFunction extends EntityMixin(Person, {
    key: 'P',
    pk: (value: Person, parent?: unknown, key?: string, args?: readonly unknown[]) => {
      received = [parent, key, args]
      return `@${value.username}`
    },
  }) {}
  const input = { who: { username: 'bo' } }
  assert.equal(write({ who: ByFunction }, input, undefined, [7]).result, { who: '@bo' })
  assert.equal(received, [input, 'who', [7]])
  class ByField extends EntityMixin(Person, { pk: 'email' }) {}
  assert.is(write(ByField, { username: 'bo', email: 'b@x' }).result, 'b@x')
})

test('without pk it takes the pk of the class, and else the id', () => {
  class Numbered {
    id = 0
  }
  class Coded {
    code = ''
    pk(): string {
      return `c${this.code}`
    }
  }
  assert.is(write(class N extends EntityMixin(Numbered) {}, { id: 4 }).result, '4')
  assert.is(write(class C extends EntityMixin(Coded) {}, { code: 4 }).result, 'c4')
})

test('takes key, schema and any other static, and a subclass overrides them', () => {
  class Team {
    id = ''
    lead: Person | undefined = undefined
  }
  class Lead extends EntityMixin(Person, { pk: 'username', key: 'Lead' }) {}
  class TeamEntity extends EntityMixin(Team, {
    key: 'Team',
    schema: { lead: Lead },
    validate: (processed: Fields) => (processed['lead'] ? undefined : 'a team needs a lead'),
    indexes: ['lead'],
  }) {}
  assert.is(TeamEntity.key, 'Team')
  assert.equal(TeamEntity.indexes, ['lead'])
  assert.match(caught(() => normalize(TeamEntity, { id: '1' })).message, 'a team needs a lead')
  const { state } = write(TeamEntity, { id: '1', lead: { username: 'bo' } })
  assert.equal(readRow(state, 'Team', '1'), { id: '1', lead: 'bo' })
  class Renamed extends TeamEntity {
    static override key = 'Renamed'
  }
  assert.is(Renamed.key, 'Renamed')
})

test('an undefined leaves what the class, or every entity, has', () => {
  class Named {
    static key = 'Named'
    id = ''
  }
  class City extends EntityMixin(Named, { pk: undefined, key: undefined, schema: undefined, merge: undefined } as Fields) {}
  assert.is(City.key, 'Named')
  assert.is(normalize(City, { id: 1 }).result, '1')
  assert.equal(City.merge({ a: 1 }, { b: 2 }), { a: 1, b: 2 })
})

test('the key is the name of the extending class when none is given', () => {
  class Visitor extends EntityMixin(Person, { pk: 'username' }) {}
  assert.is(Visitor.key, 'Visitor')
  assert.is(EntityMixin(Person).key, 'Person')
})

test('statics of the class, its own and inherited ones, come along', () => {
  class Base extends Person {
    static origin = 'base'
    static label(): string {
      return `from ${this.origin}`
    }
  }
  class Derived extends Base {
    static level = 2
  }
  const Mixed = EntityMixin(Derived, { pk: 'username' }) as unknown as typeof Derived & typeof Entity
  assert.is(Mixed.level, 2)
  assert.is(Mixed.label(), 'from base')
  assert.type(Mixed.process, 'function')
})

test('a class with #private members is refused', () => {
  class Sealed {
    id = ''
    #count = 0
    next(): number {
      return ++this.#count
    }
  }
  class SealedEntity extends EntityMixin(Sealed, { key: 'Sealed' }) {}
  assert.instance(caught(() => normalize(SealedEntity, { id: '1' })), SchemaError)
})

test('leaves the class alone', () => {
  const before = Object.getOwnPropertyNames(Person).join() + Object.getOwnPropertyNames(Person.prototype).join()
  EntityMixin(Person, { pk: 'username', key: 'P', schema: {} })
  assert.is(Object.getOwnPropertyNames(Person).join() + Object.getOwnPropertyNames(Person.prototype).join(), before)
})

test.run()
