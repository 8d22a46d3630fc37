import { freshPayload } from '../payload.mjs'
import { expectShows } from '../expect.mjs'
import { changes, item, itemId, items } from '../records.mjs'
import { among, atSize, bySize, sent } from './among.mjs'
import { field, fieldGrowth } from './live.mjs'

/** @import { Contender } from '../contenders/index.mjs' */
/** @import { Entry } from '../measure.mjs' */
/** @import { Row } from '../row.mjs' */

const LIST = 10_000
const SIZES = { '1k': 1_000, '10k': 10_000, '100k': 100_000 }
const ROWS_OF_AUTHOR = { '10 rows': 10, '100 rows': 100, '1k rows': 1_000, '10k rows': 10_000 }
const WRITERS = 20
const ARTICLES = 1_000

const itemNumber = id => Number(id.slice(itemId('').length))

/** @returns {Contender | undefined} */
const ours = contenders => contenders.find(({ name }) => name === 'patchcord')

/** @type {Row} */
const uncached = {
  name: 'denormalize, nothing remembered',
  short: 'denormalize',
  about: 'Denormalize the whole project list from a state, every time from scratch.',
  budgets: [{ kind: 'faster', who: 'patchcord', than: 'data-client', atLeast: 1, isMinimum: true }],
  setup: contenders =>
    among(contenders, ['payload', 'denormalize'], contender => {
      const { empty, schemas, view, write } = contender
      const { result, state } = write(schemas.payload, sent(contender, 'payload', freshPayload()), empty)
      return {
        check() {
          const seen = view(schemas.payload, result, state)
          expectShows(seen, freshPayload(), 'the view')
          if (seen.project[0] === view(schemas.payload, result, state).project[0]) throw new Error('the view was remembered')
        },
        run: () => view(schemas.payload, result, state),
      }
    }),
}

/**
 * The first view of what an endpoint has.
 *
 * @param {Contender} contender
 * @param {string} schema
 * @param {any} input
 * @param {(seen: any) => void} check
 * @returns {Entry}
 */
function firstView(contender, schema, input, check) {
  const { forget, read, respond } = contender.views()
  respond(schema, sent(contender, schema, input))
  return {
    check() {
      const seen = read(schema)
      check(seen)
      if (seen !== read(schema)) throw new Error('the view was not remembered')
      forget()
      if (seen === read(schema)) throw new Error('the view was not forgotten')
    },
    before: forget,
    run: () => read(schema),
  }
}

/** @type {Row} */
const first = {
  name: 'first view',
  short: 'view',
  about: 'The first view of the whole project list from a store that will remember it.',
  budgets: [{ kind: 'faster', who: 'patchcord', than: 'data-client', atLeast: 3, isMinimum: true }],
  setup: contenders =>
    among(contenders, ['payload', 'views', 'first'], contender => firstView(contender, 'payload', freshPayload(), seen => expectShows(seen, freshPayload(), 'the view'))),
}

/**
 * The view of something that has not changed since it was last read.
 *
 * @param {Contender} contender
 * @returns {Entry}
 */
function again(contender, schema, input) {
  const { read, respond, watch } = contender.views()
  respond(schema, sent(contender, schema, input))
  watch(schema)
  return {
    maxBatch: 10_000,
    check() {
      expectShows(read(schema), input, 'the view')
      if (read(schema) !== read(schema)) throw new Error('the view is another object every time')
    },
    run(_, batch) {
      let seen
      for (let i = 0; i < batch; i++) seen = read(schema)
      return seen
    },
  }
}

/** @type {Row} */
const cached = {
  name: 'cached view',
  short: 'cached',
  about: 'The view of the whole project list once more, with nothing changed.',
  budgets: [{ kind: 'faster', who: 'patchcord', than: 'data-client', atLeast: 1_000, isMinimum: true }],
  setup: contenders => among(contenders, ['payload', 'views', 'again'], contender => again(contender, 'payload', freshPayload())),
}

/** @type {Row} */
const cachedGrowth = {
  name: 'cached view, growth',
  about: 'The same by patchcord alone, of lists of three lengths in turn.',
  alone: true,
  sizes: SIZES,
  budgets: [{ kind: 'growth', from: '1k', to: '100k', atMost: 1.5 }],
  setup: contenders => bySize(contenders, SIZES, (contender, size) => again(contender, 'items', items(size))),
}

/**
 * One row of a list that is shown changes, and the list is read again.
 *
 * @param {Contender} contender
 * @returns {Entry}
 */
function oneRow(contender, size) {
  const { read, respond, watch } = contender.views()
  const next = changes(size)
  respond('items', sent(contender, 'items', items(size)))
  watch('items')
  return {
    maxBatch: 25,
    check() {
      const before = read('items')
      const [input] = next(1)
      const at = before.findIndex(({ id }) => id === input.id)
      respond('item', sent(contender, 'item', input))
      const after = read('items')
      // By its id and not its index: a contender that sorts rows by key shows them elsewhere.
      expectShows(after[at], { ...item(itemNumber(input.id)), ...input }, 'the changed row')
      if (after === before || after.length !== size) throw new Error('the list is not another of the same length')
      if (!contender.blanks?.keepsRows && after.some((row, i) => (row === before[i]) === (i === at))) throw new Error('another row changed too')
    },
    before: batch => next(batch).map(input => sent(contender, 'item', input)),
    run(inputs) {
      let seen
      for (const input of inputs) {
        respond('item', input)
        seen = read('items')
      }
      return seen
    },
  }
}

