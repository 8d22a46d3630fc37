// Compares what rooms.mjs measures with the limits in budgets.json.
//
// A figure fails above its ceiling. Ceilings are the figures of the past and only go down; a figure within its contract
// always passes. With `"enforce": true` in budgets.json the contract itself is the limit.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DOORS, measureImports, measureRooms, staleSources } from './rooms.mjs'
import { announce, root, run, tsc } from './steps.mjs'

const FILE = '.ci/budgets.json'

/**
 * @typedef {object} Limits
 * @property {number} [contract] What the design asks for.
 * @property {number} [ceiling] The lowest figure so far.
 * @property {number} [aim]
 *
 * @typedef {object} Budgets
 * @property {boolean} enforce
 * @property {Record<string, { lines: Limits, gzip?: Limits }>} rooms
 * @property {{ lines: Limits }} total
 * @property {Record<string, { from: Record<string, string[] | '*'>, onTopOf?: string, gzip: Limits }>} imports With `onTopOf`, the figure is what the import adds to that other one.
 *
 * @typedef {object} Figures
 * @property {Record<string, { files: number, lines: number, gzip: number }>} rooms
 * @property {Record<string, { gzip?: number, missing: string[] }>} [imports] Left out where only rooms were measured.
 *
 * @typedef {object} Figure
 * @property {string} name
 * @property {'lines' | 'gzip'} unit
 * @property {number} now
 * @property {Limits} limits
 */

/** @returns {Budgets} */
export const readBudgets = (from = root) => JSON.parse(readFileSync(join(from, FILE), 'utf8'))

export const kB = (bytes) => `${(bytes / 1000).toFixed(1)} kB`
const show = (value, unit) => (value === undefined ? '' : unit === 'gzip' ? kB(value) : value.toLocaleString('en-US'))

/** Doors beside the core (`apart` in the budgets) have limits of their own. */
const totalLines = (rooms, budgets) => Object.entries(rooms).reduce((sum, [name, { lines }]) => sum + (budgets.rooms[name]?.apart ? 0 : lines), 0)

/**
 * Every figure that has a limit.
 *
 * @param {Figures} figures
 * @param {Budgets} budgets
 * @returns {Figure[]}
 */
export function limited({ imports = {}, rooms }, budgets) {
  /** @type {Figure[]} */
  const all = []
  for (const [name, room] of Object.entries(rooms)) {
    const limits = budgets.rooms[name]
    if (limits?.lines) all.push({ name, unit: 'lines', now: room.lines, limits: limits.lines })
    if (limits?.gzip) all.push({ name, unit: 'gzip', now: room.gzip, limits: limits.gzip })
  }
  all.push({ name: 'all rooms', unit: 'lines', now: totalLines(rooms, budgets), limits: budgets.total.lines })
  for (const [name, { gzip }] of Object.entries(imports)) {
    if (gzip !== undefined) all.push({ name, unit: 'gzip', now: gzip, limits: budgets.imports[name].gzip })
  }
  return all
}

/** What a figure may be at most. */
function limitOf({ ceiling, contract }, onlyContract) {
  if (onlyContract || ceiling === undefined) return { limit: contract ?? ceiling ?? 0, kind: 'contract' }
  return contract !== undefined && contract >= ceiling ? { limit: contract, kind: 'contract' } : { limit: ceiling, kind: 'ceiling' }
}

/**
 * One sentence for each figure above its limit and each folder that is not in the table.
 *
 * @param {Figures} figures
 * @param {Budgets} budgets
 * @param {boolean} [onlyContract] Ceilings do not count.
 */
