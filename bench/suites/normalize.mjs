import { item } from '../records.mjs'
import { freshPayload, payloadText } from '../payload.mjs'
import { expectShows } from '../expect.mjs'

/** @import { Contender } from '../contenders/index.mjs' */
/** @import { Row } from '../row.mjs' */

const SMALL = 500

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
    const entries = Object.fromEntries(
      contenders.map(contender => {
        const { empty, name, schemas, write } = contender
        return [
          name,
          {
            check: () => expectPayload(contender, write(schemas.payload, freshPayload(), empty)),
            before: freshPayload,
            run: input => write(schemas.payload, input, empty),
          },
        ]
      }),
    )
    // The yardstick: the parse of the same text, which nobody who receives JSON can do without.
    entries['JSON.parse'] = { run: () => JSON.parse(payloadText) }
    return { entries }
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
    const entries = {}
    for (const contender of contenders.filter(({ transformsOnly }) => !transformsOnly)) {
      const { empty, name, schemas, write } = contender
      let { state } = write(schemas.payload, freshPayload(), empty)
      entries[name] = {
        check() {
          const written = write(schemas.payload, freshPayload(), state)
          expectPayload(contender, written)
          if (!written.patches) return
          counts['entity patches'] = written.patches.filter(isEntityPatch).length
          if (written.state.entities !== state.entities) throw new Error('unchanged data made new tables')
        },
        before: freshPayload,
        run: input => ({ state } = write(schemas.payload, input, state)),
      }
    }
    return { entries, counts }
  },
}

/** @type {Row} */
const small = {
  name: `one small entity, ${SMALL} times`,
  about: 'Normalize one flat entity and apply it to an empty state: what a call costs before it does anything.',
  budgets: [],
  setup: contenders => ({
    entries: Object.fromEntries(
      contenders.map(({ empty, name, schemas, view, write }) => [
        name,
        {
          check() {
            const { result, state } = write(schemas.item, item(7), empty)
            expectShows(view(schemas.item, result, state), item(7), 'the entity')
          },
          before: () => Array.from({ length: SMALL }, (_, at) => item(at)),
          run(inputs) {
            let last
            for (const input of inputs) last = write(schemas.item, input, empty)
            return last
          },
        },
      ]),
    ),
  }),
}

export const rows = [first, again, small]
