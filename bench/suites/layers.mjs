// From build/: dist/ is bundled without the door of the history.
import { createHistory } from '../../build/src/history/index.js'
import * as patchcord from '../../build/src/index.js'
import { shapes } from '../contenders/shapes.mjs?patchcord'
import { item, itemId, items } from '../records.mjs'

/** @import { Entry } from '../measure.mjs' */
/** @import { Row } from '../row.mjs' */

const { Item } = shapes(patchcord.Entity)
const never = () => new Promise(() => {})
const list = new patchcord.Endpoint(never, { name: 'list', schema: [Item] })
const put = new patchcord.Endpoint(never, {
  name: 'put',
  sideEffect: true,
  schema: Item,
  key: ({ id }) => `put ${id}`,
  getOptimisticResponse: (_snap, params, body) => ({ ...params, ...body }),
})

const LAYERS = [0, 1, 10, 100]
const SIZES = { '1k': 1_000, '10k': 10_000, '100k': 100_000 }
const POLLED = 1_000

/** A controller with so many items, and calls under way to some of them. */
function layered(size, layers) {
  const controller = new patchcord.Controller()
  controller.setResponse(list, items(size))
  const call = (at, rank) => controller.fetch(put, { id: itemId(at) }, { rank }).catch(() => {})
  for (let at = 0; at < layers; at++) call(at, -at)
  return { controller, call }
}

const rankOf = (controller, at) => controller.get(Item, { id: itemId(at) })?.rank
const expect = (found, wanted, what) => {
  if (found !== wanted) throw new Error(`${what}: ${found} instead of ${wanted}`)
}

/**
 * A call to an entity of its own, and its end: two changes of the view.
 *
 * @returns {Entry}
 */
function mutation(size, layers) {
  const { controller, call } = layered(size, layers)
  const at = size - 1
  let rank = size
  return {
    maxBatch: 50,
    check() {
      call(at, -7)
      expect(rankOf(controller, at), -7, 'while it is under way')
      if (layers > 1) expect(rankOf(controller, 1), -1, 'another layer')
      controller.abort(put, { id: itemId(at) })
      expect(rankOf(controller, at), at, 'after its end')
    },
    run(_, batch) {
      for (let i = 0; i < batch; i++) {
        call(at, ++rank)
        controller.abort(put, { id: itemId(at) })
      }
    },
  }
}

/**
 * A poll of a thousand entities, all of them changed, some under layers.
 *
 * @returns {Entry}
 */
function poll(size, layers) {
  const { controller } = layered(size, layers)
  let round = 0
  const polled = () => Array.from({ length: POLLED }, (_, at) => ({ ...item(at), owner: `round ${round}` }))
  return {
    maxBatch: 1,
    check() {
      round++
      controller.setResponse(list, polled())
      expect(controller.get(Item, { id: itemId(5) }).owner, `round ${round}`, 'what was polled')
      expect(rankOf(controller, 5), layers > 5 ? -5 : 5, 'what a layer shows')
    },
    before() {
      round++
      return polled()
    },
    run: input => controller.setResponse(list, input),
  }
}

const bySize = entry => ({ entries: Object.fromEntries(Object.entries(SIZES).map(([label, size]) => [label, entry(size)])) })
const flat = [{ kind: 'growth', from: '1k', to: '100k', atMost: 3 }]

/** @returns {Row} */
const call = layers => ({
  name: `a call over ${layers} pending`,
  about: `Make an optimistic call and end it, with ${layers} others under way, in stores of three sizes in turn.`,
  sizes: SIZES,
  budgets: flat,
  setup: () => bySize(size => mutation(size, layers)),
})

/** @type {Row} */
const polls = {
  name: 'a poll under layers',
  about: 'Take in 1,000 changed entities with 0 and 10 calls under way, in a store of 1k entities.',
  budgets: [{ kind: 'growth', from: '0 layers', to: '10 layers', atMost: 2 }],
  setup: () => ({ entries: { '0 layers': poll(SIZES['1k'], 0), '10 layers': poll(SIZES['1k'], 10) } }),
}

