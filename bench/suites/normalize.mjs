import { item } from '../records.mjs'
import { freshPayload, payloadText } from '../payload.mjs'
import { expectShows } from '../expect.mjs'
import { among, sent } from './among.mjs'

/** @import { Contender } from '../contenders/index.mjs' */
/** @import { Entry } from '../measure.mjs' */
/** @import { Row, Way } from '../row.mjs' */

const SMALL = 500

/**
 * @param {Way | undefined} way
 * @param {import('../contenders/index.mjs').Need[]} needs
 * @returns {import('../contenders/index.mjs').Need[]}
 */
const needed = (way, ...needs) => (way === 'controller' ? [...needs, 'controller'] : needs)

const arrived = contender => sent(contender, 'payload', freshPayload())

/** @param {Contender} contender */
function expectPayload(contender, written) {
  expectShows(contender.view(contender.schemas.payload, written.result, written.state), freshPayload(), 'what the state shows')
}

/**
 * The first response of a new controller, or of an empty state.
 *
 * @param {Contender} contender
 * @param {Way} [way]
 * @returns {Entry}
 */
function firstResponse(contender, way) {
  const { schemas, write } = contender
  if (way !== 'controller') {
    return {
      check: () => expectPayload(contender, write(schemas.payload, arrived(contender), contender.empty)),
      before: () => [arrived(contender), contender.empty],
      run: ([input, empty]) => write(schemas.payload, input, empty),
    }
  }
  /** @type {any} */
  let controlled
  const opened = async () => {
    controlled?.dispose?.()
    controlled = contender.controller?.()
    return controlled.open('payload', 0)
  }
  return {
    async check() {
      const flight = await opened()
      await flight.land(freshPayload())
      expectShows(controlled.readFetched('payload', 0), freshPayload(), 'what the controller shows')
    },
    before: async () => [await opened(), freshPayload()],
    run: ([flight, input], _batch, stop) => flight.land(input, stop),
  }
}

/** @type {Row} */
const first = {
  name: 'first response',
  short: 'first',
  about: 'The project list (709 projects, 2,117 build types): from the parsed body to the committed state of a new controller, and by pure functions into an empty state.',
  isTwofold: true,
  budgets: [
    { kind: 'share', who: 'patchcord', of: 'JSON.parse', atMost: 0.7 },
    { kind: 'faster', who: 'patchcord', than: 'data-client', atLeast: 2, isMinimum: true },
  ],
  setup(contenders, way) {
    const { blanks, entries } = among(contenders, needed(way, 'payload'), contender => firstResponse(contender, way), way)
    // The yardstick: the parse of the same text, which nobody who receives JSON can do without.
    entries['JSON.parse'] = { run: () => JSON.parse(payloadText) }
    return { blanks, entries }
  },
}

/**
 * The same response into a state that has it, by pure functions.
 *
 * @param {Contender} contender
 * @returns {Entry}
 */
function againPure(contender) {
  const { empty, schemas, write } = contender
  let { state } = write(schemas.payload, arrived(contender), empty)
  return {
    check() {
      const written = write(schemas.payload, arrived(contender), state)
      expectPayload(contender, written)
      if (!written.patches) return
      const changed = written.patches.filter(({ path }) => path[0] === 'entities').length
      if (changed > 0) throw new Error(`unchanged data made ${changed} patches`)
      if (written.state.entities !== state.entities) throw new Error('unchanged data made new tables')
    },
    before: () => arrived(contender),
    run: input => ({ state } = write(schemas.payload, input, state)),
  }
}

/**
 * The same response fetched again by a controller that has it.
 *
 * @param {Contender} contender
 * @param {Record<string, number>} counts
 * @returns {Entry}
 */
function againFetched(contender, counts) {
  /** @type {any} */
  const controlled = contender.controller?.()
  const fetched = async () => (await controlled.open('payload', 0)).land(freshPayload())
  return {
    async check() {
      await fetched()
      const before = controlled.readFetched('payload', 0)
      expectShows(before, freshPayload(), 'what the controller shows')
      if (!controlled.onCommit) return
      let wakes = -1
      const watched = controlled.watchFetched('payload', 0, () => wakes++)
      let patches = 0
      const ignore = controlled.onCommit(commit => (patches += commit.patches.length))
      await fetched()
      ignore()
      watched()
      if (controlled.readFetched('payload', 0) !== before) throw new Error('unchanged data made another view')
      Object.assign(counts, { patches, wakes })
    },
    before: async () => [await controlled.open('payload', 0), freshPayload()],
    run: ([flight, input], _batch, stop) => flight.land(input, stop),
  }
}

/** @type {Row} */
const again = {
  name: 'same response again',
  short: 'again',
  about: 'A parsed copy of the same project list, fetched by a controller that has it, and by pure functions into a state that has it.',
  isTwofold: true,
  budgets: [
    { kind: 'faster', who: 'patchcord', than: 'data-client', atLeast: 4, isMinimum: true },
    { kind: 'count', count: 'patches', atMost: 0 },
    { kind: 'count', count: 'wakes', atMost: 0 },
  ],
  setup(contenders, way) {
    /** @type {Record<string, number>} */
    const counts = {}
    return { counts, ...among(contenders, needed(way, 'payload', 'state'), contender => (way === 'controller' ? againFetched(contender, counts) : againPure(contender)), way) }
  },
}

/** @type {Row} */
const small = {
  name: `one small entity, ${SMALL} times`,
  about: 'Normalize one flat entity and apply it to an empty state, or in place to one that was empty: what a call costs before it does anything.',
  budgets: [],
  setup: contenders =>
    among(contenders, [], contender => {
      const { schemas, view, write } = contender
      const one = at => sent(contender, 'item', item(at))
      return {
        check() {
          const { result, state } = write(schemas.item, one(7), contender.empty)
          expectShows(view(schemas.item, result, state), item(7), 'the entity')
        },
        before: () => [Array.from({ length: SMALL }, (_, at) => one(at)), contender.empty],
        run([inputs, empty]) {
          let last
          for (const input of inputs) last = write(schemas.item, input, empty)
          return last
        },
      }
    }),
}

export const rows = [first, again, small]
