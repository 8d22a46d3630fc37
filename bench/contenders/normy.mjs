import { createNormalizer } from '@normy/core'

/** @import { Contender } from './index.mjs' */

/** A normalizer beside a library that keeps the answers, which is a `Map` here. */
function open() {
  const normalizer = createNormalizer({ getArrayType: ({ queryKey }) => (queryKey === 'items' ? 'items' : undefined) })
  const answers = new Map()
  const keep = (key, data) => {
    normalizer.setQuery(key, data)
    answers.set(key, data)
  }
  return {
    keep,
    answers,
    normalizer,
    /** As its integrations do it after a mutation. */
    mutate(data) {
      const touched = normalizer.getQueriesToUpdate(data)
      for (const { data, queryKey } of touched) keep(queryKey, data)
      return touched.length > 0
    },
  }
}

function write(schema, input, state) {
  if (schema === 'push') state.mutate(input)
  else if (schema !== 'item' && schema !== 'owner') state.keep(schema, input)
  else if (!state.mutate(input)) state.keep(`${schema} ${input.id}`, input)
  return { result: input.id, state }
}

const view = (schema, result, { answers, normalizer }) => (schema === 'item' ? normalizer.getObjectById(result) : answers.get(schema))

/** @returns {import('./index.mjs').Views} */
function views() {
  const state = open()
  return {
    respond: (name, input) => void write(name, input, state),
    read: name => state.answers.get(name),
    watch() {},
    forget() {},
  }
}

/**
 * Normalizes without a schema, by ids that are unique over all types, beside a library that keeps the answers. When an
 * entity changes, the answers that show it are made anew, whole.
 *
 * @type {Contender}
 */
export const contender = {
  name: 'normy',
  packages: ['@normy/core'],
  get empty() {
    return open()
  },
  mutates: true,
  schemas: { payload: 'payload', item: 'item', items: 'items', numberedItems: 'items', collection: 'items', push: 'push' },
  blanks: {
    denormalize: 'keeps the answer as it came',
    first: 'keeps the answer as it came',
    keepsRows: 'makes all rows anew',
    controller: 'has no endpoints',
    '100k': 'takes lists apart in time that grows with the square of their length',
  },
  // The answer of a server that says where it belongs.
  sends: (schema, input) => (schema === 'push' ? input.map(record => ({ ...record, __append: 'items' })) : input),
  write,
  view,
  views,
}