/** @returns {Row} */
const row = size => ({
  name: `one row of ${size}`,
  ...(size === '10k' ? { short: 'row' } : {}),
  about: `One field of one row of a list of ${size} that is shown; the list is read again.`,
  budgets: [{ kind: 'faster', who: 'patchcord', than: 'data-client', atLeast: 100, isMinimum: true }],
  setup: contenders => among(contenders, ['views', ...atSize(SIZES[size], 'views of 100k')], contender => oneRow(contender, SIZES[size])),
})

/** @type {Row} */
const rowGrowth = {
  name: 'one row, growth',
  about: 'The same by patchcord alone, of lists of three lengths in turn. Not flat: a list that has changed is another array.',
  alone: true,
  sizes: SIZES,
  budgets: [],
  setup: contenders => bySize(contenders, SIZES, oneRow),
}

/**
 * One author of some of the rows of a list that is shown changes, and the list is read again.
 *
 * @param {Contender} contender
 * @returns {Entry}
 */
function author(contender, rows) {
  const { read, respond, watch } = contender.views()
  const owned = items(LIST).map((record, at) => ({ ...record, owner: { id: at < rows ? 'shared' : `of ${at % 97}`, name: 'a' } }))
  respond('ownedItems', sent(contender, 'ownedItems', owned))
  watch('ownedItems')
  let version = 0
  return {
    check() {
      const before = read('ownedItems')
      respond('owner', sent(contender, 'owner', { id: 'shared', name: 'b' }))
      const after = read('ownedItems')
      const changed = after.filter(({ owner }) => owner.name === 'b').length
      if (changed !== rows || after.filter((seen, at) => seen !== before[at]).length !== rows) throw new Error(`${changed} rows show the change`)
    },
    before: () => sent(contender, 'owner', { id: 'shared', name: `v${++version}` }),
    run(input) {
      respond('owner', input)
      return read('ownedItems')
    },
  }
}

/** @type {Row} */
const sharedAuthor = {
  name: 'a shared author of 10k rows',
  about: 'The author of all rows of a list of 10k that is shown changes; the list is read again.',
  budgets: [],
  setup: contenders => among(contenders, ['views', 'shared'], contender => author(contender, LIST)),
}

/** @type {Row} */
const sharedAuthorGrowth = {
  name: 'a shared author, growth',
  about: 'The author of some rows of a list of 10k changes, by patchcord alone: the cost follows the rows that show it.',
  alone: true,
  sizes: ROWS_OF_AUTHOR,
  budgets: [
    { kind: 'growth', from: '10 rows', to: '1k rows', atMost: 50 },
    { kind: 'growth', from: '1k rows', to: '10k rows', atMost: 12 },
  ],
  setup: contenders => bySize(contenders, ROWS_OF_AUTHOR, author),
}

const writer = at => ({ id: `writer${at}`, name: `Writer ${at}` })
const article = at => ({ id: itemId(at), title: `Article ${at}` })
const listed = at => Array.from({ length: ARTICLES / WRITERS }, (_, i) => itemId(i * WRITERS + at))
/** Writers with or without the list of what they wrote. */
const library = circular =>
  Array.from({ length: ARTICLES }, (_, at) => {
    const by = at % WRITERS
    return { ...article(at), writer: circular ? { ...writer(by), articles: listed(by) } : writer(by) }
  })

function expectObjects(seen, count, circular, counts) {
  const met = new Set(seen.flatMap(post => [post, post.writer, ...(circular ? post.writer.articles : [])]))
  if (met.size !== count) throw new Error(`${met.size} objects`)
  if (circular && seen.some((post, at) => post.writer.articles[Math.floor(at / WRITERS)] !== post)) throw new Error('the circle is not closed')
  counts.objects = met.size
}

/** @type {Row} */
const circle = {
  name: 'first view of a circle',
  about: '1,000 articles by 20 writers who list their articles, beside the same without those lists; by patchcord alone.',
  alone: true,
  budgets: [
    { kind: 'growth', from: 'tree', to: 'circle', atMost: 3 },
    { kind: 'count', count: 'objects', atMost: ARTICLES + WRITERS },
  ],
  setup(contenders) {
    const contender = ours(contenders)
    /** @type {Record<string, number>} */
    const counts = {}
    if (!contender) return { entries: {} }
    const expected = ARTICLES + WRITERS
    return {
      counts,
      entries: {
        tree: firstView(contender, 'plainArticles', library(false), seen => expectObjects(seen, expected, false, counts)),
        circle: firstView(contender, 'articles', library(true), seen => expectObjects(seen, expected, true, counts)),
      },
    }
  },
}

export const rows = [uncached, first, cached, cachedGrowth, row('10k'), row('100k'), rowGrowth, field, fieldGrowth, sharedAuthor, sharedAuthorGrowth, circle]
