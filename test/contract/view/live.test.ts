import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Entity, EntityMixin, PatchcordError, type Fields } from '../../../src/index.ts'
import { LiveStore, watch } from './liveStore.ts'

const test = suite('live objects')

class User extends Entity {
  id = ''
  name = ''
  born: Date | undefined = undefined
  tags: string[] = []
  static override key = 'User'
  static override schema: Fields = { born: Date }

  get initial(): string {
    return this.name.slice(0, 1)
  }

  greet(other: string): string {
    return `${this.name} greets ${other}`
  }
}

class Post extends Entity {
  id = ''
  title = ''
  author: User | undefined = undefined
  replies: Post[] = []
  static override key = 'Post'
  static override schema: Fields = {}
}
Post.schema = { author: User, replies: [Post] }

const bob = { id: '1', name: 'Bob', born: '2000-01-01T00:00:00.000Z' }
const setup = (): LiveStore => {
  const at = new LiveStore()
  at.write([[User], [bob, { id: '2', name: 'Ann' }]], [[Post], [{ id: 'p', title: 'one', author: '1', replies: ['q'] }, { id: 'q', title: 'two', author: '2' }]])
  return at
}

test('there is one for each class and pk, whatever way it is reached', () => {
  const { live } = setup()
  const user = live.entity(User, '1')!
  assert.ok(user instanceof User)
  assert.is(live.entity(User, '1'), user)
  assert.is(live.query(User, ['1']), user)
  assert.is(live.query(User, [{ id: '1' }]), user)
  assert.is(live.entity(Post, 'p')!.author, user)
  assert.is(live.entity(Post, 'p')!.replies[0], live.entity(Post, 'q'))
})

test('two classes over one table have an object each', () => {
  const at = setup()
  class Summary extends EntityMixin(class { id = ''; name = '' }, { key: 'User' }) {}
  const summary = at.live.entity(Summary, '1')!
  assert.ok(summary instanceof Summary)
  assert.is(summary.name, 'Bob')
  assert.is.not(summary as unknown, at.live.entity(User, '1'))
  at.write([User, { id: '1', name: 'Rob' }])
  assert.equal([summary.name, at.live.entity(User, '1')!.name], ['Rob', 'Rob'])
})

test('it shows the store as it is, with the same identity', () => {
  const at = setup()
  const user = at.live.entity(User, '1')!
  at.write([User, { id: '1', name: 'Rob' }])
  assert.is(user.name, 'Rob')
  assert.is(at.live.entity(User, '1'), user)
})

test('what no record has is the default of the class', () => {
  const { live } = setup()
  const ann = live.entity(User, '2')!
  assert.is(ann.born, undefined)
  assert.equal(ann.tags, [])
  assert.is(ann.tags, ann.tags)
})

test('getters and methods read through it, and so are tracked', () => {
  const at = setup()
  const user = at.live.entity(User, '1')!
  const initial = watch(() => user.initial)
  const greeting = watch(() => user.greet('Ann'))
  assert.equal([initial.last, greeting.last], ['B', 'Bob greets Ann'])
  at.write([User, { id: '1', name: 'Rob' }])
  assert.equal([initial.last, greeting.last], ['R', 'Rob greets Ann'])
  at.write([User, { id: '1', tags: ['x'] }])
  assert.equal([initial.runs, greeting.runs], [2, 2])
  assert.is(user.pk(), '1')
  assert.is(user.constructor, User)
})

test('it looks like an object with own data: JSON, spread, keys, in, deep equality', () => {
  const at = setup()
  const user = at.live.entity(User, '2')!
  assert.is(JSON.stringify(user), '{"id":"2","name":"Ann","tags":[]}')
  assert.equal({ ...user }, { id: '2', name: 'Ann', born: undefined, tags: [] })
  assert.equal(Object.keys(user), ['id', 'name', 'born', 'tags'])
  assert.equal(Object.entries(user).length, 4)
  assert.equal(['name', 'tags', 'greet', 'initial', 'nope'].map(name => name in user), [true, true, true, true, false])
  assert.equal(['name', 'greet'].map(name => Object.hasOwn(user, name)), [true, false])
  assert.equal(user, User.fromJS({ id: '2', name: 'Ann' }))
  assert.equal(Object.getOwnPropertyDescriptor(user, 'name'), { value: 'Ann', enumerable: true, configurable: true, writable: false })
  assert.is(JSON.stringify(at.live.entity(Post, 'p')), JSON.stringify({ id: 'p', title: 'one', author: { ...bob, tags: [] }, replies: [{ id: 'q', title: 'two', author: { id: '2', name: 'Ann', tags: [] }, replies: [] }] }))
})

