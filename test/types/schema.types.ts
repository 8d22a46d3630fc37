import { Entity, RestEndpoint, schema } from '../../src/index.ts'
import type { Denormalize, Payload, ViewOf } from '../../src/index.ts'
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
