import { applyPatches, Controller, denormalize, emptyState, Endpoint, Entity, exportState, normalize } from 'patchcord'
import { createClock } from 'patchcord/testing'
import { shapes } from '../contenders/shapes.mjs?tune'
import { payloadText } from '../payload.mjs'
import { seeded } from '../random.mjs'
import { schemaOf } from './input.mjs'

/** @import { Entry } from '../measure.mjs' */
/** @import { Input } from './input.mjs' */

const POLLS = 20
const VISITS = 50
const PAUSE = 30_000
const BACK = 3

const isRow = ({ path }) => path[0] === 'entities' && path.length === 3

/** Another value of the same kind. */
const other = (value, round) => (typeof value === 'number' ? value + round : typeof value === 'boolean' ? !value : `${value}${round}`)

/** The heap in bytes, with what nobody holds gone. */
function used() {
  for (let round = 0; round < 4; round++) globalThis.gc?.()
  const { external, heapUsed } = process.memoryUsage()
  return heapUsed + external
}

/**
 * The rows that a payload is measured by, over the library with which this module was loaded.
 *
 * @param {Input | undefined} input the project list when left out
 */
export async function rowsOf(input) {
  const schema = input ? await schemaOf(url => import(url), input.schema) : { project: [shapes(Entity).Project] }
  const text = input?.text ?? payloadText
  const fresh = () => JSON.parse(text)
  const meta = fetchedAt => ({ fetchedAt, date: fetchedAt, expiresAt: fetchedAt + 60_000 })
  const never = () => new Promise(() => {})
  const answer = new Endpoint(never, { name: 'answer', schema })
  const what = input?.name ?? 'the project list'

  let first
  try {
    first = normalize(schema, fresh(), [], emptyState, meta(1))
  } catch (error) {
    throw new Error(`The schema does not fit ${what}: ${/** @type {Error} */ (error).message}`, { cause: error })
  }
  const rows = first.patches.filter(isRow)
  if (rows.length === 0) throw new Error(`The schema finds no entity in ${what}. Is the list below another field? Then say so: { items: [Todo] }.`)
  const state = applyPatches(emptyState, first.patches, first.stamps)
  // A field that can be another without anything else being so: not the first, which is often the key.
  const fields = rows.flatMap(({ path, value }) => Object.keys(value).slice(1).filter(field => /^(string|number|boolean)$/.test(typeof value[field])).slice(-1).map(field => ({ path: [...path, field], value: value[field] })))

  /** @returns {Entry} */
  const response = () => ({
    check() {
      const controller = new Controller({ gc: false })
      controller.setResponse(answer, fresh())
      if (controller.getResponse(answer).data === undefined) throw new Error('the answer shows nothing')
    },
    before: () => [new Controller({ gc: false }), fresh()],
    run: ([controller, body]) => controller.setResponse(answer, body),
  })

  /** @returns {Entry} */
  const again = () => {
    const controller = new Controller({ gc: false })
    controller.setResponse(answer, fresh())
    return {
      check() {
        let patches = 0
        const end = controller.subscribePatches(commit => (patches += commit.patches.filter(({ path }) => path[0] === 'entities').length))
        controller.setResponse(answer, fresh())
        end()
        if (patches > 0) throw new Error(`the same answer made ${patches} patches`)
      },
      before: fresh,
      run: body => controller.setResponse(answer, body),
    }
  }

  /** @returns {Entry} */
  const oneField = () => {
    const next = seeded(1)
    let now = state
    let round = 0
    const change = () => {
      const { path, value } = fields[Math.floor(next() * fields.length)]
      return [{ op: 'replace', path, value: other(value, ++round) }]
    }
    return {
      maxBatch: 250,
      check() {
        if (applyPatches(now, change()) === now) throw new Error('nothing has changed')
      },
      before: batch => Array.from({ length: batch }, change),
      run(changes) {
        for (const patches of changes) now = applyPatches(now, patches)
        return now
      },
    }
  }

  /** @returns {Entry} */
  const view = () => ({ run: () => denormalize(schema, first.result, state) })

  /** Answers that land while an older read of the same is under way; and what becomes of that when it lands. Twice: what is compiled the first time would count as retained. */
  async function late() {
    const controller = new Controller({ gc: false })
    controller.setResponse(answer, fresh())
    let read
    const land = await new Promise(asked => {
      const slow = new Endpoint(() => new Promise(answered => asked(answered)), { name: 'slow', schema })
      read = controller.fetch(slow)
    })
    const before = used()
    for (let poll = 0; poll < POLLS; poll++) controller.setResponse(answer, fresh())
    const retained = used() - before
    land(fresh())
    await read
    // A read that was overtaken leaves what it touched to be fetched again.
    const stale = exportState(controller.snapshot()).entities.flatMap(([, rows]) => rows).filter(([, , stamp]) => stamp?.expiresAt === 0).length
    controller.dispose()
    return { unit: 'B', values: { patchcord: Math.max(0, retained) }, counts: { 'rows to be fetched again': stale } }
  }

  /** A user who opens one page after the other, half a minute each, and now and then goes back. */
  async function visits() {
    const clock = createClock()
    const controller = new Controller({ clock })
    const size = Math.ceil(rows.length / VISITS)
    const page = at => rows.slice(at * size, (at + 1) * size)
    const stored = new Map()
    const isThere = ({ path: [, key, pk] }) => stored.get(key)?.has(pk)
    controller.subscribePatches(commit => {
      for (const { op, path } of commit.patches) {
        if (path.length !== 3) continue
        const pks = stored.get(path[1]) ?? stored.set(path[1], new Set()).get(path[1])
        if (op === 'remove') pks.delete(path[2])
        else pks.add(path[2])
      }
    })
    let again = 0
    let sweeping = 0
    for (let at = 0; at * size < rows.length; at++) {
      controller.applyPatches(page(at))
      if (at >= BACK && !page(at - BACK).every(isThere)) again++
      const begun = performance.now()
      clock.advance(PAUSE)
      sweeping += performance.now() - begun
    }
    controller.dispose()
    const retained = [...stored.values()].reduce((sum, pks) => sum + pks.size, 0)
    return { unit: 'rows retained', values: { patchcord: retained }, counts: { 'pages fetched again': again }, note: `${sweeping.toFixed(1)} ms of collection` }
  }

  const timed = (name, about, entry) => ({ name, about, budgets: [], setup: () => ({ entries: { patchcord: entry() } }) })
  return [
    timed('first response', `${what} into a new controller`, response),
    timed('same response again', 'a parsed copy of it into the controller that has it', again),
    ...(fields.length > 0 ? [timed('one field', `one field of one of its ${rows.length} entities, by a patch`, oneField)] : []),
    timed('denormalize', 'all of it from a state, nothing remembered', view),
    { name: 'late answer', about: `heap that is retained when ${POLLS} answers have landed while an older read is under way; and the rows that are no longer fresh because that came too late`, budgets: [], gauge: async () => (await late(), late()) },
    { name: 'visits', about: `its entities come in ${VISITS} pages, one every ${PAUSE / 1000} s, and nobody reads them; the rows that are there at the end, and how many pages were gone when the user went back by ${BACK}`, budgets: [], gauge: visits },
  ]
}
