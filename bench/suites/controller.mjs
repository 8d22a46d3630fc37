import { expectShows } from '../expect.mjs'
import { freshPayload } from '../payload.mjs'
import { changes, item, itemId, items } from '../records.mjs'
import { among, bySize } from './among.mjs'

/** @import { Contender, Controlled } from '../contenders/index.mjs' */
/** @import { Entry } from '../measure.mjs' */
/** @import { Row } from '../row.mjs' */

const SIZES = { '1k': 1_000, '10k': 10_000, '100k': 100_000 }
const ENDPOINTS = 10_000
const SMALL = 500

/** A controller that has answers of so many endpoints, one item each. */
function cached(contender, size) {
  /** @type {Controlled} */
  const controlled = contender.controller()
  controlled.fill(items(size))
  return controlled
}

/** A controller that has one answer: a list of so many items. */
function listed(contender, size) {
  /** @type {Controlled} */
  const controlled = contender.controller()
  controlled.respond('items', 0, items(size))
  return controlled
}

/**
 * @param {Contender} contender
 * @returns {Entry}
 */
const payload = contender => ({
  check() {
    const controlled = contender.controller()
    controlled.respond('payload', 0, freshPayload())
    expectShows(controlled.read('payload', 0), freshPayload(), 'the project list')
  },
  before: () => [contender.controller(), freshPayload()],
  run([controlled, input]) {
    controlled.respond('payload', 0, input)
    return controlled
  },
})

/**
 * @param {Contender} contender
 * @returns {Entry}
 */
const small = contender => ({
  check() {
    const controlled = contender.controller()
    for (const [at, input] of items(SMALL).entries()) controlled.respond('item', at, input)
    expectShows(controlled.read('item', 7), item(7), 'an item')
  },
  before: () => [contender.controller(), items(SMALL)],
  run([controlled, inputs]) {
    for (let at = 0; at < SMALL; at++) controlled.respond('item', at, inputs[at])
    return controlled
  },
})

/**
 * One field of one entity, a different one each time; answered under a key that is there already.
 *
 * @param {Controlled} controlled
 * @returns {Entry}
 */
function write(controlled, size) {
  const next = changes(size)
  return {
    maxBatch: 250,
    check() {
      const [input] = next(1)
      controlled.respond('item', 0, input)
      expectShows(controlled.read('item', 0), input, 'the changed entity')
    },
    before: next,
    run(inputs) {
      for (const input of inputs) controlled.respond('item', 0, input)
      return controlled
    },
  }
}

/**
 * @param {Controlled} controlled
 * @returns {Entry}
 */
const read = (controlled, name, like) => ({
  maxBatch: 10_000,
  check: () => expectShows(controlled.read(name, 0), like, 'what is read'),
  run(_, batch) {
    let seen
    for (let times = 0; times < batch; times++) seen = controlled.read(name, 0)
    return seen
  },
})

/**
 * @param {Contender} contender
 * @param {'invalidateAll' | 'expireAll'} verb
 * @returns {Entry}
 */
function all(contender, verb, endpoints) {
  const controlled = cached(contender, endpoints)
  const status = () => controlled.status('item', endpoints - 1)
  return {
    check() {
      const before = status()
      controlled[verb]()
      const after = status()
      if (after.expiryStatus === before.expiryStatus && after.expiresAt >= before.expiresAt && after.invalidated === before.invalidated) throw new Error('nothing has happened')
    },
    run: () => controlled[verb](),
  }
}

const faster = atLeast => [{ kind: 'faster', who: 'patchcord', than: 'data-client', atLeast }]
const flat = [{ kind: 'growth', from: '1k', to: '100k', atMost: 3 }]

/** @type {Row[]} */
export const rows = [
  {
    name: 'setResponse, project list',
    about: 'The project list, freshly parsed, as the answer of an endpoint of a new controller.',
    budgets: faster(1),
    setup: contenders => among(contenders, ['controller'], payload),
  },
  {
    name: 'setResponse, 500 small entities',
    about: 'Five hundred answers of one flat entity each, into a new controller: the cost of a call.',
    budgets: faster(1),
    setup: contenders => among(contenders, ['controller'], small),
  },
  {
    name: 'setResponse, one entity in 100k',
    short: 'one',
    about: 'One field of one of 100,000 entities.',
    budgets: [{ kind: 'faster', who: 'patchcord', than: 'data-client', atLeast: 10_000, isMinimum: true }],
    setup: contenders => among(contenders, ['controller', 'table'], contender => write(listed(contender, SIZES['100k']), SIZES['100k'])),
  },
  {
    name: 'setResponse, one entity, growth of the table',
    about: 'The same by patchcord alone, at three sizes in turn.',
    alone: true,
    sizes: SIZES,
    budgets: [{ kind: 'growth', from: '1k', to: '100k', atMost: 3, isMinimum: true }],
    setup: contenders => bySize(contenders, SIZES, (ours, size) => write(listed(ours, size), size)),
  },
  {
    name: 'setResponse, one entity beside 10k endpoints',
    about: 'One field of one entity, where the answers of 10,000 endpoints are stored.',
    budgets: faster(100),
    setup: contenders => among(contenders, ['controller'], contender => write(cached(contender, ENDPOINTS), ENDPOINTS)),
  },
  {
    name: 'setResponse, growth with the number of endpoints',
    about: 'The same by patchcord alone, beside 1k, 10k and 100k endpoints.',
    alone: true,
    sizes: SIZES,
    budgets: flat,
    setup: contenders => bySize(contenders, SIZES, (ours, size) => write(cached(ours, size), 1_000)),
  },
  {
    name: 'getResponse, cached project list',
    about: 'What an endpoint has, nothing changed since it was last read, and whether it is fresh.',
    budgets: faster(10),
    setup: contenders =>
      among(contenders, ['controller'], contender => {
        const controlled = contender.controller()
        controlled.respond('payload', 0, freshPayload())
        return read(controlled, 'payload', freshPayload())
      }),
  },
  {
    name: 'getResponse, growth with the number of endpoints',
    about: 'A cached read by patchcord alone, beside 1k, 10k and 100k endpoints.',
    alone: true,
    sizes: SIZES,
    budgets: flat,
    setup: contenders => bySize(contenders, SIZES, (ours, size) => read(cached(ours, size), 'item', { id: itemId(0) })),
  },
  {
    name: 'getResponse, growth with the length of the list',
    about: 'A cached read by patchcord alone, of lists of three lengths in turn.',
    alone: true,
    sizes: SIZES,
    budgets: flat,
    setup: contenders => bySize(contenders, SIZES, (ours, size) => read(listed(ours, size), 'items', items(size))),
  },
  .../** @type {const} */ (['invalidateAll', 'expireAll']).map(verb => ({
    name: `${verb} over 10k endpoints`,
    about: `All of 10,000 endpoints, none of them read: ${verb}.`,
    budgets: faster(1),
    setup: contenders => among(contenders, ['controller'], contender => all(contender, verb, ENDPOINTS)),
  })),
  .../** @type {const} */ (['invalidateAll', 'expireAll']).map(verb => ({
    name: `${verb}, growth with the number of endpoints`,
    about: 'The same by patchcord alone, over 1k, 10k and 100k endpoints.',
    alone: true,
    sizes: SIZES,
    budgets: [],
    setup: contenders => bySize(contenders, SIZES, (ours, size) => all(ours, verb, size)),
  })),
]
