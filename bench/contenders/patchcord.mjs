import * as patchcord from '../../dist/index.js'
import { shapes } from './shapes.mjs?patchcord'
import { views } from './views.mjs'

/** @import { Contender } from './index.mjs' */

const { applyPatches, denormalize, emptyState, Entity, normalize, schema } = patchcord
if (!normalize || !applyPatches || !denormalize) throw new Error('dist/index.js has no normalize, applyPatches and denormalize yet')

const { Item, NumberedItem, Project } = shapes(Entity)
const collection = new schema.Collection([Item])
let clock = 0

/** @type {Contender} */
export const contender = {
  name: 'patchcord',
  packages: ['patchcord'],
  empty: emptyState,
  schemas: {
    payload: { project: [Project] },
    item: Item,
    items: [Item],
    numberedItems: [NumberedItem],
    collection,
    push: collection.push,
  },
  write(schema, input, state, args = []) {
    const now = ++clock
    const meta = { fetchedAt: now, date: now, expiresAt: now + 60_000 }
    const { result, patches, stamps } = normalize(schema, input, args, state, meta)
    return { result, patches, state: applyPatches(state, patches, stamps) }
  },
  view: (schema, result, state, args) => denormalize(schema, result, state, args),
  views,
}
