// npm run size: what typical imports cost a user, dependencies included, frameworks not.
//   npm run size             the table; exits with 1 over a ceiling or when README.md quotes other numbers
//   npm run size -- --write  the same, and brings README.md up to date
//   npm run size -- --ours   without the rivals, which take a while
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rollup } from 'rollup'
import { versions } from './machine.mjs'
import { rivalPackages, weighRivals } from './rivals.mjs'
import { has, started } from './suite.mjs'
import { judge } from './verdict.mjs'
import { weigh } from './weigh.mjs'

/**
 * Gzipped kB (of 1,000 bytes).
 *
 * `contract` is what the package means to cost. It is missed, by far, and every run says so. `ceiling` stands just over
 * what an import weighs today, so that growth is noticed when it happens: whoever raises one says why in the changelog.
 */
export const budgets = [
  { name: 'Entity alone', from: { patchcord: ['Entity'] }, ceiling: 5 },
  { name: 'core', from: { patchcord: ['Entity', 'normalize', 'denormalize', 'applyPatches', 'emptyState', 'Controller'] }, ceiling: 53 },
  { name: 'core + rest', from: { patchcord: ['Entity', 'Controller', 'createResource'] }, ceiling: 60 },
  {
    name: 'core + rest, with solid',
    from: { patchcord: ['Entity', 'Controller', 'createResource'], 'patchcord/solid': ['DataProvider', 'useSuspense'] },
    ceiling: 62,
    contract: 17,
  },
  {
    name: 'core + rest, with preact',
    from: { patchcord: ['Entity', 'Controller', 'createResource'], 'patchcord/preact': ['DataProvider', 'useSuspense'] },
    ceiling: 62,
    contract: 17,
  },
]

const doors = {
  patchcord: 'dist/index.js',
  'patchcord/solid': 'dist/solid.js',
  'patchcord/preact': 'dist/preact.js',
}
const toFiles = (root, from) => Object.fromEntries(Object.entries(from).map(([door, names]) => [join(root, doors[door]), names]))

/** The table for a built tree; names that a door does not have yet are listed in `missing`. */
export async function measure(root, entries = budgets) {
  const rows = []
  for (const entry of entries) {
    const missing = await missingNames(root, entry.from)
    rows.push(missing.length > 0 ? { ...entry, missing } : { ...entry, missing, ...(await weigh(root, toFiles(root, entry.from))) })
  }
  return rows
}

async function missingNames(root, from) {
  const missing = []
  for (const [door, names] of Object.entries(from)) {
    const bundle = await rollup({ input: join(root, doors[door]), external: () => true, onwarn() {} })
    const { output } = await bundle.generate({ format: 'es' })
    missing.push(...names.filter((name) => !output[0].exports.includes(name)))
  }
  return missing
}

/** What weighs more than it did, a sentence each. */
export function sizeFaults(rows) {
  return rows
    .filter(({ gzip, ceiling }) => gzip > ceiling * 1000)
    .map(({ name, gzip, ceiling }) => `${name} is ${kB(gzip)} gzipped, over its ceiling of ${ceiling} kB by ${gzip - ceiling * 1000} bytes.`)
}

/** What does not keep the contract, a sentence each. */
export function shortfalls(rows) {
  return rows
    .filter(({ gzip, contract }) => contract !== undefined && gzip > contract * 1000)
    .map(({ name, gzip, contract }) => `${name} is ${kB(gzip)} gzipped; the contract is ${contract} kB. MISSED by ${kB(gzip - contract * 1000)}.`)
}

const kB = (bytes) => `${(bytes / 1000).toFixed(1)} kB`
const start = '<!-- sizes -->'
const end = '<!-- /sizes -->'