/** @type {Row} */
const pollGrowth = {
  name: 'a poll under 10 layers, growth',
  about: 'The same with 10 calls under way, in stores of three sizes in turn.',
  sizes: SIZES,
  budgets: flat,
  setup: () => bySize(size => poll(size, 10)),
}

const LIMIT = 100
const COMMITS = 10_000

/** A controller with so many items that remembers so many steps, and a local write to one item after the other. */
function writer(limit, size = SIZES['1k']) {
  const controller = new patchcord.Controller()
  const history = limit > 0 ? createHistory(controller, { limit }) : undefined
  controller.setResponse(list, items(size))
  let round = 0
  const write = () => {
    round++
    controller.set(Item, { id: itemId(round % size) }, { id: itemId(round % size), rank: -round })
  }
  return { controller, history, write, round: () => round }
}

/**
 * A local write: one commit, one step to undo.
 *
 * @returns {Entry}
 */
function remembered(limit) {
  const { controller, history, write, round } = writer(limit)
  return {
    maxBatch: 200,
    check() {
      for (let i = 0; i < COMMITS; i++) write()
      expect(rankOf(controller, round() % 1_000), -round(), 'what was written')
      if (history) expect(history.canUndo.value, true, 'whether there is something to undo')
    },
    run(_, batch) {
      for (let i = 0; i < batch; i++) write()
    },
  }
}

/** @type {Row} */
const remembering = {
  name: 'a write with history',
  about: `A local write to one of 1,000 items after ${COMMITS} others, with a history of ${LIMIT} steps and with none.`,
  budgets: [{ kind: 'growth', from: 'no history', to: `${LIMIT} steps`, atMost: 2 }],
  setup: () => ({ entries: { 'no history': remembered(0), [`${LIMIT} steps`]: remembered(LIMIT) } }),
}

/**
 * A local write and its undo.
 *
 * @returns {Entry}
 */
function undone(size) {
  const { controller, history, write, round } = writer(LIMIT, size)
  return {
    maxBatch: 50,
    async check() {
      write()
      expect(rankOf(controller, round() % size), -round(), 'what was written')
      await history.undo()
      expect(rankOf(controller, round() % size), round() % size, 'after the undo')
    },
    async run(_, batch) {
      for (let i = 0; i < batch; i++) {
        write()
        await history.undo()
      }
    },
  }
}

/** @type {Row} */
const undoing = {
  name: 'an undo',
  about: 'A local write to one item and its undo, in stores of three sizes in turn.',
  sizes: SIZES,
  budgets: flat,
  setup: () => bySize(undone),
}

function used() {
  for (let round = 0; round < 4; round++) globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

/** @type {Row} */
const bounded = {
  name: 'heap of a history',
  about: `Heap that each of ${COMMITS} local writes leaves behind, once a history of ${LIMIT} steps is full; and the steps that can be undone then.`,
  // A tenth of what one step holds: so many writes have left nothing of their own.
  budgets: [
    { kind: 'value', who: 'patchcord', atMost: 20, unit: 'B' },
    { kind: 'count', count: 'steps retained', atMost: LIMIT },
  ],
  async gauge(_contenders, progress) {
    const { history, write } = writer(LIMIT)
    for (let i = 0; i < COMMITS; i++) write()
    progress(0.5)
    const full = used()
    for (let i = 0; i < COMMITS; i++) write()
    const bytes = (used() - full) / COMMITS
    let steps = 0
    for (; history.canUndo.value; steps++) await history.undo()
    return { unit: 'B', values: { patchcord: Math.max(0, bytes) }, counts: { 'steps retained': steps } }
  },
}

export const rows = [...LAYERS.map(call), polls, pollGrowth, remembering, undoing, bounded].map(row => ({ ...row, alone: true }))
