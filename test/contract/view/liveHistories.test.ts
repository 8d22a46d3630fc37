import { suite } from 'uvu'
import { denormalize, Entity, schema, type Fields } from '../../../src/index.ts'
import { query, readResult } from '../../support/state.ts'
import { broken, law } from '../../support/settings.ts'
import { Tape, tapes } from '../../support/tape.ts'
import { LiveStore, watch, type Watch } from './liveStore.ts'

const test = suite('live objects: histories')

const NEEDED = {}

class Person extends Entity {
  id = ''
  name = ''
  born: Date | undefined = undefined
  boss: Person | object = NEEDED
  friend: Person | undefined = undefined
  posts: Post[] = []
  static override key = 'Person'
  static override indexes = ['name']
  static override schema: Fields = {}
}

class Post extends Entity {
  id = ''
  title = ''
  author: Person | object = NEEDED
  likes: Person[] = []
  attached: Person | Note | undefined = undefined
  named: { [name: string]: Person } = {}
  box: { person?: Person; list?: Person[] } | undefined = undefined
  static override key = 'Post'
  static override schema: Fields = {}
}

class Note extends Entity {
  id = ''
  text = ''
  about: Post | undefined = undefined
  static override key = 'Note'
  static override schema: Fields = {}
  static override validate(record: Fields): string | undefined {
    return record['text'] === undefined ? 'no text' : undefined
  }
}

/** The same rows with fewer fields, and nothing required. */
class Brief extends Entity {
  id = ''
  text = '?'
  static override key = 'Note'
}

const either = new schema.Union({ person: Person, note: Note }, 'type')
Person.schema = { born: Date, boss: Person, friend: Person, posts: [Post] }
Post.schema = { author: Person, likes: new schema.Array(Person), attached: either, named: new schema.Values(Person), box: { person: Person, list: [Person] } }
Note.schema = { about: Post }

const people = new schema.Collection([Person])
const feed = new schema.Collection([either])
const byName = new schema.Query(new schema.All(Person), list => [...list].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)))
const bosses = new schema.Query(people, list => list.map(person => (person.boss as Partial<Person>)?.name))
const join = new schema.Query({ person: Person, posts: new schema.All(Post) }, ({ person, posts }) => posts.filter(post => post.author === person).map(post => post.title))
const page = { first: Person, results: [Post], inner: { people: [Person], n: 0 }, at: Date }
const pks = ['a', 'b', 'c', 'd']
const words = ['x', 'y', 'z']

/** Everything that is read, live and purely. */
const roots: readonly (readonly [name: string, schema: unknown, args: readonly unknown[]])[] = [
  ...pks.flatMap(pk => [Person, Post, Note, Brief].map(entity => [`${entity.name} ${pk}`, entity, [pk]] as const)),
  ...words.map(name => [`name ${name}`, Person, [{ name }]] as const),
  ['people', people, []],
  ['feed', feed, []],
  ['all people', new schema.All(Person), []],
  ['all', new schema.All({ person: Person, note: Note }, 'type'), []],
  ['by name', byName, []],
  ['bosses', bosses, []],
  ['join', join, [{ id: 'a' }]],
  ['object', { person: Person, people }, [{ id: 'b' }]],
]

const person = (tape: Tape, id = tape.pick(pks)): object => ({
  id,
  ...(tape.chance(60) ? { name: tape.pick(words) } : {}),
  ...(tape.chance(20) ? { born: tape.pick(['2020-01-01', '2021-01-01']) } : {}),
  ...(tape.chance(30) ? { boss: tape.pick([null, ...pks]) } : {}),
  ...(tape.chance(30) ? { friend: tape.pick([null, ...pks]) } : {}),
  ...(tape.chance(30) ? { posts: tape.some(pks) } : {}),
})
const post = (tape: Tape): object => ({
  id: tape.pick(pks),
  ...(tape.chance(50) ? { title: tape.pick(words) } : {}),
  ...(tape.chance(40) ? { author: tape.chance(50) ? tape.pick(pks) : person(tape) } : {}),
  ...(tape.chance(30) ? { likes: tape.some([null, ...pks]) } : {}),
  ...(tape.chance(20) ? { attached: tape.chance(50) ? { ...person(tape), type: 'person' } : { ...note(tape), type: 'note' } } : {}),
  ...(tape.chance(20) ? { named: Object.fromEntries(tape.some(words).map(name => [name, tape.pick(pks)])) } : {}),
  ...(tape.chance(20) ? { box: { ...(tape.chance(50) ? { person: tape.pick(pks) } : {}), list: tape.some(pks) } } : {}),
})
const note = (tape: Tape): object => ({ id: tape.pick(pks), text: tape.pick(words), ...(tape.chance(40) ? { about: tape.pick(pks) } : {}) })

