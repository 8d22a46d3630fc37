// npm run size: what the imports of the size contract cost a user, beside those of other libraries.
// `npm run check` compares the same figures with their limits; the table of both is .ci/budgets.json.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { kB, readBudgets } from '../.ci/gates.mjs'
import { measureImports } from '../.ci/rooms.mjs'
import { versions } from './machine.mjs'
import { rivalPackages, weighRivals } from './rivals.mjs'
import { has, started } from './suite.mjs'
import { judge } from './verdict.mjs'

const { imports } = readBudgets()

/** The imports with their limits in gzip bytes. */
export const budgets = Object.entries(imports).map(([name, { from, onTopOf, gzip: { ceiling, contract } }]) => ({
  name,
  from,
  onTopOf,
  limits: [
    { as: 'the contract', atMost: contract },
    ...(ceiling === undefined ? [] : [{ as: 'the ceiling', atMost: ceiling }]),
  ].map((limit) => ({ kind: 'value', who: 'patchcord', unit: 'B', ...limit })),
}))

const projectRoot = fileURLToPath(new URL('..', import.meta.url))

/**
 * The suite: what the imports weigh beside those of the rivals that are installed.
 *
 * @param {string} suite
 * @param {import('./suite.mjs').Options} options
 * @param {import('./suite.mjs').Listener} listener
 * @returns {Promise<import('./suite.mjs').Ran>}
 */
export async function inBundle(suite, options, listener) {
  const names = budgets.map(({ name }) => name)
  const wanted = budgets.filter(({ name }) => has(name, options.filter))
  if (wanted.length === 0) return { names }
  const result = { ...started(suite, options), versions: versions(['patchcord', ...rivalPackages]) }
  listener.begin(result)
  for (const [at, entry] of wanted.entries()) {
    listener.progress(entry.name, 0, at, wanted.length)
    const row = await sizeRow(entry)
    result.rows.push(row)
    listener.row(row)
  }
  return { names, result }
}

const listed = (names, door) => (names === '*' ? `everything from '${door}'` : `{ ${names.join(', ')} } from '${door}'`)

async function sizeRow({ from, limits, name, onTopOf }) {
  /** @type {Record<string, number>} */
  const values = {}
  const { blanks, sizes } = await weighRivals(name)
  const { gzip, missing } = (await measureImports(projectRoot, { ...(onTopOf && { [onTopOf]: imports[onTopOf] }), [name]: imports[name] }))[name]
  if (gzip === undefined) blanks['patchcord'] = `has no ${missing.join(', ')}`
  else values['patchcord'] = gzip
  for (const [who, { gzip }] of Object.entries(sizes)) values[who] = gzip
  return {
    name,
    about: `${Object.entries(from).map(([door, names]) => listed(names, door)).join(', ')}${onTopOf ? `, on top of an ${onTopOf}` : ''}: minified, gzipped, dependencies included, frameworks not.`,
    unit: 'B',
    values,
    blanks,
    verdicts: limits.map((limit) => judge(limit, { values })),
  }
}

async function main() {
  const hasRivals = existsSync(join(projectRoot, 'bench/node_modules'))
  for (const entry of budgets) {
    const { blanks, values } = await sizeRow(entry)
    console.log(`\n  ${entry.name}, contract ${kB(entry.limits[0].atMost)}`)
    for (const [who, gzip] of Object.entries(values).sort(([, a], [, b]) => a - b)) console.log(`    ${kB(gzip).padStart(8)}  ${who}`)
    if (hasRivals) for (const [who, reason] of Object.entries(blanks)) console.log(`    ${'—'.padStart(8)}  ${who}: ${reason}`)
  }
  if (!hasRivals) console.log('\n  `npm run bench` installs the other libraries; then they stand beside ours.')
}

if (import.meta.filename === process.argv[1]) await main()
