import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { denormalize, Entity, schema } from '../../../src/index.ts'
import type { Lazy } from '../../../src/index.ts'
import { query, readRow } from '../../support/state.ts'
import { write } from '../../support/write.ts'
import { byType, entity, idsOf, Note, without } from './todos.ts'

const test = suite('schema.Lazy')

class User extends Entity {
  static override key = 'User'
  static override schema: { friends: Lazy<(typeof User)[]>; boss: Lazy<typeof User> } = {
    get friends() {
      return friends
    },
    get boss() {
      return boss
    },
  }
  id = ''
  name = ''
  friends: readonly string[] = []
  boss = ''
}
const friends = new schema.Lazy([User])
const boss = new schema.Lazy(User)
const { state, result } = write(User, { id: '1', friends: [{ id: '2', name: 'Bo' }, { id: '3', name: 'Cy' }], boss: { id: '2' } })
const user = denormalize(User, result, state)!
const gone = without(state, '2', User)

test('normalizes as its schema, and a view of the parent keeps the pks', () => {
  assert.equal(readRow(state, 'User', '1'), { id: '1', friends: ['2', '3'], boss: '2' })
  assert.equal(readRow(state, 'User', '3'), { id: '3', name: 'Cy' })
  assert.equal([user.friends, user.boss], [['2', '3'], '2'])
  assert.ok(Object.isFrozen(user.friends))
})

test('query reads the stored value of the parent', () => {
  assert.equal(denormalize(friends.query, user.friends, state)!.map(({ name }) => name), ['Bo', 'Cy'])
  assert.is(denormalize(boss.query, user.boss, state)!.name, 'Bo')
  assert.equal(idsOf(query(friends.query, [user.friends], state)), ['2', '3'])
  assert.is(query<User>(boss.query, [user.boss], state)!.id, '2')
})

const note = { id: '2', type: 'note' }
for (const [name, shape, input] of [
  ['a collection', new schema.Collection([Note]), [note]],
  ['a nested collection', new schema.Collection([Note], { nestKey: ({ id }: Note) => ({ of: id }) }), [note]],
  ['a map', new schema.Values(Note), { x: note }],
  ['an object', { a: Note, b: User }, { a: note, b: '2' }],
  ['a member of several types', { one: new schema.Union(byType, 'type') }, { one: note }],
] as const) {
  test(`query reads the stored value of ${name}`, () => {
    const lazy = new schema.Lazy<unknown>(shape)
    const Team = entity('Team', { schema: { field: lazy } })
    const after = write(Team, { id: 't', field: input }, state).state
    const { field } = denormalize(Team, 't', after) as unknown as { field: unknown }
    const [first] = Object.values(query<object>(lazy.query, [field], after)!) as Note[]
    assert.instance(first, Note)
    assert.is(first!.id, '2')
  })
}

test('what it refers to may be gone without harm to the parent, and query leaves it out', () => {
  assert.is(denormalize(User, result, gone)!.boss, '2')
  assert.equal(idsOf(denormalize(friends.query, ['2', '3'], gone)), ['3'])
  assert.is(denormalize(boss.query, '2', gone), undefined)
  assert.is(query(new schema.Lazy(new schema.Union(byType, 'type')).query, [{ id: '9', schema: 'note' }], state), undefined)
})

test.run()
