import { createCollection, createLiveQueryCollection } from '@tanstack/db'

/** @import { Contender } from './index.mjs' */

/** A collection that is synchronized from outside, as from a server. */
function open() {
  let sync
  const collection = createCollection({
    getKey: ({ id }) => id,
    startSync: true,
    sync: {
      sync(given) {
        sync = given
        given.markReady()
      },
    },
  })
  return {
    collection,
    put(records) {
      sync.begin()
      for (const record of records) {
        const old = collection.get(record.id)
        sync.write(old ? { type: 'update', value: { ...old, ...record } } : { type: 'insert', value: record })
      }
      sync.commit()
    },
  }
}

function write(schema, input, state) {
  state.put(schema === 'item' ? [input] : input)
  return { result: input.id, state }
}

const view = (schema, result, { collection }) => (schema === 'item' ? collection.get(result) : collection.toArray.sort((one, other) => one.rank - other.rank))

/** @returns {import('./index.mjs').Views} */
function views() {
  const state = open()
  let live
  return {
    respond: (name, input) => void write(name, input, state),
    read: () => live.toArray,
    watch: () => void (live = createLiveQueryCollection({ startSync: true, query: from => from.from({ item: state.collection }) })),
    forget() {},
  }
}

/**
 * TanStack DB: collections of flat rows, sorted by their keys, read by live queries that are brought up to
 * date by what has changed.
 *
 * @type {Contender}
 */
export const contender = {
  name: 'tanstack-db',
  packages: ['@tanstack/db'],
  get empty() {
    return open()
  },
  mutates: true,
  schemas: { item: 'item', items: 'items', numberedItems: 'items', collection: 'items', push: 'push' },
  blanks: {
    payload: 'holds flat rows: a nested response would be taken apart, and joined, by hand',
    shared: 'holds flat rows',
    controller: 'has no endpoints',
  },
  write,
  view,
  views,
}
