import { QueryClient, QueryObserver } from '@tanstack/query-core'

/** @import { Contender } from './index.mjs' */

const KEYS = { payload: ['payload'], items: ['items'] }
/** Nothing is fetched and nothing ends by itself: the rows say when. */
const client = () => new QueryClient({ defaultOptions: { queries: { gcTime: Infinity, staleTime: Infinity } } })

/** What its guide tells to write in `onSuccess` when an answer changes a row of a list. */
const merge = input => list => {
  let found = false
  const next = list.map(row => {
    if (row.id !== input.id) return row
    found = true
    return { ...row, ...input }
  })
  return found ? next : [...next, input]
}

function write(schema, input, state) {
  if (schema === 'item') {
    if (state.getQueryData(KEYS.items)) state.setQueryData(KEYS.items, merge(input))
    else state.setQueryData(['item', input.id], input)
    return { result: input.id, state }
  }
  if (schema === 'push') state.setQueryData(KEYS.items, list => [...list, ...input])
  else state.setQueryData(KEYS[schema], input)
  return { result: undefined, state }
}

function view(schema, result, state) {
  if (schema !== 'item') return state.getQueryData(KEYS[schema])
  return state.getQueryData(['item', result]) ?? state.getQueryData(KEYS.items).find(({ id }) => id === result)
}

/** @returns {import('./index.mjs').Views} */
function views() {
  const state = client()
  return {
    respond: (name, input) => void write(name, input, state),
    read: name => state.getQueryData(KEYS[name]),
    watch: name => void new QueryObserver(state, { queryKey: KEYS[name], enabled: false }).subscribe(() => {}),
    forget() {},
  }
}

/** @returns {import('./index.mjs').Controlled} */
function controller() {
  const state = client()
  return {
    fill: inputs => inputs.forEach((input, id) => state.setQueryData(['item', id], input)),
    respond: (name, id, input) => state.setQueryData([name, id], input),
    read: (name, id) => state.getQueryData([name, id]),
    status(name, id) {
      const known = state.getQueryState([name, id])
      return { expiryStatus: known?.data === undefined ? 1 : 3, expiresAt: known?.isInvalidated ? 0 : Infinity }
    },
    // Without the data, as before the first answer; and stale, with the data.
    invalidateAll: () => void state.resetQueries(),
    expireAll: () => void state.invalidateQueries(undefined, { refetchType: 'none' }),
  }
}

/**
 * TanStack Query without a framework. It keeps each answer whole under its key and does not know that two of them show
 * the same entity; a row of a list is changed by a function that its user writes.
 *
 * @type {Contender}
 */
export const contender = {
  name: 'query-core',
  packages: ['@tanstack/query-core'],
  get empty() {
    return client()
  },
  mutates: true,
  schemas: { payload: 'payload', item: 'item', items: 'items', numberedItems: 'items', collection: 'items', push: 'push' },
  blanks: {
    denormalize: 'keeps the answer as it came',
    first: 'keeps the answer as it came',
    shared: 'does not know that rows show the same author',
    table: 'an answer for one item does not reach the list',
  },
  write,
  view,
  views,
  controller,
}