export function gateFaults(figures, budgets, onlyContract = budgets.enforce) {
  const unknown = Object.keys(figures.rooms).filter((room) => room !== DOORS && !budgets.rooms[room])
  const faults = unknown.map((room) => `${room} is not in ${FILE}. Add the room with its limits, or move its files.`)
  for (const { limits, name, now, unit } of limited(figures, budgets)) {
    const { kind, limit } = limitOf(limits, onlyContract)
    if (now <= limit) continue
    const by = unit === 'gzip' ? `${now - limit} bytes` : `${now - limit} lines`
    faults.push(`${name}: ${show(now, unit)}${unit === 'gzip' ? ' gzip' : ' code lines'}, over its ${kind} of ${show(limit, unit)} by ${by}.`)
  }
  for (const [name, { missing }] of Object.entries(figures.imports ?? {})) {
    if (missing.length > 0) faults.push(`${name} cannot be imported: there is no ${missing.join(', ')}.`)
  }
  return faults
}

/**
 * The budgets with every ceiling lowered to the figure of today. No ceiling is raised and none is added: a figure without
 * one has its contract as the limit. Ceilings of figures that have reached their contract, and of rooms that are gone,
 * are dropped.
 *
 * @param {Budgets} budgets
 * @param {Figures} figures
 * @returns {Budgets}
 */
export function lowered(budgets, figures) {
  const next = structuredClone(budgets)
  for (const { limits, now } of limited(figures, next)) {
    if (now <= limits.contract) delete limits.ceiling
    else if (limits.ceiling !== undefined) limits.ceiling = Math.min(limits.ceiling, now)
  }
  for (const [name, room] of Object.entries(next.rooms)) {
    if (figures.rooms[name]) continue
    for (const limits of [room.lines, room.gzip]) delete limits?.ceiling
    if (room.lines.contract === undefined) delete next.rooms[name]
  }
  return next
}

