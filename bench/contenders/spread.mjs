import { apart, idOf, assemble } from './byHand.mjs?spread'

/** @import { Contender } from './index.mjs' */

const empty = { projects: {}, buildTypes: {}, items: {}, lists: {} }

/** A copy of the table with the records in it, over what it has. */
function put(table, records) {
  const next = { ...table }
  for (const record of records) {
    const old = next[record.id]
    next[record.id] = old ? { ...old, ...record } : record
  }
  return next
}

function write(schema, input, state) {
  if (schema === 'item') return { result: input.id, state: { ...state, items: put(state.items, [input]) } }
  if (schema === 'payload') {
    const found = apart(input)
    const lists = { ...state.lists, payload: found.projects.map(idOf) }
    return { result: undefined, state: { ...state, projects: put(state.projects, found.projects), buildTypes: put(state.buildTypes, found.buildTypes), lists } }
  }
  const ids = input.map(idOf)
  const lists = { ...state.lists, items: schema === 'push' ? [...state.lists.items, ...ids] : ids }
  return { result: undefined, state: { ...state, items: put(state.items, input), lists } }
}

function view(schema, result, { buildTypes, items, lists, projects }) {
  if (schema === 'item') return items[result]
  if (schema === 'items') return lists.items.map(id => items[id])
  return assemble(lists.payload.map(id => projects[id]), id => buildTypes[id])
}

/** @returns {import('./index.mjs').Views} */
function views() {
  let state = empty
  return {
    respond: (name, input) => void ({ state } = write(name, input, state)),
    read: name => view(name, undefined, state),
    watch() {},
    forget() {},
  }
}

/**
 * An object for each type, copied by `{...table}` once for each response that is taken apart by hand: the ceiling. Old
 * states stay; nobody is notified of a change, no view is cached.
 *
 * @type {Contender}
 */
export const contender = {
  name: 'spread',
  packages: [],
  empty,
  schemas: { payload: 'payload', item: 'item', items: 'items', numberedItems: 'items', collection: 'items', push: 'push' },
  blanks: {
    first: 'remembers no views; see denormalize',
    again: 'remembers no views; see denormalize',
    shared: 'joins nothing',
    controller: 'has no endpoints',
  },
  write,
  view,
  views,
}
