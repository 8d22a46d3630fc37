import { createRequest, makeOperation } from '@urql/core'
import { cacheExchange } from '@urql/exchange-graphcache'
import { filter, makeSubject, map, pipe, subscribe } from 'wonka'
import { fields, queries, sends } from './documents.mjs?graphcache'

/** @import { Contender } from './index.mjs' */

const requests = Object.fromEntries(Object.entries(queries).map(([name, text]) => [name, createRequest(text, {})]))
const mutations = {
  item: createRequest(`mutation PutItem { putItem { ${fields.item} } }`, {}),
  change: createRequest(`mutation PutItem { putItem { ${fields.change} } }`, {}),
  owner: createRequest(`mutation PutOwner { putOwner { ${fields.owner} } }`, {}),
  push: createRequest(`mutation AddItems { addItems { ${fields.item} } }`, {}),
}
/** Parsed once, as `gql` in an application does it. */
const ONE = createRequest(`query Item($id: String!) { item(id: $id) { ${fields.item} } }`, {}).query
const context = requestPolicy => ({ url: '', requestPolicy })

const config = {
  // They belong to the object that has them.
  keys: { Parameters: () => null, Property: () => null, BuildTypes: () => null },
  resolvers: { Query: { item: (_, { id }) => ({ __typename: 'Item', id }) } },
  updates: {
    Mutation: {
      // What its guide tells to write when an answer adds to a list.
      addItems({ addItems }, _, cache) {
        cache.link('Query', 'items', [...cache.resolve('Query', 'items'), ...addItems.map(added => cache.keyOfEntity(added))])
      },
    },
  },
}

/** The exchange between a client that asks and a server that has the answer ready; all of it happens at once. */
function open(deliver = () => {}) {
  const operations = makeSubject()
  let answer
  let seen
  const client = { reexecuteOperation: operation => operations.next(operation) }
  const forward = source =>
    pipe(
      source,
      filter(({ kind }) => kind !== 'teardown'),
      map(operation => ({ operation, data: answer, stale: false, hasNext: false })),
    )
  pipe(
    operations.source,
    cacheExchange(config)({ client, forward, dispatchDebug() {} }),
    subscribe(({ data, operation }) => {
      seen = data
      deliver(operation.key, data)
    }),
  )
  const ask = (kind, request, policy) => {
    operations.next(makeOperation(kind, request, context(policy)))
    return seen
  }
  return {
    respond(kind, request, data) {
      answer = data
      ask(kind, request, 'network-only')
      answer = undefined
    },
    read: request => ask('query', request, 'cache-only'),
    /** The reader has left: nobody is notified of changes, nothing is cached for it. */
    leave: request => ask('teardown', request, 'cache-first'),
  }
}

function respond(schema, input, state) {
  if (schema === 'owner') state.respond('mutation', mutations.owner, { __typename: 'Mutation', putOwner: input })
  else if (schema === 'push') state.respond('mutation', mutations.push, { __typename: 'Mutation', addItems: input })
  else if (schema === 'item') state.respond('mutation', 'title' in input ? mutations.item : mutations.change, { __typename: 'Mutation', putItem: input })
  else state.respond('query', requests[schema], { __typename: 'Query', ...input })
}

function write(schema, input, state) {
  if (schema === 'item' && 'title' in input) {
    // A mutation would leave it without anything that leads to it, and it would be collected.
    const request = createRequest(ONE, { id: input.id })
    state.respond('query', request, { __typename: 'Query', item: input })
    state.leave(request)
    return { result: input.id, state }
  }
  respond(schema, input, state)
  if (requests[schema]) state.leave(requests[schema])
  return { result: input.id, state }
}

function view(schema, result, state) {
  const request = schema === 'item' ? createRequest(ONE, { id: result }) : requests[schema]
  const data = state.read(request)
  state.leave(request)
  return schema === 'payload' ? data : data[schema]
}

/** @returns {import('./index.mjs').Views} */
function views() {
  // Who shows a query is handed each new view of it, and need not ask for that again.
  const delivered = new Map()
  const state = open((key, data) => delivered.set(key, data))
  return {
    respond: (name, input) => respond(name, input, state),
    read(name) {
      const request = requests[name]
      const data = delivered.get(request.key) ?? state.read(request)
      delivered.delete(request.key)
      return name === 'payload' ? data : data[name]
    },
    watch: name => void state.read(requests[name]),
    forget() {
      Object.values(requests).forEach(state.leave)
      delivered.clear()
    },
  }
}

/**
 * The normalized cache of urql. It is an exchange and nothing else: an answer goes through it and is read back out of
 * it, so that its writes of queries have a view in them. It wants documents and types, and collects what no query leads
 * to.
 *
 * @type {Contender}
 */
export const contender = {
  name: 'graphcache',
  packages: ['@urql/exchange-graphcache', '@urql/core'],
  get empty() {
    return open()
  },
  mutates: true,
  schemas: { payload: 'payload', item: 'item', items: 'items', numberedItems: 'numberedItems', collection: 'items', push: 'push' },
  blanks: { controller: 'the cache does not know when an answer is stale' },
  sends,
  write,
  view,
  views,
}
