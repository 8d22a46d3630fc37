import { changes, itemId, items } from '../records.mjs'
import { bySize } from './among.mjs'

/** @import { Contender } from '../contenders/index.mjs' */
/** @import { Entry } from '../measure.mjs' */
/** @import { Row } from '../row.mjs' */

const SIZES = { '1k': 1_000, '10k': 10_000, '100k': 100_000 }
/** An effect reads each so many-th row of a live list: enough of them not to sit in the processor's cache. */
const EVERY = 100
const CHECKED = 100

/** What effects saw. */
let consumed

/**
 * One field of one of many rows changes, and an effect reads it. With `bare`, what such an effect costs at the least:
 * the same response into the same store, and a signal that is written by hand.
 *
 * @param {Contender} contender
 * @returns {Entry}
 */
function oneField(contender, size, bare, counts = {}) {
  const { effect, read, respond, signal } = /** @type {NonNullable<Contender['live']>} */ (contender.live)()
  const next = changes(size, EVERY)
  const ran = new Map()
  let lists = 0
  respond('items', items(size))
  const signals = new Map()
  const list = bare ? undefined : read('items')
  for (let at = 0; at < size; at += EVERY) {
    const pk = itemId(at)
    const source = bare ? signal(at) : list[at]
    signals.set(pk,  source)
    effect(() => {
      consumed = bare ? source.value : source.rank
      ran.set(pk, (ran.get(pk) ?? 0) + 1)
    })
  }
  if (!bare) {
    effect(() => {
      consumed = read('items').length
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
        if (consumed !== input.rank || ran.size !== 1 || ran.get(input.id) !== 1) throw new Error('not exactly one effect ran, once, and saw the change')
      }
      if (!bare && (read('items') !== list || list.length !== size)) throw new Error('the list is another')
      counts['effects of the list'] = lists
    },
    before: next,
    run: inputs => inputs.forEach(change),
  }
}

/** @type {Row} */
export const field = {
  name: 'one field of 100k live rows',
  about: 'One field of one row of a live list of 100k, read by one effect; beside it the same response and a signal written by hand. By patchcord alone.',
  alone: true,
  budgets: [
    { kind: 'growth', from: 'bare signal', to: 'live', atMost: 3 },
    { kind: 'count', count: 'effects of the list', atMost: 0 },
  ],
  setup(contenders) {
    const contender = contenders.find(({ name }) => name === 'patchcord')
    /** @type {Record<string, number>} */
    const counts = {}
    if (!contender?.live) return { entries: {} }
    return { counts, entries: { 'bare signal': oneField(contender, SIZES['100k'], true), live: oneField(contender, SIZES['100k'], false, counts) } }
  },
}

/** @type {Row} */
export const fieldGrowth = {
  name: 'one field of live rows, growth',
  about: 'The same, live, in lists of three lengths in turn.',
  alone: true,
  sizes: SIZES,
  budgets: [{ kind: 'growth', from: '1k', to: '100k', atMost: 3 }],
  setup: contenders => bySize(contenders, SIZES, (contender, size) => oneField(contender, size, false)),
}
