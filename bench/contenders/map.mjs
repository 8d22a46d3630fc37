import { apart, idOf, assemble } from './byHand.mjs?map'

/** @import { Contender } from './index.mjs' */

/** Into a table, over what it has. */
function put(table, records) {
  for (const record of records) {
    const old = table.get(record.id)
    table.set(record.id, old ? { ...old, ...record } : record)
  }
}

function write(schema, input, state) {
  const { buildTypes, items, lists, projects } = state
  if (schema === 'item') {
    put(items, [input])
    return { result: input.id, state }
  }
  if (schema === 'payload') {
    const found = apart(input)
    put(buildTypes, found.buildTypes)
    put(projects, found.projects)
    lists.payload = found.projects.map(idOf)
  } else if (schema === 'push') {
    put(items, input)
    for (const { id } of input) lists.items.push(id)
  } else {
    put(items, input)
    lists.items = input.map(idOf)
  }
  return { result: undefined, state }
}

function view(schema, result, { buildTypes, items, lists, projects }) {
  if (schema === 'item') return items.get(result)
  if (schema === 'items') return lists.items.map(id => items.get(id))
  return assemble(lists.payload.map(id => projects.get(id)), id => buildTypes.get(id))
}

const empty = () => ({ projects: new Map(), buildTypes: new Map(), items: new Map(), lists: {} })

/** @returns {import('./index.mjs').Views} */
function views() {
  const state = empty()
  return {
    respond: (name, input) => void write(name, input, state),
    read: name => view(name, undefined, state),
    watch() {},
    forget() {},
  }
}

/**
 * A `Map` for each type, the response taken apart by hand: the floor. It keeps no old state, tells nobody of a change,
 * remembers no view.
 *
 * @type {Contender}
 */
export const contender = {
  name: 'map',
  packages: [],
  get empty() {
    return empty()
  },
  mutates: true,
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
