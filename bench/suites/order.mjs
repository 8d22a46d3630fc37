import { expectShows } from '../expect.mjs'
import { freshPayload, payloadText } from '../payload.mjs'
import { item, items } from '../records.mjs'
import { among } from './among.mjs'

/** @import { Contender } from '../contenders/index.mjs' */
/** @import { Entry } from '../measure.mjs' */
/** @import { Row } from '../row.mjs' */

const POLLS = 100
const POLLED = 100
// With the list itself a poll makes 100 writes: 10,000 in all, which is as many as the log keeps.
const ROWS = POLLED - 1
const CALLS = 100

const { project: PROJECTS } = freshPayload()
const BUILD_TYPES = PROJECTS.flatMap(({ buildTypes }) => buildTypes.buildType)

/** Rows of a list that is polled. */
const polledRows = rank => items(ROWS).map(record => ({ ...record, rank }))

/** The project list as the late read brings it: one build type differs, so that there is something to commit. */
function latePayload(round) {
  const late = freshPayload()
  late.project.find(({ buildTypes }) => buildTypes.buildType.length > 0).buildTypes.buildType[0].name = `late ${round}`
  return late
}

/** Some projects without their build types, from `from` on and round to the start, with another position. */
const someProjects = (from, position) =>
  Array.from({ length: POLLED }, (_, at) => {
    const { buildTypes: _unused, ...rest } = PROJECTS[(from + at) % PROJECTS.length]
    return { ...rest, position }
  })

/** The late read and the polls are of the same rows; one row only the late read has. */
const SAME_ROWS = {
  schema: 'items',
  known: () => polledRows(0),
  poll: poll => polledRows(poll + 1),
  late: round => [...polledRows(-round), item(ROWS)],
  check(visible) {
    expectShows(visible, [...polledRows(POLLS), item(ROWS)], 'what the list shows after the late read')
  },
}

/** The late read is of the whole project list, the polls of different parts of it. */
const WHOLE_LIST = {
  schema: 'payload',
  known: freshPayload,
  poll: poll => ({ project: someProjects(poll * POLLED, 10_000 + poll) }),
  late: latePayload,
  check({ project }, input) {
    const last = ((POLLS - 1) * POLLED) % PROJECTS.length
    if (project[last].position !== 10_000 + POLLS - 1) throw new Error(`a newer poll was overwritten: ${project[last].position}`)
    expectShows(project.map(({ buildTypes }) => buildTypes), input.project.map(({ buildTypes }) => buildTypes), 'what the late read brings')
  },
}

/**
 * A read starts, 100 polls of 100 rows each start and land, then the read lands.
 *
 * @param {Contender} contender
 * @param {typeof SAME_ROWS | typeof WHOLE_LIST} scene
 * @returns {Entry}
 */
function lateRead(contender, { check, known, late, poll, schema }) {
  /** @type {any} */
  let controlled
  let round = 0
  const ready = async () => {
    controlled?.dispose()
    controlled = /** @type {any} */ (contender.controller)()
    await (await controlled.open(schema, 0)).land(known())
    const flight = await controlled.open(schema, 0)
    for (let at = 0; at < POLLS; at++) await (await controlled.open(schema, 1)).land(poll(at))
    // Built before the time begins: the row is about the landing.
    controlled.readFetched(schema, 0)
    return [flight, late(++round)]
  }
  return {
    warmRuns: 30,
    async check() {
      const [flight, input] = await ready()
      await flight.land(input)
      check(controlled.readFetched(schema, 0), input)
    },
    before: ready,
    run: ([flight, input], _batch, stop) => flight.land(input, stop),
  }
}

const yardstick = { 'JSON.parse': { run: () => JSON.parse(payloadText) } }

/** @returns {Row} */
const lateRow = (name, about, scene, more) => ({
  name,
  about: `${about} From the parsed body to the committed state, beside \`JSON.parse\` of the project list.`,
  budgets: [],
  ...more,
  setup(contenders) {
    const { blanks, entries } = among(contenders, ['controller', 'order'], contender => lateRead(contender, scene))
    return { blanks, entries: { ...entries, ...yardstick } }
  },
})

const late = lateRow('late read above 100 polls of 100 rows', `A read of ${ROWS} rows and one more lands after ${POLLS} polls of the same rows that started later; with the list each makes ${POLLED} writes.`, SAME_ROWS, {
  short: 'late',
  budgets: [{ kind: 'share', who: 'patchcord', of: 'JSON.parse', atMost: 1 }],
})

const lateList = lateRow('late read of 2,826 entities above 100 polls', `A read of the project list lands after ${POLLS} polls of ${POLLED} of its rows that started later.`, WHOLE_LIST, { short: 'latelist' })

/** The list with every entity changed; two rounds in a row differ everywhere. */
function changedPayload(round) {
  const payload = freshPayload()
  for (const project of payload.project) {
    project.position = round
    for (const buildType of project.buildTypes.buildType) buildType.internalId = `round ${round}`
  }
  return payload
}

/**
 * A poll in which all entities differ lands beneath pending calls on some of them.
 *
 * @param {Contender} contender
 * @returns {Entry}
 */
function pollUnderCalls(contender, calls) {
  /** @type {any} */
  let controlled
  let round = 0
  const ready = async () => {
    if (!controlled) {
      controlled = /** @type {any} */ (contender.controller)()
      await (await controlled.open('payload', 0)).land(freshPayload())
      for (let at = 0; at < calls; at++) controlled.call('buildType', BUILD_TYPES[at * 20].id, { name: `pending ${at}` })
    }
    return [await controlled.open('payload', 0), changedPayload(++round)]
  }
  return {
    async check() {
      const [flight, input] = await ready()
      await flight.land(input)
      const visible = new Map(controlled.readFetched('payload', 0).project.flatMap(({ buildTypes }) => buildTypes.buildType).map(each => [each.id, each]))
      for (let at = 0; at < calls; at++) {
        const { internalId, name } = visible.get(BUILD_TYPES[at * 20].id)
        if (name !== `pending ${at}` || internalId !== `round ${round}`) throw new Error(`call ${at} shows ${name}, ${internalId}`)
      }
    },
    before: ready,
    run: ([flight, input], _batch, stop) => flight.land(input, stop),
  }
}

/** @returns {Row} */
const pending = calls => ({
  name: `a poll of 2,826 entities under ${calls} pending calls`,
  short: calls === CALLS ? 'pending' : 'poll',
  about: `Every entity of the project list differs; ${calls} optimistic calls are pending: from the parsed body to the committed state.`,
  budgets: [],
  setup(contenders) {
    const { blanks, entries } = among(contenders, ['controller', ...(calls > 0 ? [/** @type {const} */ ('order')] : [])], contender => pollUnderCalls(contender, calls))
    return { blanks, entries: { ...entries, ...yardstick } }
  },
})

export const rows = [late, lateList, pending(CALLS), pending(0)]
