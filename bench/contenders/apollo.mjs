import { InMemoryCache } from '@apollo/client/cache'
import { cacheSizes } from '@apollo/client/utilities'
import { parse } from 'graphql'
import { fields, queries, sends } from './documents.mjs?apollo'

/** @import { Contender } from './index.mjs' */

// It remembers 50,000 objects and 10,000 lists unless configured otherwise; lists of 100,000 rows would never be remembered.
for (const memory of ['executeSelectionSet', 'executeSubSelectedArray']) cacheSizes[`inMemoryCache.${memory}`] = 1_000_000

const documents = Object.fromEntries(Object.entries(queries).map(([name, text]) => [name, parse(text)]))
const fragments = {
  item: parse(`fragment Item on Item { ${fields.item} }`),
  change: parse(`fragment Change on Item { ${fields.change} }`),
  owner: parse(`fragment Owner on Owner { ${fields.owner} }`),
}
const ofItem = id => `Item:${id}`

function writeItem(input, state) {
  return state.writeFragment({ id: ofItem(input.id), fragment: 'title' in input ? fragments.item : fragments.change, data: input })
}

function write(schema, input, state) {
  if (schema === 'item') {
    writeItem(input, state)
    return { result: input.id, state }
  }
  if (schema === 'owner') state.writeFragment({ id: `Owner:${input.id}`, fragment: fragments.owner, data: input })
  else if (schema === 'push') {
    // What its guide tells to write in `update` when an answer adds to a list; one announcement for all.
    state.batch({
      update(cache) {
        const added = input.map(record => writeItem(record, cache))
        cache.modify({ fields: { items: known => [...known, ...added] } })
      },
    })
  } else state.writeQuery({ query: documents[schema], data: input })
  return { result: undefined, state }
}

const visible = (name, data) => (name === 'payload' ? data : data[name])

function view(schema, result, state) {
  if (schema === 'item') return state.readFragment({ id: ofItem(result), fragment: fragments.item })
  return visible(schema, state.readQuery({ query: documents[schema] }))
}

/** @returns {import('./index.mjs').Views} */
function views() {
  const state = new InMemoryCache()
  return {
    respond: (name, input) => void write(name, input, state),
    read: name => view(name, undefined, state),
    watch: name => void state.watch({ query: documents[name], optimistic: false, immediate: true, callback() {} }),
    forget: () => void state.gc({ resetResultCache: true }),
  }
}

/**
 * The normalized cache of Apollo Client, without the client. It wants a document for all that is written and read, and
 * the type in each object; views are remembered for each object and each list.
 *
 * @type {Contender}
 */
export const contender = {
  name: 'apollo',
  packages: ['@apollo/client', 'graphql'],
  get empty() {
    return new InMemoryCache()
  },
  mutates: true,
  schemas: { payload: 'payload', item: 'item', items: 'items', numberedItems: 'numberedItems', collection: 'items', push: 'push' },
  blanks: {
    denormalize: 'always remembers its views; see first view',
    'views of 100k': 'remembers each row, which takes many seconds for the first view: see 10k',
    controller: 'the cache does not know when an answer is stale',
  },
  sends,
  write,
  view,
  views,
}
