import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { query, readRow } from '../../support/state.ts'
import { denormalize, Entity, Lazy, schema } from '../../../src/index.ts'
import { write } from '../../support/write.ts'

const test = suite('schema.Lazy')

class User extends Entity {
  id = ''
  name = ''
  friends: readonly string[] = []
  boss = ''
  static override key = 'User'
  static override schema: { friends: Lazy<(typeof User)[]>; boss: Lazy<typeof User> } = {
    get friends() {
      return friends
    },
    get boss() {
      return boss
    },
  }
}
const friends = new schema.Lazy([User])
const boss = new schema.Lazy(User)

const input = { id: '1', friends: [{ id: '2', name: 'Bo' }, { id: '3', name: 'Cy' }], boss: { id: '2' } }

test('is also exported by name', () => {
  assert.is(schema.Lazy, Lazy)
})

test('normalizes as its schema', () => {
  const { state } = write(User, input)
  assert.equal(readRow(state, 'User', '1'), { id: '1', friends: ['2', '3'], boss: '2' })
  assert.equal(readRow(state, 'User', '3'), { id: '3', name: 'Cy' })
})

test('a view of the parent keeps the pks', () => {
  const { state, result } = write(User, input)
  const user = denormalize(User, result, state)!
  assert.equal(user.friends, ['2', '3'])
  assert.is(user.boss, '2')
  assert.ok(Object.isFrozen(user.friends))
})

test('query reads the stored value of the parent', () => {
  const { state, result } = write(User, input)
  const user = denormalize(User, result, state)!
  assert.equal(denormalize(friends.query, user.friends, state)!.map((friend) => friend.name), ['Bo', 'Cy'])
  assert.is(denormalize(boss.query, user.boss, state)!.name, 'Bo')
  assert.equal(query<User[]>(friends.query, [user.friends], state)!.map(({ id }) => id), ['2', '3'])
  assert.is(query<User>(boss.query, [user.boss], state)!.id, '2')
})

test('query reads the stored values of collections, maps, objects and members of several types', () => {
  class Bot extends Entity {
    id = ''
    type = 'bot'
    static override key = 'Bot'
  }
  const one = new schema.Union({ user: User, bot: Bot }, 'type')
  const kinds = {
    list: new schema.Lazy(new schema.Collection([Bot])),
    nested: new schema.Lazy(new schema.Collection([Bot], { nestKey: (parent: { id: string }) => ({ of: parent.id }) })),
    map: new schema.Lazy(new schema.Values(Bot)),
    pair: new schema.Lazy({ a: Bot, b: User }),
    one: new schema.Lazy(one),
  }
  class Team extends Entity {
    id = ''
    static override key = 'Team'
    static override schema = kinds
  }
  const bot = { id: '2', type: 'bot' }
  const { state: before } = write(User, input)
  const { state } = write(Team, { id: 't', list: [bot], nested: [bot], map: { x: bot }, pair: { a: bot, b: '2' }, one: bot }, before)
  const team = denormalize(Team, 't', state) as unknown as { [K in keyof typeof kinds]: unknown }
  const read = (kind: keyof typeof kinds): unknown => query(kinds[kind].query, [team[kind]], state)
  assert.equal((read('list') as Bot[]).map(({ id }) => id), ['2'])
  assert.equal((read('nested') as Bot[]).map(({ id }) => id), ['2'])
  assert.is((read('map') as { x: Bot }).x.id, '2')
  assert.equal(Object.values(read('pair') as object).map(({ id }: Bot) => id), ['2', '2'])
  assert.instance(read('one'), Bot)
  assert.is(query(kinds.one.query, [{ id: '9', schema: 'bot' }], state), undefined)
})

test('query leaves out what is gone', () => {
  const { state } = write(User, input)
  const gone = write(new schema.Invalidate(User), '2', state).state
  assert.equal(denormalize(friends.query, ['2', '3'], gone)!.map((friend) => friend.id), ['3'])
  assert.is(denormalize(boss.query, '2', gone), undefined)
})

test('what it refers to may be gone without harm to the parent', () => {
  const { state, result } = write(User, input)
  const gone = write(new schema.Invalidate(User), '2', state).state
  assert.equal(denormalize(User, result, gone)!.boss, '2')
})

test.run()
