import * as patchcord from '../../dist/index.js'
import { shapes } from './shapes.mjs?patchcord'
import { live, views } from './views.mjs'

/** @import { Contender } from './index.mjs' */

const { applyPatches, denormalize, emptyState, Entity, normalize, schema } = patchcord
if (!normalize || !applyPatches || !denormalize) throw new Error('dist/index.js has no normalize, applyPatches and denormalize yet')

const { Item, NumberedItem, Project } = shapes(Entity)
const collection = new schema.Collection([Item])
let clock = 0

const schemas = {
  payload: { project: [Project] },
  item: Item,
  items: [Item],
  numberedItems: [NumberedItem],
  collection,
  push: collection.push,
}

function controller() {
  const made = new patchcord.Controller()
  const never = () => new Promise(() => {})
  const endpoints = Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, new patchcord.Endpoint(never, { name, schema, key: ({ id }) => `${name} ${id}` })]),
  )
  const everything = { testKey: () => true }
  return {
    fill: inputs => inputs.forEach((input, id) => made.setResponse(endpoints.item, { id }, input)),
    respond: (name, id, input) => made.setResponse(endpoints[name], { id }, input),
    read: (name, id) => made.getResponse(endpoints[name], { id }).data,
    status: (name, id) => made.getResponse(endpoints[name], { id }),
    invalidateAll: () => made.invalidateAll(everything),
    expireAll: () => made.expireAll(everything),
  }
}

/** @type {Contender} */
export const contender = {
  name: 'patchcord',
  packages: ['patchcord'],
  empty: emptyState,
  schemas,
  write(schema, input, state, args = []) {
    const now = ++clock
    const meta = { fetchedAt: now, date: now, expiresAt: now + 60_000 }
    const { result, patches, stamps } = normalize(schema, input, args, state, meta)
    return { result, patches, state: applyPatches(state, patches, stamps) }
  },
  view: (schema, result, state, args) => denormalize(schema, result, state, args),
  views,
  live,
  controller,
}
