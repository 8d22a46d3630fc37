import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { denormalize, EntityMixin, normalize } from '../../../src/index.ts'
import type { Entity, Fields } from '../../../src/index.ts'
import { caught } from '../../support/caught.ts'
import { readRow } from '../../support/state.ts'
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

test('makes an entity of a class: its instances, the statics of Entity; the class stays as it is', () => {
  const names = (): string[] => [...Object.getOwnPropertyNames(Person), ...Object.getOwnPropertyNames(Person.prototype)]
  const before = names()
  class PersonEntity extends EntityMixin(Person, { pk: 'username', key: 'Person', schema: {} }) {}
  const { state, result } = write([PersonEntity], [{ username: 'bo' }])
  assert.equal(result, ['bo'])
  const [view] = denormalize([PersonEntity], result, state)!
  assert.instance(view, PersonEntity)
  assert.instance(view, Person)
  assert.equal({ ...view! }, { username: 'bo', email: 'none' })
  assert.equal([view!.initial, view!.shout(), PersonEntity.fromJS({ username: 'al' }).initial], ['b', 'BO', 'a'])
  assert.equal(names(), before)
})

let received: unknown[] = []
const byFunction = (value: Person, ...rest: unknown[]): string => ((received = rest), `@${value.username}`)
class Numbered {
  id = 0
}
class Coded {
  code = ''
  pk(): string {
    return `c${this.code}`
  }
}
const pks: [string, unknown, object, string][] = [
  ['a field', EntityMixin(Person, { pk: 'email', key: 'P' }), { username: 'bo', email: 'b@x' }, 'b@x'],
  ['a function of the value', EntityMixin(Person, { pk: byFunction, key: 'P' }), { username: 'bo' }, '@bo'],
  ['without pk, the pk of the class', EntityMixin(Coded), { code: 4 }, 'c4'],
  ['without either, the id', EntityMixin(Numbered), { id: 4 }, '4'],
]
for (const [title, type, input, pk] of pks) test(`takes as pk ${title}`, () => assert.is(write(type, input).result, pk))

test('a function for the pk receives the parent, the key and the arguments too', () => {
  const input = { who: { username: 'bo' } }
  write({ who: EntityMixin(Person, { pk: byFunction, key: 'P' }) }, input, undefined, [7])
  assert.equal(received, [input, 'who', [7]])
})

test('takes key, schema and any other static, and a subclass overrides them', () => {
  class Lead extends EntityMixin(Person, { pk: 'username', key: 'Lead' }) {}
  class Team extends EntityMixin(Numbered, {
    key: 'Team',
    schema: { lead: Lead },
    validate: (processed: Fields) => (processed['lead'] ? undefined : 'a team needs a lead'),
    indexes: ['lead'],
  }) {}
  class Renamed extends Team {
    static override key = 'Renamed'
  }
  assert.equal([Team.key, Team.indexes, Renamed.key], ['Team', ['lead'], 'Renamed'])
  assert.match(caught(() => normalize(Team, { id: '1' })).message, 'a team needs a lead')
  assert.equal(readRow(write(Team, { id: '1', lead: { username: 'bo' } }).state, 'Team', '1'), { id: '1', lead: 'bo' })
})

test('an undefined leaves what the class, or every entity, has', () => {
  class Named {
    static key = 'Named'
    id = ''
  }
  class City extends EntityMixin(Named, { pk: undefined, key: undefined, schema: undefined, merge: undefined } as Fields) {}
  assert.equal([City.key, normalize(City, { id: 1 }).result], ['Named', '1'])
  assert.equal(City.merge({ a: 1 }, { b: 2 }), { a: 1, b: 2 })
})

test('the key is the name of the extending class when none is given', () => {
  class Visitor extends EntityMixin(Person, { pk: 'username' }) {}
  assert.equal([Visitor.key, EntityMixin(Person).key], ['Visitor', 'Person'])
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
  assert.equal([Mixed.level, Mixed.label(), typeof Mixed.process], [2, 'from base', 'function'])
})

test.run()
