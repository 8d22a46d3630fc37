import { type Controller, Entity, EntityMixin, RestEndpoint, schema } from '../../src/index.ts'
import type { Denormalize, Payload, RecordOf, ViewOf } from '../../src/index.ts'
import type { Equal, Expect } from './expect.ts'

class Text extends Entity {
  id = ''
  type = 'text' as const
  static override key = 'Text'
}
class Image extends Entity {
  id = ''
  type = 'image' as const
  static override key = 'Image'
}

interface Posted {
  readonly kind: 'text' | 'image'
}
// Functions may say what they are given, and need not.
const chosen = new schema.Array({ text: Text, image: Image }, (value, _parent, key) => value['type'] ?? key)
const everything = new schema.All({ text: Text, image: Image }, (value, parent) => `${String(parent['kind'])}-${String(value['type'])}`)
const named = new schema.Values({ text: Text, image: Image }, ({ kind }: Posted) => kind)
const one = new schema.Union({ text: Text, image: Image }, value => value['type'])
const undecided = new schema.Array(Text, undefined)

export type Chosen = [
  Expect<Equal<Denormalize<typeof chosen>, (Text | Image)[]>>,
  Expect<Equal<Denormalize<typeof everything>, (Text | Image)[]>>,
  Expect<Equal<Denormalize<typeof named>, { [name: string]: Text | Image }>>,
  Expect<Equal<Denormalize<typeof one>, Text | Image>>,
  Expect<Equal<Denormalize<typeof undecided>, Text[]>>,
  Expect<Equal<Denormalize<schema.All<typeof Text>>, Text[]>>,
]

const shorthand = new schema.Collection([Text])
const list = new schema.Collection(new schema.Array(Text))
const several = new schema.Collection(new schema.Array({ text: Text, image: Image }, 'type'))
const map = new schema.Collection(new schema.Values(Text))
const getList = new RestEndpoint({ path: '/texts', schema: list })
const paged = new RestEndpoint({ path: '/texts', schema: { results: [Text], next: '' as string | null, total: undefined as number | undefined, others: null, first: Text as typeof Text | null } })
const object = new schema.Object({ results: [Text], next: '' as string | null, others: null, more: undefined })

/** A field may be null where its schema may; null alone lets anything pass. */
export type Nullable = [
  Expect<Equal<ViewOf<typeof paged>, { results: Text[]; next: string | null; total: number | undefined; others: unknown; first: Text | null }>>,
  Expect<Equal<Denormalize<typeof object>, { results: Text[]; next: string | null; others: unknown; more: unknown }>>,
  Expect<Equal<Awaited<ReturnType<typeof paged>>['next'], string | null>>,
]

export type Created = [
  Expect<Equal<Denormalize<typeof shorthand.push>, Text>>,
  Expect<Equal<Denormalize<typeof list>, Text[]>>,
  // One that is sent is one that is shown, however the list is spelled.
  Expect<Equal<Denormalize<typeof list.push>, Text>>,
  Expect<Equal<Denormalize<typeof list.move>, Text>>,
  Expect<Equal<Denormalize<typeof several.unshift>, Text | Image>>,
  Expect<Equal<Denormalize<typeof map.assign>, { [name: string]: Text }>>,
  Expect<Equal<ViewOf<typeof getList.push>, Text>>,
  Expect<Equal<Payload<typeof list.push>, Text>>,
]

type Name = string & { readonly brand?: 'name' }
class Album extends Entity {
  id = ''
  cover: Image | null = null
  owner?: Text
  images: readonly Image[] = []
  readonly tags: readonly { readonly name: Name; readonly at: readonly [number, number] }[] = []
  byName: { readonly first: Image; readonly others: readonly Image[] } | undefined
  static override key = 'Album'
  static override schema = { cover: Image, owner: Text, images: [Image], byName: { first: Image, others: [Image] } }
}
class Point {
  x = 0
  y = 0
  static origin: Point = new Point()
  static from(x: number, y: number): Point {
    return Object.assign(new this(), { x, y })
  }
  distance(): number {
    return this.x + this.y
  }
}
const Spot = EntityMixin(Point, { key: 'Spot', pk: ({ x, y }) => `${x},${y}` })