/** The block that README.md quotes. */
export function readmeTable(rows) {
  const lines = rows.map(({ name, missing, gzip, brotli, contract }) => {
    const promised = contract === undefined ? '' : `${contract} kB`
    return missing.length > 0 ? `| ${name} | not yet | not yet | ${promised} |` : `| ${name} | ${kB(gzip)} | ${kB(brotli)} | ${promised} |`
  })
  return [start, '| import | gzip | brotli | contract, gzip |', '|---|---:|---:|---:|', ...lines, end].join('\n')
}

/** README with the block brought up to date. */
export function withTable(readme, rows) {
  const from = readme.indexOf(start)
  const to = readme.indexOf(end)
  if (from < 0 || to < from) throw new Error(`README.md has no place for the sizes. Put ${start} and ${end} where the table belongs.`)
  return readme.slice(0, from) + readmeTable(rows) + readme.slice(to + end.length)
}

const projectRoot = fileURLToPath(new URL('..', import.meta.url))

/**
 * The suite: what typical imports weigh beside those of the rivals that are installed.
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

async function sizeRow({ name, from, ceiling, contract, ...entry }) {
  const [ours] = await measure(projectRoot, [{ name, from, ceiling, ...entry }])
  const { sizes, blanks } = await weighRivals(name)
  const all = ours.missing.length > 0 ? sizes : { patchcord: ours, ...sizes }
  const by = kind => Object.fromEntries(Object.entries(all).map(([who, size]) => [who, size[kind]]))
  const values = by('gzip')
  const limits = { ...(contract === undefined ? {} : { 'the contract': contract }), 'what it weighs today, rounded up': ceiling }
  return {
    name,
    about: `${Object.entries(from).map(([door, names]) => `{ ${names.join(', ')} } from '${door}'`).join(', ')}: minified, gzipped, dependencies included, frameworks not.`,
    unit: 'B',
    values,
    beside: { label: 'brotli', values: by('brotli') },
    blanks,
    verdicts: Object.entries(limits).map(([as, limit]) => judge({ kind: 'value', who: 'patchcord', atMost: limit * 1000, unit: 'B', as }, { values })),
  }
}

async function main() {
  const root = projectRoot
  const rows = await measure(root)
  for (const { name, missing, gzip, brotli, ceiling } of rows) {
    const numbers = missing.length > 0
      ? `not yet: ${missing.join(', ')}`
      : `${kB(gzip).padStart(8)} gzip ${kB(brotli).padStart(8)} brotli   ceiling ${ceiling} kB`
    console.log(`  ${name.padEnd(26)}${numbers}`)
  }
  if (process.argv.includes('--ours')) console.log()
  else if (existsSync(join(root, 'bench/node_modules'))) await printRivals()
  else console.log('  (the rivals are weighed beside them once `npm run bench` has installed them)')
  const file = join(root, 'README.md')
  const readme = readFileSync(file, 'utf8')
  const faults = sizeFaults(rows)
  if (process.argv.includes('--write')) writeFileSync(file, withTable(readme, rows))
  else if (withTable(readme, rows) !== readme) faults.push('README.md quotes other sizes; run npm run size -- --write.')
  for (const sentence of [...shortfalls(rows), ...faults]) console.log(sentence)
  console.log(faults.length === 0 ? 'Nothing has grown.' : 'SIZES ARE NOT IN ORDER.')
  process.exitCode = faults.length === 0 ? 0 : 1
}

async function printRivals() {
  console.log('\n  the same of others')
  for (const { name } of budgets) {
    const { sizes, blanks } = await weighRivals(name)
    const lines = Object.entries(sizes).sort(([, a], [, b]) => a.gzip - b.gzip)
    for (const [who, { gzip, brotli }] of lines) console.log(`  ${name.padEnd(26)}${kB(gzip).padStart(8)} gzip ${kB(brotli).padStart(8)} brotli   ${who}`)
    for (const [who, reason] of Object.entries(blanks)) console.log(`  ${name.padEnd(26)}${'—'.padStart(8)}${' '.repeat(23)}${who}: ${reason}`)
  }
  console.log()
}

if (import.meta.filename === process.argv[1]) await main()
