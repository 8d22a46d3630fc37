// npm run size: what typical imports cost a user, dependencies included, frameworks not.
//   npm run size             the table; exits with 1 over a ceiling or when README.md quotes other numbers
//   npm run size -- --write  the same, and brings README.md up to date
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { nodeResolve } from '@rollup/plugin-node-resolve'
import { rollup } from 'rollup'
import { minify } from 'terser'

/**
 * Gzipped kB (of 1,000 bytes).
 *
 * `contract` is what the package means to cost. It is missed, by far, and every run says so. `ceiling` stands just over
 * what an import weighs today, so that growth is noticed when it happens: whoever raises one says why in the changelog.
 */
export const budgets = [
  { name: 'Entity alone', from: { patchcord: ['Entity'] }, ceiling: 5 },
  { name: 'core', from: { patchcord: ['Entity', 'normalize', 'denormalize', 'applyPatches', 'emptyState', 'Controller'] }, ceiling: 54 },
  { name: 'core + rest', from: { patchcord: ['Entity', 'Controller', 'createResource'] }, ceiling: 61 },
  {
    name: 'core + rest, with solid',
    from: { patchcord: ['Entity', 'Controller', 'createResource'], 'patchcord/solid': ['DataProvider', 'useSuspense'] },
    ceiling: 62,
    contract: 17,
  },
  {
    name: 'core + rest, with preact',
    from: { patchcord: ['Entity', 'Controller', 'createResource'], 'patchcord/preact': ['DataProvider', 'useSuspense'] },
    ceiling: 63,
    contract: 17,
  },
]

const doors = {
  patchcord: 'dist/index.js',
  'patchcord/solid': 'dist/solid.js',
  'patchcord/preact': 'dist/preact.js',
}
const frameworks = /^(solid-js|preact|@preact\/signals)(\/|$)/

/** The table for a built tree; names that a door does not have yet are listed in `missing`. */
export async function measure(root, entries = budgets) {
  const rows = []
  for (const entry of entries) {
    const missing = await missingNames(root, entry.from)
    rows.push(missing.length > 0 ? { ...entry, missing } : { ...entry, missing, ...(await weigh(root, entry.from)) })
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

async function weigh(root, from) {
  const code = Object.entries(from)
    .map(([door, names]) => `export { ${names.join(', ')} } from ${JSON.stringify(join(root, doors[door]))}`)
    .join('\n')
  const bundle = await rollup({
    input: 'entry',
    external: frameworks,
    plugins: [
      {
        name: 'entry',
        resolveId: (source) => (source === 'entry' ? '\0entry' : null),
        load: (id) => (id === '\0entry' ? code : null),
      },
      nodeResolve({ browser: true, rootDir: root }),
    ],
  })
  const { output } = await bundle.generate({ format: 'es' })
  const { code: small } = await minify(output[0].code, { module: true, compress: { passes: 2 } })
  return {
    modules: Object.keys(output[0].modules),
    bytes: small.length,
    gzip: gzipSync(small, { level: 9 }).length,
    brotli: brotliCompressSync(small).length,
  }
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

async function main() {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const rows = await measure(root)
  for (const { name, missing, gzip, brotli, ceiling } of rows) {
    const numbers = missing.length > 0
      ? `not yet: ${missing.join(', ')}`
      : `${kB(gzip).padStart(8)} gzip ${kB(brotli).padStart(8)} brotli   ceiling ${ceiling} kB`
    console.log(`  ${name.padEnd(26)}${numbers}`)
  }
  const file = join(root, 'README.md')
  const readme = readFileSync(file, 'utf8')
  const faults = sizeFaults(rows)
  if (process.argv.includes('--write')) writeFileSync(file, withTable(readme, rows))
  else if (withTable(readme, rows) !== readme) faults.push('README.md quotes other sizes; run npm run size -- --write.')
  for (const sentence of [...shortfalls(rows), ...faults]) console.log(sentence)
  console.log(faults.length === 0 ? 'Nothing has grown.' : 'SIZES ARE NOT IN ORDER.')
  process.exitCode = faults.length === 0 ? 0 : 1
}

if (import.meta.filename === process.argv[1]) await main()
