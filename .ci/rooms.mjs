// Measures the sources: code lines and gzip bytes of each room, gzip bytes of the imports in the size contract.
// Reads the output of tsc in build/. The table of rooms, imports and limits is budgets.json.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { nodeResolve } from '@rollup/plugin-node-resolve'
import { rollup } from 'rollup'
import { minify } from 'terser'
import { vendored } from '../rollup.config.mjs'
import { countCodeLines } from './lines.mjs'

/** Files of `src` itself: doors, which only re-export. */
export const DOORS = 'doors'

/** An app that uses a binding has the framework already. */
const frameworks = /^(solid-js|preact|@preact\/signals)(\/|$)/

const slashes = (path) => path.split(sep).join('/')
const isSource = (name) => name.endsWith('.ts') && !name.endsWith('.d.ts')

/** The `.ts` files below a folder, as paths from the root. */
function sourcesBelow(root, folder) {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${slashes(file)}`)
    .filter(isSource)
    .sort()
}

/**
 * The files of each room. A room is a folder of `src` or of `bindings`.
 *
 * @param {string} root
 * @returns {Map<string, string[]>}
 */
export function roomsOf(root) {
  /** @type {Map<string, string[]>} */
  const rooms = new Map()
  for (const file of ['src', 'bindings'].flatMap((folder) => sourcesBelow(root, folder))) {
    const [folder, room, inRoom] = file.split('/')
    const name = folder === 'bindings' ? `bindings/${room}` : inRoom === undefined ? DOORS : room
    rooms.set(name, [...(rooms.get(name) ?? []), file])
  }
  return rooms
}

/** What tsc has made of a source. */
const builtFile = (root, file) => join(root, 'build', file.replace(/\.ts$/, '.js'))

/** Minifying takes most of the time, so results are stored by the code that went in. Raise the number with the options. */
const CACHE = fileURLToPath(new URL('../node_modules/.cache/patchcord-sizes.json', import.meta.url))
const METHOD = 'terser 1'
let cache

async function gzipOf(code) {
  cache ??= existsSync(CACHE) ? JSON.parse(readFileSync(CACHE, 'utf8')) : {}
  const key = createHash('sha256').update(`${METHOD} ${process.version}\n${code}`).digest('hex')
  if (cache[key] === undefined) {
    const { code: small } = await minify(code, { module: true, compress: { passes: 2 } })
    cache[key] = gzipSync(small, { level: 9 }).length
    mkdirSync(dirname(CACHE), { recursive: true })
    writeFileSync(CACHE, JSON.stringify(cache))
  }
  return cache[key]
}

const failOnUnresolved = ({ code, exporter, message }) => {
  if (code === 'UNRESOLVED_IMPORT') throw new Error(`${exporter} is not installed`)
  if (code === 'MISSING_EXPORT') throw new Error(message)
}

/** All modules of a room in one chunk, everything else external. */
async function weighRoom(root, files) {
  const input = files.map((file) => builtFile(root, file))
  const inRoom = new Set(input)
  const bundle = await rollup({
    input,
    external: (id, importer) => importer !== undefined && !inRoom.has(id.startsWith('.') ? resolve(dirname(importer), id) : id),
    onwarn: failOnUnresolved,
  })
  const { output } = await bundle.generate({ format: 'es', manualChunks: () => 'room' })
  await bundle.close()
  // The other chunks only re-export from the one that has the modules. A room of types has no code at all.
  const { code } = output.find(({ modules }) => Object.keys(modules).length > 0) ?? output[0]
  return code.trim() === '' ? 0 : gzipOf(code)
}

/**
 * @param {string} root
 * @returns {Promise<Record<string, { files: number, lines: number, gzip: number }>>}
 */
export async function measureRooms(root) {
  const measured = {}
  for (const [room, files] of roomsOf(root)) {
    const lines = files.reduce((sum, file) => sum + countCodeLines(readFileSync(join(root, file), 'utf8')), 0)
    measured[room] = { files: files.length, lines, gzip: room === DOORS ? 0 : await weighRoom(root, files) }
  }
  return measured
}

/** Where a door is, in build/; undefined when there is none. */
function doorFile(root, door) {
  const name = door.replace(/^patchcord\/?/, '')
  const source = ['solid', 'preact'].includes(name) ? `bindings/${name}/index.ts` : `src/${name === '' ? '' : `${name}/`}index.ts`
  return existsSync(join(root, source)) ? builtFile(root, source) : undefined
}

/**
 * The core of the published package is one module, so a statement with a side effect stays in it whatever a user imports.
 * build/ has a module for each file: they count as having side effects, which gives the same bundle.
 */
const asPublished = {
  name: 'as published',
  resolveId: (source, importer) => (source.startsWith('.') && importer?.includes(`${sep}build${sep}`) ? { id: resolve(dirname(importer), source), moduleSideEffects: true } : null),
}

async function bundleOf(root, code) {
  const entry = {
    name: 'entry',
    resolveId: (source) => (source === 'entry' ? '\0entry' : null),
    load: (id) => (id === '\0entry' ? code : null),
  }
  const bundle = await rollup({
    input: 'entry',
    external: frameworks,
    plugins: [entry, vendored, asPublished, nodeResolve({ browser: true, rootDir: root })],
    onwarn: failOnUnresolved,
  })
  const { output } = await bundle.generate({ format: 'es' })
  await bundle.close()
  return output[0].code
}

async function exportsOf(file) {
  const bundle = await rollup({ input: file, external: (_, importer) => importer !== undefined, onwarn() {} })
  const { output } = await bundle.generate({ format: 'es' })
  await bundle.close()
  return output[0].exports
}

/**
 * Gzip bytes of an import with its dependencies and without frameworks, or the names that are not there.
 *
 * @param {string} root
 * @param {Record<string, string[] | '*'>} from Door to names. `*` is everything.
 * @returns {Promise<{ gzip?: number, missing: string[], code?: string }>}
 */
export async function measureImport(root, from) {
  const missing = []
  const lines = []
  for (const [door, names] of Object.entries(from)) {
    const file = doorFile(root, door)
    if (file === undefined) {
      missing.push(names === '*' ? door : `${names.join(', ')} from ${door}`)
      continue
    }
    const exported = await exportsOf(file)
    const wanted = names === '*' ? exported : names
    missing.push(...wanted.filter((name) => !exported.includes(name)))
    lines.push(`export { ${wanted.join(', ')} } from ${JSON.stringify(file)}`)
  }
  if (missing.length > 0) return { missing }
  const code = await bundleOf(root, lines.join('\n'))
  return { missing, code, gzip: await gzipOf(code) }
}

/**
 * Each import; with `onTopOf`, only what it adds to that other import.
 *
 * @param {string} root
 * @param {Record<string, { from: Record<string, string[] | '*'>, onTopOf?: string }>} imports
 */
export async function measureImports(root, imports) {
  const measured = {}
  for (const [name, { from, onTopOf }] of Object.entries(imports)) {
    const { gzip, missing } = await measureImport(root, onTopOf ? { ...imports[onTopOf].from, ...from } : from)
    // In steps of 50 bytes: the difference of two archives moves a little with every change of the core.
    measured[name] = { gzip: onTopOf && gzip ? Math.ceil((gzip - measured[onTopOf].gzip) / 50) * 50 : gzip, missing }
  }
  return measured
}

/** Sources that tsc has not compiled since they were written. */
export function staleSources(root) {
  return ['src', 'bindings'].flatMap((folder) => sourcesBelow(root, folder)).filter((file) => {
    const built = builtFile(root, file)
    return !existsSync(built) || modified(built) < modified(join(root, file))
  })
}

const modified = (file) => statSync(file).mtimeMs
