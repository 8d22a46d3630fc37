import { freshPayload } from '../payload.mjs'
import { expectShows } from '../expect.mjs'
import { changes, item, itemId, items } from '../records.mjs'

/** @import { Contender } from '../contenders/index.mjs' */
/** @import { Entry } from '../measure.mjs' */
/** @import { Row } from '../row.mjs' */

const LIST = 10_000
const SIZES = { '1k': 1_000, '10k': 10_000, '100k': 100_000 }
const ROWS_OF_AUTHOR = { '10 rows': 10, '100 rows': 100, '1k rows': 1_000, '10k rows': 10_000 }
/** An effect reads each so many-th row of a live list: enough of them not to sit in the processor's cache. */
const EVERY = 100
const CHECKED = 100
const WRITERS = 20
const ARTICLES = 1_000

/** What effects saw. */
let sink

const remembering = contenders => contenders.filter(({ views }) => views)
/** @returns {Contender | undefined} */
const ours = contenders => remembering(contenders).find(({ name }) => name === 'patchcord')
const each = (contenders, entry) => Object.fromEntries(remembering(contenders).map(contender => [contender.name, entry(contender)]))

/** @type {Row} */
const uncached = {
  name: 'denormalize, nothing remembered',
  about: 'Denormalize the whole project list from a state, every time from scratch.',
  budgets: [{ kind: 'faster', who: 'patchcord', than: 'data-client', atLeast: 1 }],
  setup: contenders => ({
    entries: Object.fromEntries(
      contenders.map(({ empty, name, schemas, view, write }) => {
        const { result, state } = write(schemas.payload, freshPayload(), empty)
        return [
          name,
          {
            check() {
              const seen = view(schemas.payload, result, state)
              expectShows(seen, freshPayload(), 'the view')
              if (seen.project[0] === view(schemas.payload, result, state).project[0]) throw new Error('the view was remembered')
            },
            run: () => view(schemas.payload, result, state),
          },
        ]
      }),
    ),
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
  respond(schema, input)
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
  about: 'The first view of the whole project list from a store that will remember it.',
  budgets: [{ kind: 'faster', who: 'patchcord', than: 'data-client', atLeast: 4 }],
  setup: contenders => ({
    entries: each(contenders, contender => firstView(contender, 'payload', freshPayload(), seen => expectShows(seen, freshPayload(), 'the view'))),
  }),
}

/**
 * The view of something that has not changed since it was last read.
 *
 * @param {Contender} contender
 * @returns {Entry}
 */
function again(contender, schema, input) {
  const { read, respond, watch } = contender.views()
  respond(schema, input)
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
  about: 'The view of the whole project list once more, with nothing changed.',
  budgets: [{ kind: 'faster', who: 'patchcord', than: 'data-client', atLeast: 1_000 }],
  setup: contenders => ({ entries: each(contenders, contender => again(contender, 'payload', freshPayload())) }),
}

/** @type {Row} */
const cachedGrowth = {
  name: 'cached view, growth',
  about: 'The same by patchcord alone, of lists of three lengths in turn.',
  sizes: SIZES,
  budgets: [{ kind: 'growth', from: '1k', to: '100k', atMost: 1.5 }],
  setup: contenders => bySize(contenders, SIZES, (contender, size) => again(contender, 'items', items(size))),
}

/** One entry for each size, by patchcord alone. */
function bySize(contenders, sizes, entry) {
  const contender = ours(contenders)
  return { entries: contender ? Object.fromEntries(Object.entries(sizes).map(([label, size]) => [label, entry(contender, size)])) : {} }
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
  respond('items', items(size))
  watch('items')
  return {
    check() {
      const before = read('items')
      const [input] = next(1)
      const at = before.findIndex(({ id }) => id === input.id)
      respond('item', input)
      const after = read('items')
      expectShows(after[at], { ...item(at), ...input }, 'the changed row')
      if (after === before || after.length !== size || after.some((row, i) => (row === before[i]) === (i === at))) throw new Error('another row changed too')
    },
    before: () => next(1)[0],
    run(input) {
      respond('item', input)
      return read('items')
    },
  }
}

/** @returns {Row} */
const row = size => ({
  name: `one row of ${size}`,
  about: `One field of one row of a list of ${size} that is shown; the list is read again.`,
  budgets: [{ kind: 'faster', who: 'patchcord', than: 'data-client', atLeast: 100 }],
  setup: contenders => ({ entries: each(contenders, contender => oneRow(contender, SIZES[size])) }),
})

/**
 * One author of some of the rows of a list that is shown changes, and the list is read again.
 *
 * @param {Contender} contender
 * @returns {Entry}
 */
function author(contender, rows) {
  const { read, respond, watch } = contender.views()
  const owned = items(LIST).map((record, at) => ({ ...record, owner: { id: at < rows ? 'shared' : `of ${at % 97}`, name: 'a' } }))
  respond('ownedItems', owned)
  watch('ownedItems')
  let version = 0
  return {
    check() {
      const before = read('ownedItems')
      respond('owner', { id: 'shared', name: 'b' })
      const after = read('ownedItems')
      const changed = after.filter(({ owner }) => owner.name === 'b').length
      if (changed !== rows || after.filter((seen, at) => seen !== before[at]).length !== rows) throw new Error(`${changed} rows show the change`)
    },
    before: () => ({ id: 'shared', name: `v${++version}` }),
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
  setup: contenders => ({ entries: each(contenders, contender => author(contender, LIST)) }),
}

/** @type {Row} */
const sharedAuthorGrowth = {
  name: 'a shared author, growth',
  about: 'The author of some rows of a list of 10k changes, by patchcord alone: the cost follows the rows that show it.',
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

/**
 * One field of one of many rows changes, and an effect reads it. With `bare`, what such an effect costs at the least:
 * the same response into the same store, and a signal that is written by hand.
 *
 * @param {Contender} contender
 * @returns {Entry}
 */
function oneField(contender, bare, counts = {}) {
  const size = SIZES['100k']
  const { effect, read, respond, signal } = /** @type {NonNullable<Contender['live']>} */ (contender.live)()
  const next = changes(size, EVERY)
  const ran = new Map()
  let lists = 0
  respond('items', items(size))
  const signals = new Map()
  const list = bare ? undefined : read('items')
  for (let at = 0; at < size; at += EVERY) {
    const place = itemId(at)
    const shown = bare ? signal(at) : list[at]
    signals.set(place, shown)
    effect(() => {
      sink = bare ? shown.value : shown.rank
      ran.set(place, (ran.get(place) ?? 0) + 1)
    })
  }
  if (!bare) {
    effect(() => {
      sink = read('items').length
      lists++
    })
  }
  const change = input => {
    respond('item', input)
    if (bare) signals.get(input.id).value = input.rank
  }
  return {
    maxBatch: 1_000,
    check() {
      lists = 0
      for (const input of next(CHECKED)) {
        ran.clear()
        change(input)
        if (sink !== input.rank || ran.size !== 1 || ran.get(input.id) !== 1) throw new Error('not exactly one effect ran, once, and saw the change')
      }
      if (!bare && (read('items') !== list || list.length !== size)) throw new Error('the list is another')
      counts['effects of the list'] = lists
    },
    before: next,
    run: inputs => inputs.forEach(change),
  }
}

/** @type {Row} */
const field = {
  name: 'one field of 100k live rows',
  about: 'One field of one row of a live list of 100k, read by one effect; beside it the same response and a signal written by hand. By patchcord alone.',
  budgets: [
    { kind: 'growth', from: 'bare signal', to: 'live', atMost: 3 },
    { kind: 'count', count: 'effects of the list', atMost: 0 },
  ],
  setup(contenders) {
    const contender = ours(contenders)
    /** @type {Record<string, number>} */
    const counts = {}
    if (!contender?.live) return { entries: {} }
    return { counts, entries: { 'bare signal': oneField(contender, true), live: oneField(contender, false, counts) } }
  },
}

export const rows = [uncached, first, cached, cachedGrowth, row('10k'), row('100k'), field, sharedAuthor, sharedAuthorGrowth, circle]
