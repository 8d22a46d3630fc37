import { NAMES, OLD } from './contenders/index.mjs'
import { inWorker } from './fork.mjs'
import { machine, versions } from './machine.mjs'
import { payloadDigest, payloadText } from './payload.mjs'
import { quietest } from './pin.mjs'
import { inTurns } from './turns.mjs'

/**
 * @typedef {object} Options
 * @property {string} filter Only rows whose name has this in it.
 * @property {'full' | 'quick'} effort
 * @property {boolean} [asInstalled]
 * @property {readonly string[]} [only] Only rows with these short names.
 * @property {boolean} [old] Release 0.1.0 takes part.
 * @property {boolean} [onlyCompared] Only those whom budgets compare.
 */

/**
 * Whoever listens to a run.
 *
 * @typedef {object} Listener
 * @property {(row: string, share: number, at?: number, of?: number) => void} progress
 * @property {(result: import('./results.mjs').Result) => void} begin Everything but the rows is known.
 * @property {(row: any) => void} row One more is done.
 */

/** What a run of a suite gives. `names` are all rows that the suite has; no result: none of them has the filter in it. */
/** @typedef {{ names: string[], result?: import('./results.mjs').Result, skipped?: string }} Ran */

/** How contenders meet. Times that were taken in another way are not to be compared with these. */
const METHOD = 'a process each, through the controller'

export const has = (name, filter) => name.toLowerCase().includes(filter.toLowerCase())

/** The part of a result that is the same for every suite. */
export const started = (suite, { effort, filter, only }) => ({
  suite,
  date: new Date().toISOString(),
  effort,
  ...(filter ? { filter } : only ? { filter: only.join(', ') } : {}),
  machine: machine(),
  /** @type {any[]} */
  rows: [],
})

/**
 * A suite whose rows run in Node, in processes of their own: V8 tunes code to what a process has seen, and a row should
 * say the same wherever it stands.
 *
 * @param {string} suite
 * @param {Options} options
 * @param {Listener} listener
 * @returns {Promise<Ran>}
 */
export async function inNode(suite, options, listener) {
  const { rows } = await import(`./suites/${suite}.mjs`)
  const all = rows.map(({ name }) => name)
  const wanted = rows.filter(({ name, short }) => (options.only ? options.only.includes(short) : has(name, options.filter)))
  if (wanted.length === 0) return { names: all }
  const result = { ...started(suite, options), method: METHOD, payload: { bytes: payloadText.length, digest: payloadDigest } }
  const hear = ({ contenders, environment, loaded, missing, packages }) => {
    Object.assign(result, {
      environment,
      loaded,
      contenders: [...new Set([...(result.contenders ?? []), ...contenders])],
      missing: { ...result.missing, ...missing },
      versions: { ...result.versions, ...versions(packages) },
    })
  }
  for (const [at, row] of wanted.entries()) {
    const begun = performance.now()
    const progress = share => listener.progress(row.name, share, at, wanted.length)
    progress(0)
    const measured = await (row.alone || row.gauge ? inOne : inTurns)(suite, row, options, message => {
      if (message.begin) hear(message.begin)
      if (message.progress !== undefined) progress(message.progress)
    })
    // Who took part is known now.
    if (at === 0) listener.begin(result)
    const done = { ...measured, seconds: Number(((performance.now() - begun) / 1e3).toFixed(1)) }
    result.rows.push(done)
    listener.row(done)
  }
  return { names: all, result }
}

const withOld = ({ old, onlyCompared }) => [...(old ? [OLD] : []), ...(onlyCompared ? ['patchcord', 'data-client'] : NAMES)]

/** A row that is measured within one process. */
async function inOne(suite, { alone, name }, options, hear) {
  let done
  await inWorker({ suite, row: name, effort: options.effort, contenders: alone ? ['patchcord'] : withOld(options), processor: quietest() }, message => (message.row ? (done = message.row) : hear(message)), options)
  return done
}