/** One line for each room and import, so that a change of one figure changes one line. */
export function budgetsText({ enforce, imports, rooms, total }) {
  const flat = (value) => JSON.stringify(value).replaceAll(/([:,])(?=["\d{[t])/g, '$1 ').replaceAll(/\{(?=")/g, '{ ').replaceAll(/(?<=[\d"}\]])\}/g, ' }')
  const table = (entries) => `{\n${Object.entries(entries).map(([name, entry]) => `    ${JSON.stringify(name)}: ${flat(entry)}`).join(',\n')}\n  }`
  return `{\n  "enforce": ${enforce},\n  "rooms": ${table(rooms)},\n  "total": ${flat(total)},\n  "imports": ${table(imports)}\n}\n`
}

/** Left column to the left, numbers to the right. */
function align(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)))
  return rows.map((row) => `  ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join('  ')}`.trimEnd())
}

const inOrder = (rooms, budgets) => [...Object.keys(budgets.rooms).filter((room) => rooms[room]), ...Object.keys(rooms).filter((room) => !budgets.rooms[room])]

/** How far a figure is from its contract: "over 40". */
const distance = (now, contract, unit) => (contract === undefined ? '' : now > contract ? `over ${show(now - contract, unit)}` : '')

/**
 * The rooms with their contracts.
 *
 * @param {Figures} figures
 * @param {Budgets} budgets
 */
export function roomsTable({ rooms }, budgets) {
  const cells = (now, unit, { contract } = {}) => [show(now, unit), show(contract, unit), distance(now, contract, unit)]
  const rows = inOrder(rooms, budgets).map((name) => {
    const { files, gzip, lines } = rooms[name]
    return [name, `${files}`, ...cells(lines, 'lines', budgets.rooms[name]?.lines), ...(name === DOORS ? ['', '', ''] : cells(gzip, 'gzip', budgets.rooms[name]?.gzip))]
  })
  const files = Object.values(rooms).reduce((sum, room) => sum + room.files, 0)
  const all = ['total', `${files}`, ...cells(totalLines(rooms, budgets), 'lines', budgets.total.lines), '', '', '']
  return align([['room', 'files', 'lines', 'contract', '', 'gzip', 'contract', ''], ...rows, all])
}

/**
 * The imports of the size contract: "contract 26.0 kB, now 27.8 kB, over 1.8 kB".
 *
 * @param {Figures} figures
 * @param {Budgets} budgets
 */
export const importsTable = ({ imports = {} }, budgets) =>
  align(
    Object.entries(imports).map(([name, { gzip, missing }]) => {
      const { contract } = budgets.imports[name].gzip
      if (gzip === undefined) return [name, `contract ${kB(contract)},`, 'not there:', missing.join(', ')]
      return [name, `contract ${kB(contract)},`, `now ${kB(gzip)}`, distance(gzip, contract, 'gzip')]
    }),
  )

const START = '<!-- sizes -->'
const END = '<!-- /sizes -->'

/**
 * README with the table of sizes brought up to date.
 *
 * @param {string} readme
 * @param {Figures} figures
 * @param {Budgets} budgets
 */
export function withSizes(readme, { imports = {} }, budgets) {
  const from = readme.indexOf(START)
  const to = readme.indexOf(END)
  if (from < 0 || to < from) throw new Error(`README.md has no markers for the sizes. Put ${START} and ${END} where the table belongs.`)
  const names = (source) =>
    Object.entries(source)
      .map(([door, list]) => (list === '*' ? `all of \`${door}\`` : `${list.map((name) => `\`${name}\``).join(', ')}${door === 'patchcord' ? '' : ` from \`${door}\``}`))
      .join(', ')
  const lines = Object.entries(imports).map(
    ([name, { gzip }]) => `| ${name} | ${names(budgets.imports[name].from)}${budgets.imports[name].onTopOf ? `, on top of an ${budgets.imports[name].onTopOf}` : ''} | ${gzip === undefined ? '–' : kB(gzip)} | ${kB(budgets.imports[name].gzip.contract)} |`,
  )
  const table = ['| | import | gzip | contract |', '|---|---|---:|---:|', ...lines]
  return `${readme.slice(0, from)}${[START, ...table, END].join('\n')}${readme.slice(to + END.length)}`
}

/** Compiles what is newer than build/, without checking types: a size needs code, and half a change has errors. */
async function refresh() {
  const stale = staleSources(root)
  if (stale.length === 0) return
  announce(`compiling: ${stale.length} sources are newer than build/`)
  const off = ['--declaration', '--declarationMap', '--isolatedDeclarations'].flatMap((option) => [option, 'false'])
  await run([...tsc, '--noCheck', '--declarationDir', 'null', ...off])
}

/** @returns {Promise<Figures>} */
export async function measure(budgets, withImports = true) {
  const rooms = await measureRooms(root)
  return withImports ? { rooms, imports: await measureImports(root, budgets.imports) } : { rooms }
}

/**
 * Measures, prints, and tells whether everything holds.
 *
 * @param {{ rooms?: boolean, imports?: boolean, record?: boolean, readme?: boolean }} options
 * `rooms`: only the rooms, unless `imports` is given as well. `record`: lower the ceilings. `readme`: rewrite its table.
 */
export async function checkGates({ imports = false, readme = false, record = false, rooms = false } = {}) {
  await refresh()
  let budgets = readBudgets()
  const withImports = imports || !rooms || record || readme
  const figures = await measure(budgets, withImports)
  if (record) {
    budgets = lowered(budgets, figures)
    writeFileSync(join(root, FILE), budgetsText(budgets))
  }
  console.log(['', 'rooms', ...roomsTable(figures, budgets)].join('\n'))
  if (withImports) console.log(['', 'imports, gzip with dependencies and without frameworks', ...importsTable(figures, budgets)].join('\n'))
  const faults = [...gateFaults(figures, budgets), ...(withImports ? readmeFaults(figures, budgets, readme) : [])]
  console.log(['', ...faults, faults.length === 0 ? 'All rooms and imports are within their limits.' : `FAULTS: ${faults.length}.`].join('\n'))
  return faults.length === 0
}

function readmeFaults(figures, budgets, rewrite) {
  const file = join(root, 'README.md')
  if (!existsSync(file)) return []
  const readme = readFileSync(file, 'utf8')
  const right = withSizes(readme, figures, budgets)
  if (right === readme) return []
  if (!rewrite) return ['README.md quotes other sizes. Run npm run check -- --readme.']
  writeFileSync(file, right)
  return []
}