/** One commit, whatever it is. */
function step(at: LiveStore, tape: Tape): void {
  switch (tape.int(10)) {
    case 0:
    case 1:
      return void at.write([[Person], Array.from({ length: 1 + tape.int(3) }, () => person(tape))])
    case 2:
    case 3:
      return void at.write([[Post], Array.from({ length: 1 + tape.int(2) }, () => post(tape))], [Person, person(tape)])
    case 4:
      return void at.write(tape.chance(50) ? [Note, note(tape)] : [Brief, { id: tape.pick(pks) }])
    case 5:
      return void at.write([people, tape.some(pks).map(id => person(tape, id))])
    case 6:
      return void at.write([feed, [{ ...person(tape), type: 'person' }, { ...note(tape), type: 'note' }].slice(tape.int(3))])
    case 7:
      return at.remove(tape.pick([Person, Post, Note]), ...tape.some(pks))
    case 8:
      return at.collect(tape.pick(['Person', 'Post', 'Note', '[Person]']), ...tape.some([...pks, '{}']))
    default:
      return at.respond('page', page, {
        ...(tape.chance(50) ? { first: person(tape) } : {}),
        results: [post(tape)].slice(tape.int(2)),
        inner: { people: tape.some(pks), n: tape.int(3) },
        ...(tape.chance(50) ? { at: tape.pick(['2020-01-01', '2021-01-01']) } : {}),
      })
  }
}

/** A view as text. An entity that was met before is named by the way to it, so circles end, and who is the same as whom is compared. */
function picture(value: unknown, path = '', seen: Map<object, string> = new Map()): string {
  if (value instanceof Date) return value.toISOString()
  if (typeof value !== 'object' || value === null) return String(value)
  const known = seen.get(value)
  if (known !== undefined) return `<${known}>`
  if (value instanceof Entity) seen.set(value, path)
  const members = Object.keys(value).map(name => `${name}:${picture((value as Fields)[name], `${path}/${name}`, seen)}`)
  return `${value.constructor.name}{${members.join()}}`
}

law(
  test,
  'after every commit a live read shows what a view made from nothing shows, and effects have seen it',
  400,
  tapes(400),
  bytes => {
    const tape = new Tape(bytes)
    const at = new LiveStore()
    const pure = (which: readonly [string, unknown, readonly unknown[]]): string => {
      return picture(query(which[1], which[2], at.state))
    }
    const live = (which: readonly [string, unknown, readonly unknown[]]): string => picture(at.live.query(which[1], which[2]))
    const pureResult = (): string => {
      const stored = readResult(at.state, 'page')
      return picture(stored === undefined ? undefined : denormalize(page, stored, at.state))
    }
    const liveResult = (): string => picture(at.live.result(page, 'page'))
    const watches: [name: string, watch: Watch<string>, pure: () => string][] = []
    for (let steps = 3 + tape.int(20); steps > 0; steps--) {
      // Some are watched, some come late, some go.
      const which = tape.pick(roots)
      if (tape.chance(40)) watches.push([which[0], watch(() => live(which)), () => pure(which)])
      if (tape.chance(20)) watches.push(['page', watch(liveResult), pureResult])
      if (tape.chance(10)) watches.splice(tape.int(watches.length + 1), 1)[0]?.[1].stop()
      const before = watches.map(([, each]) => each.runs)
      const seen = watches.map(([, each]) => each.last)
      step(at, tape)
      watches.forEach(([name, each, expected], i) => {
        const view = expected()
        if (each.last !== view) broken(`an effect on ${name} saw`, each.last, 'where there is', view)
        if (each.runs - before[i]! > 1) broken(`an effect on ${name} ran ${each.runs - before[i]!} times`)
        if (seen[i] !== view && each.runs === before[i]) broken(`an effect on ${name} did not run`)
      })
      for (const root of tape.some(roots)) {
        const [got, expected] = [live(root), pure(root)]
        if (got !== expected) broken(`${root[0]} shows`, got, 'where there is', expected)
      }
      if (liveResult() !== pureResult()) broken('the result shows', liveResult(), 'where there is', pureResult())
    }
    for (const [, each] of watches) each.stop()
    if (at.errors.length > 0) throw at.errors[0]
  },
)

test.run()