test('fields that the class does not name are there too, and watched by those who looked for them', () => {
  const at = setup()
  const user = at.live.entity(User, '1')! as User & { email?: string; phone?: string }
  const email = watch(() => user.email)
  const names = watch(() => Object.keys(user))
  const hasPhone = watch(() => 'phone' in user)
  assert.is(email.last, undefined)
  at.write([User, { id: '1', email: 'b@x' }])
  assert.is(email.last, 'b@x')
  assert.equal(names.last, ['id', 'name', 'born', 'tags', 'email'])
  assert.equal([email.fresh(), names.fresh(), hasPhone.fresh()], [2, 2, 2])
  at.write([User, { id: '1', email: 'c@x', name: 'Rob' }])
  assert.equal([email.fresh(), names.fresh(), hasPhone.fresh()], [1, 0, 0])
})

test('a payload field named like a member of the class is not shown', () => {
  const at = setup()
  at.write([User, { id: '1', greet: 'evil', toString: 'evil', initial: 'evil', constructor: 'evil' }])
  const user = at.live.entity(User, '1')!
  assert.is(user.greet('x'), 'Bob greets x')
  assert.is(user.initial, 'B')
  assert.is(user.constructor, User)
  assert.equal(Object.keys(user), ['id', 'name', 'born', 'tags'])
})

test('hostile pks are ordinary', () => {
  const at = new LiveStore()
  const pks = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'then', ' ']
  at.write([[User], pks.map(id => ({ id, name: `n${id}` }))])
  for (const pk of pks) assert.is(at.live.entity(User, pk)!.name, `n${pk}`)
  assert.is(at.live.entity(User, 'valueOf'), undefined)
})

test('writing to it is an error that says what to do', () => {
  const { live } = setup()
  const user = live.entity(User, '1')! as User & { other?: string }
  const refused = (work: () => unknown): void =>
    assert.throws(work, (error: unknown) => error instanceof PatchcordError && error.code === 'READ_ONLY' && /User.*controller\.set/s.test(error.message))
  refused(() => (user.name = 'x'))
  refused(() => (user.other = 'x'))
  refused(() => delete user.other)
  refused(() => Object.defineProperty(user, 'name', { value: 'x' }))
  refused(() => Object.assign(user, { name: 'x' }))
  refused(() => Object.freeze(user))
  refused(() => Object.setPrototypeOf(user, {}))
  refused(() => (user as { tags: unknown }).tags = [])
  assert.is(user.name, 'Bob')
  assert.equal(live.entity(User, '2')!.name, 'Ann')
})

test('a deserialized field is the same object until its stored value changes', () => {
  const at = setup()
  const user = at.live.entity(User, '1')!
  const born = watch(() => user.born)
  assert.ok(user.born instanceof Date)
  assert.is(user.born, born.last)
  at.write([User, { id: '1', name: 'Rob' }])
  assert.is(user.born, born.last)
  assert.is(born.runs, 1)
  at.write([User, { id: '1', born: '2001-01-01T00:00:00.000Z' }])
  assert.is(born.runs, 2)
  assert.is(born.last!.getUTCFullYear(), 2001)
  const invalid = (at.write([User, { id: '1', born: 'never' }]), user.born!)
  assert.ok(Number.isNaN(invalid.getTime()))
  at.write([User, { id: '1', name: 'Bob', born: 'never' }])
  assert.is(user.born, invalid)
  assert.is(born.runs, 3)
})

test('a deleted row keeps its last values, and comes back as itself', () => {
  const at = setup()
  const user = at.live.entity(User, '1')!
  const name = watch(() => user.name)
  const there = watch(() => at.live.entity(User, '1') !== undefined)
  at.remove(User, '1')
  assert.is(user.name, 'Bob')
  assert.is(user.initial, 'B')
  assert.is(JSON.stringify(user), JSON.stringify({ ...bob, tags: [] }))
  assert.is(at.live.entity(User, '1'), undefined)
  assert.equal([name.fresh(), there.fresh(), there.last], [1, 2, false])
  at.write([User, { id: '1', name: 'Bob' }])
  assert.is(at.live.entity(User, '1'), user)
  assert.equal([name.fresh(), there.fresh(), there.last], [0, 1, true])
  assert.is(user.born, undefined)
})

