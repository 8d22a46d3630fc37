import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { machine, versions } from './machine.mjs'
import { environment, nodeFlags } from './production.mjs'

/**
 * @typedef {object} Options
 * @property {string} filter Only rows whose name has this in it.
 * @property {'full' | 'quick'} effort
 * @property {boolean} [isolate] Every row in a process of its own.
 * @property {boolean} [asInstalled]
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

export const has = (name, filter) => name.toLowerCase().includes(filter.toLowerCase())

/** The part of a result that is the same for every suite. */
export const started = (suite, { effort, filter }) => ({
  suite,
  date: new Date().toISOString(),
  effort,
  ...(filter ? { filter } : {}),
  machine: machine(),
  /** @type {any[]} */
  rows: [],
})

const WORKER = fileURLToPath(new URL('./worker.mjs', import.meta.url))

/** Does one job in a new process, and rejects with what that says when it fails. */
export const inWorker = (job, hear, { asInstalled = false, worker = WORKER } = {}) =>
  new Promise((done, fail) => {
    let said
    const child = fork(worker, [JSON.stringify(job)], { execArgv: nodeFlags(asInstalled), env: environment(asInstalled) })
    child.on('message', message => (message.failed ? (said = message.failed) : hear(message)))
    child.on('error', fail)
    child.on('exit', (code, signal) => (code === 0 ? done(undefined) : fail(new Error(said ?? `The worker of "${job.suite}" ended with ${signal ?? code}.`))))
  })

/**
 * A suite whose rows run in Node, in a process of their own, so that drawing a table never disturbs a measurement.
 *
 * @param {string} suite
 * @param {Options} options
 * @param {Listener} listener
 * @returns {Promise<Ran>}
 */
export async function inNode(suite, options, listener) {
  const { rows } = await import(`./suites/${suite}.mjs`)
  const all = rows.map(({ name }) => name)
  const names = all.filter(name => has(name, options.filter))
  if (names.length === 0) return { names: all }
  const result = { ...started(suite, options), isolated: options.isolate === true }
  const hear = ({ begin, progress, row }) => {
    if (progress) listener.progress(progress.row, progress.share, names.indexOf(progress.row), names.length)
    if (begin && !result.versions) {
      const { packages, ...rest } = begin
      Object.assign(result, rest, { versions: versions(packages) })
      listener.begin(result)
    }
    if (!row) return
    result.rows.push(row)
    listener.row(row)
  }
  for (const part of options.isolate ? names.map(name => [name]) : [names]) {
    await inWorker({ suite, rows: part, effort: options.effort }, hear, options)
  }
  return { names: all, result }
}
