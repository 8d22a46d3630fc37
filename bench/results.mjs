import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the results. */
export const FOLDER = process.env['BENCH_RESULTS'] ?? fileURLToPath(new URL('./results', import.meta.url))
const NAME = /^(.+)-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d)\.json$/

/**
 * What a run of one suite leaves behind.
 *
 * @typedef {object} Result
 * @property {string} suite
 * @property {string} date
 * @property {'full' | 'quick'} effort
 * @property {ReturnType<import('./machine.mjs').machine>} machine
 * @property {Record<string, string>} [versions]
 * @property {Record<string, string>} [missing] Who could not be loaded, and why.
 * @property {string} [method] How contenders meet, where they are timed in Node.
 * @property {string} [filter] Only some rows were measured.
 * @property {any[]} rows
 */

/**
 * @param {Result} result
 * @returns {string} its file
 */
export function save(result, folder = FOLDER) {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${result.suite}-${result.date.slice(0, 19).replaceAll(':', '-')}.json`)
  writeFileSync(file, `${JSON.stringify(result)}\n`)
  return file
}

/** All results, oldest first: `{ suite, date, file }`. */
export function list(folder = FOLDER) {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .flatMap(name => {
      const parts = NAME.exec(name)
      return parts ? [{ suite: parts[1], date: parts[2], file: join(folder, name) }] : []
    })
    .sort((a, b) => (a.date < b.date ? -1 : 1))
}

/**
 * @param {string} file
 * @returns {Result}
 */
export function load(file) {
  const fail = reason => {
    throw new Error(`${file} is not a result of \`npm run bench\`: ${reason}.`)
  }
  let text
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    throw new Error(`There is no file ${file}.`)
  }
  let result
  try {
    result = JSON.parse(text)
  } catch {
    fail('it is no JSON')
  }
  if (typeof result?.suite !== 'string' || !Array.isArray(result.rows)) fail('it has no suite and no rows')
  return result
}

/** To look at, and not what a suite has to say. */
const isPartial = ({ effort, filter }) => effort === 'quick' || filter !== undefined

/**
 * The newest result of each suite. A whole run wins over a newer one that was short, or of some rows only: that would
 * hide the others.
 *
 * @returns {Map<string, Result>}
 */
export function newest(folder = FOLDER) {
  /** @type {Map<string, Result>} */
  const found = new Map()
  for (const { file, suite } of list(folder)) {
    const result = load(file)
    const known = found.get(suite)
    if (suite.startsWith('knob-') || (known && isPartial(result) && !isPartial(known))) continue
    found.set(suite, result)
  }
  return found
}
