import { changes, item, items } from '../records.mjs'
import { expectShows } from '../expect.mjs'
import { among, atSize, bySize, sent } from './among.mjs'

/** @import { Contender } from '../contenders/index.mjs' */
/** @import { Entry } from '../measure.mjs' */
/** @import { Row } from '../row.mjs' */

const SIZES = { '1k': 1_000, '10k': 10_000, '100k': 100_000, '1M': 1_000_000 }
// The peer copies the table for each entity: at a million one write takes seconds and tells nothing new.
const COMPARED = /** @type {const} */ (['1k', '10k', '100k'])
// The same at every size, or the cost of starting cold would be shared out differently and look like growth.
const BATCH = 250
const LISTS = { '1k': 1_000, '10k': 10_000, '100k': 100_000 }
const PUSHED = 10

const filled = (contender, size) => contender.write(contender.schemas.items, sent(contender, 'items', items(size)), contender.empty).state

/**
 * New entities, each into the state that the one before it left. The table starts afresh when it has grown by a
 * quarter, so that 1k stays about 1k; and every entity is really new, also to tables that branches share.
 *
 * @param {Contender} contender
 * @returns {Entry}
 */
function arrival(contender, size) {
  const { schemas, view, write } = contender
  const room = size / 4
  let state = filled(contender, size)
  let grown = 0
  return {
    maxBatch: BATCH,
    check() {
      const input = item(size)
      const written = write(schemas.item, sent(contender, 'item', input), state)
      expectShows(view(schemas.item, written.result, written.state), input, 'the new entity')
      expectShows(view(schemas.item, item(size >> 1).id, written.state), item(size >> 1), 'its neighbour')
      grown = 1
    },
    before(batch) {
      if (grown + batch > room) {
        state = filled(contender, size)
        grown = 0
      }
      const from = size + grown
      grown += batch
      return Array.from({ length: batch }, (_, at) => sent(contender, 'item', item(from + at)))
    },
    run(inputs) {
      for (const input of inputs) state = write(schemas.item, input, state).state
      return state
    },
  }
}

/**
 * One field of an existing entity, a different one each time.
 *
 * @param {Contender} contender
 * @returns {Entry}
 */
function change(contender, size) {
  const { mutates, schemas, view, write } = contender
  const next = changes(size)
  let state = filled(contender, size)
  return {
    maxBatch: BATCH,
    check() {
      const [input] = next(1)
      const before = { ...view(schemas.item, input.id, state) }
      const written = write(schemas.item, sent(contender, 'item', input), state)
      expectShows(view(schemas.item, input.id, written.state), { ...before, ...input }, 'the changed entity')
      if (before.rank === input.rank) throw new Error('there was nothing to change')
      if (!mutates) expectShows(view(schemas.item, input.id, state), before, 'the old state')
    },
    before: count => next(count).map(input => sent(contender, 'item', input)),
    run(inputs) {
      for (const input of inputs) state = write(schemas.item, input, state).state
      return state
    },
  }
}

const WRITES = { 'new entity': arrival, 'changed field': change }

/** @returns {Row[]} */
const against = ([what, entry]) =>
  COMPARED.map(size => ({
    name: `${what} in ${size}`,
    about: `Normalize one entity (${what}) and apply it to a table of ${size} rows.`,
    budgets: size === '100k' ? [{ kind: 'faster', who: 'patchcord', than: 'data-client', atLeast: 10_000 }] : [],
    setup: contenders => among(contenders, ['state', ...atSize(SIZES[size])], contender => entry(contender, SIZES[size])),
  }))

/** @returns {Row} */
const growth = ([what, entry]) => ({
  name: `${what}, growth`,
  about: `The same (${what}) by patchcord alone, at four sizes in turn.`,
  alone: true,
  sizes: SIZES,
  budgets: [
    { kind: 'growth', from: '1k', to: '100k', atMost: 3 },
    { kind: 'growth', from: '1k', to: '1M', atMost: 4 },
  ],
  setup: contenders => bySize(contenders, SIZES, entry),
})

/** @type {Row} */
const push = {
  name: `push ${PUSHED} onto a list of 10k`,
  about: 'Add ten new entities at the end of a Collection that lists 10,000.',
  budgets: [
    { kind: 'faster', who: 'patchcord', than: 'data-client', atLeast: 100 },
    { kind: 'count', count: 'patches', atMost: 20 },
  ],
  setup(contenders) {
    /** @type {Record<string, number>} */
    const counts = {}
    return { ...among(contenders, ['push'], contender => pushing(contender, LISTS['10k'], counts)), counts }
  },
}

/** @type {Row} */
const pushGrowth = {
  name: `push ${PUSHED}, growth`,
  about: 'The same by patchcord alone, onto lists of three lengths in turn. A list is a plain frozen array, copied when it changes: this grows.',
  alone: true,
  sizes: LISTS,
  budgets: [],
  setup: contenders => bySize(contenders, LISTS, (contender, size) => pushing(contender, size)),
}

/**
 * @param {Contender} contender
 * @param {number} list its length
 * @param {Record<string, number>} [counts]
 * @returns {Entry}
 */
function pushing(contender, list, counts = {}) {
  const { mutates, schemas, view, write } = contender
  const args = [{}]
  const made = () => write(schemas.collection, sent(contender, 'collection', items(list)), contender.empty, args)
  const ten = from => sent(contender, 'push', Array.from({ length: PUSHED }, (_, at) => item(from + at)))
  const { result, state: start } = made()
  let state = start
  let length = list
  return {
    maxBatch: 50,
    check() {
      const written = write(schemas.push, ten(length), state, args)
      expectShows(view(schemas.collection, result, written.state, args), items(list + PUSHED), 'the longer list')
      if (!mutates) expectShows(view(schemas.collection, result, state, args), items(list), 'the old list')
      if (written.patches) counts.patches = written.patches.length
      length += PUSHED
    },
    before(batch) {
      if (length + batch * PUSHED > list * 1.25) {
        state = made().state
        length = list
      }
      const from = length
      length += batch * PUSHED
      return Array.from({ length: batch }, (_, at) => ten(from + at * PUSHED))
    },
    run(inputs) {
      for (const input of inputs) state = write(schemas.push, input, state, args).state
      return state
    },
  }
}

export const rows = [...Object.entries(WRITES).flatMap(write => [...against(write), growth(write)]), push, pushGrowth]