export type Records = [
  Expect<Equal<RecordOf<typeof Album>['images'], string[]>>,
  Expect<Equal<RecordOf<typeof Album>['cover'], string | null>>,
  Expect<Equal<RecordOf<typeof Album>['byName'], { first: string; others: string[] } | undefined>>,
  Expect<Equal<RecordOf<typeof Album>['tags'], { name: Name; at: [number, number] }[]>>,
  // A mixin is a class too, before anybody has extended it.
  Expect<Equal<RecordOf<typeof Spot>, { x: number; y: number }>>,
]

/** A draft is there to be changed, relations included. */
export function drafts(controller: Controller): void {
  controller.set(Album, { id: '1' }, (album) => {
    album.images.push('2')
    album.images.splice(0, 1)
    album.cover = null
    delete album.owner
    album.tags.push({ name: 'x', at: [1, 2] })
    album.tags[0]!.at[1] = 3
    album.byName?.others.push('3')
    // @ts-expect-error the default says that it cannot be missing
    album.images = null
    // @ts-expect-error a list has pks
    album.images.push(2)
  })
  controller.set(Spot, '1,2', (spot) => {
    spot.x = 5
    // @ts-expect-error there is no such field
    spot.z = 5
  })
}

class Square extends EntityMixin(Point, { pk: 'x', size: 1 }) {
  static override key = 'Square'
  z = 0
}
class Dated {
  id = ''
  at = new Date(0)
  static schema = { at: Date }
}
class Entry extends EntityMixin(Dated, { key: 'Entry' }) {}

/** A mixin has the statics of the class that it is made of, as it has at run time. */
export function mixins(): void {
  void Spot.origin.distance()
  void Square.from(1, 2).distance()
  void Square.fromJS({ z: 1, x: 2 }).distance()
  // @ts-expect-error there is no such field
  Square.fromJS({ q: 1 })
  // @ts-expect-error nor one to make a pk of
  EntityMixin(Point, { pk: 'id' })
  // @ts-expect-error made without arguments, whenever a view is
  EntityMixin(class { constructor(readonly id: string) {} })
  void new schema.All(Entry)
}
export type Mixins = [
  Expect<Equal<Denormalize<typeof Square>, Square>>,
  Expect<Equal<typeof Entry.schema, { at: DateConstructor }>>,
  Expect<Equal<RecordOf<typeof Entry>, { id: string; at: unknown }>>,
]

interface Sent { id: string; name: string; rev: number }
/** An interface may declare the values that go through the methods of a class. */
class Processed extends Entity {
  id = ''
  name = ''
  static override key = 'Processed'
  static override version = (record: Sent): number => record.rev
  static override process(input: Sent, parent: unknown, key: string, args: readonly [{ id: string }]) {
    return { ...input, ...super.process(input, parent, key, args), id: args[0].id }
  }
  static override validate(processed: Sent): string | undefined {
    return processed.name === '' ? 'A name is missing.' : undefined
  }
  static override shouldUpdate(_existingMeta: object, _incomingMeta: object, existing: Sent, incoming: Sent): boolean {
    return existing.rev < incoming.rev
  }
  static override merge(existing: Sent, incoming: Sent) {
    return { ...existing, ...incoming }
  }
}
const getProcessed = new RestEndpoint({ path: '/processed/:id', schema: Processed })
// @ts-expect-error a record is no number
class Misprocessed extends Entity {
  static override process(): number {
    return 1
  }
}
export type Lifecycle = [Expect<Equal<ViewOf<typeof getProcessed>, Processed>>, Expect<Equal<ReturnType<typeof Processed.fromJS<typeof Processed>>, Processed>>, Misprocessed]

/** What a schema cannot be made of is refused before it throws. */
export function refused(): void {
  void new schema.Invalidate(new schema.Union({ text: Text, image: Image }, 'type'))
  void new schema.Invalidate({ text: Text, image: Image }, 'type')
  void (<E extends typeof Entity>(entity: E) => [new schema.Invalidate(entity), new schema.Collection([entity])])
  // @ts-expect-error a collection is of a list, or of values
  void new schema.Collection(Text)
  // @ts-expect-error and this is an object
  void new schema.Collection({ text: Text })
  // @ts-expect-error a list is no entity
  void new schema.Invalidate([Text])
  // @ts-expect-error what tells the types apart is missing
  void new schema.Invalidate({ text: Text, image: Image })
}
