import { Controller, createReducer, initialState } from '@data-client/core'
import { denormalize, normalize } from '@data-client/normalizr'
import { Entity, schema } from '@data-client/rest'
import { shapes } from './shapes.mjs?data-client'

/** @import { Contender } from './index.mjs' */

const { Article, BuildType, Item, NumberedItem, OwnedItem, Owner, PlainArticle, Project } = shapes(Entity)
const collection = new schema.Collection([Item])
let clock = 0

const schemas = {
  payload: { project: [Project] },
  item: Item,
  items: [Item],
  numberedItems: [NumberedItem],
  ownedItems: [OwnedItem],
  owner: Owner,
  articles: [Article],
  plainArticles: [PlainArticle],
  buildType: BuildType,
  collection,
  push: collection.push,
}

const endpoints = Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, { key: () => name, schema, testKey: key => key === name }]))

/** Its provider holds the state and asks the controller, which holds the memory of views. */
function views() {
  let state = initialState
  const made = () => {
    const controller = new Controller()
    const reducer = createReducer(controller)
    controller.dispatch = action => {
      state = reducer(state, action)
      return Promise.resolve()
    }
    return controller
  }
  let controller = made()
  return {
    respond: (name, input) => void controller.setResponse(endpoints[name], input),
    read: name => controller.getResponse(endpoints[name], state).data,
    // A mounted component changes nothing for it: the memory is the same.
    watch: name => void controller.getResponse(endpoints[name], state),
    forget: () => void (controller = made()),
  }
}

/** As its provider works it, without the component. */
function controller() {
  let state = initialState
  const made = new Controller()
  const reducer = createReducer(made)
  made.dispatch = action => {
    state = reducer(state, action)
    return Promise.resolve()
  }
  const endpoints = Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, { key: ({ id }) => `${name} ${id}`, schema, testKey: () => true }]))
  const everything = { testKey: () => true }
  return {
    // Answer by answer this takes minutes: each copies what is known of all endpoints.
    fill(inputs) {
      void made.setResponse(endpoints.items, { id: 0 }, inputs)
      const meta = state.meta['items 0']
      const keys = inputs.map((_, at) => `item ${at}`)
      const results = Object.fromEntries(inputs.map(({ id }, at) => [keys[at], id]))
      state = { ...state, results, meta: Object.fromEntries(keys.map(key => [key, meta])) }
    },
    respond: (name, id, input) => void made.setResponse(endpoints[name], { id }, input),
    read: (name, id) => made.getResponse(endpoints[name], { id }, state).data,
    watch: (name, id) => void made.getResponse(endpoints[name], { id }, state),
    // Its network manager dispatches the parsed body as an action; so does this.
    open: async (name, id) => ({
      land(input, stop) {
        void made.setResponse(endpoints[name], { id }, input)
        stop?.()
      },
    }),
    readFetched: (name, id) => made.getResponse(endpoints[name], { id }, state).data,
    // An expiry of 0 counts for it as none, and it reports that of the entity: its notes are checked too.
    status: (name, id) => ({ ...made.getResponse(endpoints[name], { id }, state), invalidated: state.meta[`${name} ${id}`]?.invalidated }),
    invalidateAll: () => void made.invalidateAll(everything),
    expireAll: () => void made.expireAll(everything),
  }
}

/** @type {Contender} */
export const contender = {
  name: 'data-client',
  packages: ['@data-client/core', '@data-client/rest', '@data-client/normalizr'],
  empty: { entities: {}, indexes: {}, entityMeta: {} },
  schemas,
  blanks: { order: 'orders responses by the clock, and has no calls that are run again' },
  views,
  controller,
  write(schema, input, state, args = []) {
    const now = ++clock
    const meta = { fetchedAt: now, date: now, expiresAt: now + 60_000 }
    // Its normalize also applies: what it returns is the next state, and the result beside it.
    const next = normalize(input, schema, args, state.entities, state.indexes, state.entityMeta, meta)
    return { result: next.result, state: next }
  },
  view: (schema, result, state, args) => denormalize(result, schema, state.entities, args),
}
