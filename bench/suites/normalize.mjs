import { item } from '../records.mjs'
import { freshPayload, payloadText } from '../payload.mjs'
import { expectShows } from '../expect.mjs'
import { among, sent } from './among.mjs'

/** @import { Contender } from '../contenders/index.mjs' */
/** @import { Row } from '../row.mjs' */

const SMALL = 500

const arrived = contender => sent(contender, 'payload', freshPayload())

/** @param {Contender} contender */
function expectPayload(contender, written) {
  expectShows(contender.view(contender.schemas.payload, written.result, written.state), freshPayload(), 'what the state shows')
}

const isEntityPatch = ({ path }) => path[0] === 'entities'

/** @type {Row} */
const first = {
  name: 'first response',
  about: 'Normalize the project list (709 projects, 2,117 build types) and apply it to an empty state.',
  budgets: [
    { kind: 'faster', who: 'patchcord', than: 'data-client', atLeast: 4 },
    { kind: 'share', who: 'patchcord', of: 'JSON.parse', atMost: 0.5, aim: 0.35 },
  ],
  setup(contenders) {
    const { blanks, entries } = among(contenders, ['payload'], contender => {
      const { schemas, write } = contender
      return {
        check: () => expectPayload(contender, write(schemas.payload, arrived(contender), contender.empty)),
        before: () => [arrived(contender), contender.empty],
        run: ([input, empty]) => write(schemas.payload, input, empty),
      }
    })
    // The yardstick: the parse of the same text, which nobody who receives JSON can do without.
    entries['JSON.parse'] = { run: () => JSON.parse(payloadText) }
    return { blanks, entries }
  },
}

/** @type {Row} */
const again = {
  name: 'same response again',
  about: 'Normalize and apply a parsed copy of the same project list to the state that has it.',
  budgets: [
    { kind: 'faster', who: 'patchcord', than: 'data-client', atLeast: 7 },
    { kind: 'count', count: 'entity patches', atMost: 0 },
  ],
  setup(contenders) {
    /** @type {Record<string, number>} */
    const counts = {}
    const { blanks, entries } = among(contenders, ['payload', 'state'], contender => {
      const { empty, schemas, write } = contender
      let { state } = write(schemas.payload, arrived(contender), empty)
      return {
        check() {
          const written = write(schemas.payload, arrived(contender), state)
          expectPayload(contender, written)
          if (!written.patches) return
          counts['entity patches'] = written.patches.filter(isEntityPatch).length
          if (written.state.entities !== state.entities) throw new Error('unchanged data made new tables')
        },
        before: () => arrived(contender),
        run: input => ({ state } = write(schemas.payload, input, state)),
      }
    })
    return { blanks, counts, entries }
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
