import { createEntityAdapter, createSelector } from '@reduxjs/toolkit'
import { apart, assemble } from './byHand.mjs?rtk'

/** @import { Contender } from './index.mjs' */

const adapter = createEntityAdapter()
const table = adapter.getInitialState()
const empty = { projects: table, buildTypes: table, items: table }

/** As reducers of a slice do it; the adapter makes the draft. */
function write(schema, input, state) {
  if (schema === 'item') return { result: input.id, state: { ...state, items: adapter.upsertOne(state.items, input) } }
  if (schema === 'items') return { result: undefined, state: { ...state, items: adapter.upsertMany(state.items, input) } }
  const { buildTypes, projects } = apart(input)
  return {
    result: undefined,
    state: { ...state, projects: adapter.upsertMany(state.projects, projects), buildTypes: adapter.upsertMany(state.buildTypes, buildTypes) },
  }
}

const all = ({ entities, ids }) => ids.map(id => entities[id])

function view(schema, result, { buildTypes, items, projects }) {
  if (schema === 'item') return items.entities[result]
  return schema === 'items' ? all(items) : assemble(all(projects), id => buildTypes.entities[id])
}

/** Selectors remember what they last showed; new ones have forgotten. */
function selectors() {
  const items = adapter.getSelectors(state => state.items)
  const projects = adapter.getSelectors(state => state.projects)
  const buildTypes = adapter.getSelectors(state => state.buildTypes)
  return {
    items: items.selectAll,
    payload: createSelector([projects.selectAll, buildTypes.selectEntities], (listed, entities) => assemble(listed, id => entities[id])),
  }
}

/** @returns {import('./index.mjs').Views} */
function views() {
  let state = empty
  let select = selectors()
  return {
    respond: (name, input) => void ({ state } = write(name, input, state)),
    read: name => select[name](state),
    watch: name => void select[name](state),
    forget: () => void (select = selectors()),
  }
}

/**
 * The entity adapter of Redux Toolkit: a table of rows and a list of ids, written through Immer, read by selectors. It
 * knows no schema, so a nested response is split and assembled by hand.
 *
 * @type {Contender}
 */
export const contender = {
  name: 'rtk',
  packages: ['@reduxjs/toolkit'],
  empty,
  schemas: { payload: 'payload', item: 'item', items: 'items', numberedItems: 'items', collection: 'items', push: 'items' },
  blanks: { shared: 'joins nothing', controller: 'the adapter has no endpoints' },
  write,
  view,
  views,
}