test('a row that is not there yet is undefined, and wakes who asked when it arrives', () => {
  const at = setup()
  const name = watch(() => at.live.entity(User, '9')?.name)
  const byQuery = watch(() => at.live.query(User, ['9'])?.name)
  assert.equal([name.last, byQuery.last], [undefined, undefined])
  at.write([User, { id: '8', name: 'Eve' }])
  assert.equal([name.fresh(), byQuery.fresh()], [1, 1])
  at.write([User, { id: '9', name: 'Zoe' }])
  assert.equal([name.last, byQuery.last, name.fresh(), byQuery.fresh()], ['Zoe', 'Zoe', 1, 1])
})

test('circles are natural', () => {
  const at = new LiveStore()
  at.write([[Post], [{ id: 'a', replies: ['b', 'a'] }, { id: 'b', replies: ['a'] }]])
  const a = at.live.entity(Post, 'a')!
  assert.is(a.replies[0]!.replies[0], a)
  assert.is(a.replies[1], a)
})

test('a class that makes its instances itself is shown as it makes them', () => {
  class Price extends Entity {
    id = ''
    amount = 0
    label = ''
    static override key = 'Price'
    static override fromJS<T>(this: T, props: object = {}): never {
      const made = Object.assign(new (this as new () => Price)(), props)
      made.label = `${made.amount} EUR`
      return made as never
    }
  }
  const at = new LiveStore()
  at.write([Price, { id: '1', amount: 3 }])
  const price = at.live.entity(Price, '1')!
  const label = watch(() => price.label)
  const id = watch(() => price.id)
  assert.equal({ ...price }, { id: '1', amount: 3, label: '3 EUR' })
  at.write([Price, { id: '1', amount: 4 }])
  assert.equal([label.last, label.runs, id.runs], ['4 EUR', 2, 1])
})

test('what a class throws is reported, and its row not shown', () => {
  class Strict extends Entity {
    id = ''
    n = 0
    static override key = 'Strict'
    static override validate(record: Fields): string | undefined {
      if (record['n'] === 13) throw new Error('unlucky')
      return record['n'] === 4 ? 'no four' : undefined
    }
  }
  const at = new LiveStore()
  at.write([Strict, { id: '1', n: 1 }])
  const strict = at.live.entity(Strict, '1')!
  const visible = watch(() => at.live.entity(Strict, '1')?.n)
  const set = (n: number): void => at.commit([{ op: 'replace', path: ['entities', 'Strict', '1', 'n'], value: n }])
  set(13)
  assert.equal(at.errors.map(error => (error as Error).message), ['unlucky'])
  assert.equal([visible.last, strict.n], [undefined, 1])
  set(4)
  assert.equal([visible.last, strict.n], [undefined, 1])
  set(5)
  assert.equal([visible.last, strict.n], [5, 5])
})

test('an effect that throws is reported, stops nobody, and hears of the next commit', () => {
  const at = setup()
  const user = at.live.entity(User, '1')!
  let throwing = false
  const failing = watch(() => {
    if (user.name !== 'Bob' && throwing) throw new Error('effect')
    return user.name
  })
  const other = watch(() => user.name)
  throwing = true
  at.write([User, { id: '1', name: 'Rob' }])
  assert.equal(at.errors.map(error => (error as Error).message), ['effect'])
  assert.is(other.last, 'Rob')
  throwing = false
  at.write([User, { id: '1', name: 'Job' }])
  assert.equal([other.last, user.name], ['Job', 'Job'])
  assert.ok(failing.runs >= 2)
})

test('after dispose it shows what it last showed, and wakes nobody', () => {
  const at = setup()
  const user = at.live.entity(User, '1')!
  const name = watch(() => user.name)
  at.live.dispose()
  at.live.dispose()
  at.write([User, { id: '1', name: 'Rob' }])
  assert.equal([user.name, name.runs], ['Bob', 1])
})

test.run()
