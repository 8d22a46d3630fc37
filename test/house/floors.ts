import { importsOf } from './imports.ts'
import { sourceFiles } from './sources.ts'

const door = 'src/index.ts'
const next = 'src/next/'
const nextDoor = `${next}index.ts`

/** An import goes to a lower number only; rooms on one floor do not know each other. */
export const floors: Readonly<Record<string, number>> = {
  'src/base': 0,
  'src/schema': 1,
  'src/store': 1,
  'src/endpoint': 2,
  'src/normalize': 3,
  'src/view': 3,
  'src/rest': 3,
  'src/order': 4,
  'src/managers': 4,
  'src/controller': 5,
  [door]: 6,
  'src/testing': 6,
  'bindings/solid': 7,
  'bindings/preact': 7,
  // The version that is written beside this one.
  'src/next/base': 0,
  'src/next/schema': 1,
  'src/next/store': 1,
  'src/next/endpoint': 2,
  'src/next/normalize': 3,
  'src/next/view': 3,
  'src/next/rest': 3,
  'src/next/order': 4,
  'src/next/network': 5,
  'src/next/controller': 6,
  'src/next/history': 7,
  'src/next/hydration': 7,
  'src/next/testing': 7,
  [nextDoor]: 8,
  'src/next/bindings/solid': 9,
  'src/next/bindings/preact': 9,
}

/** What bindings may import of the library. */
const bindingDoors: readonly string[] = [door, nextDoor, `${next}history/index.ts`]

/** Which packages a room may know. */
const packages: ReadonlyArray<readonly [room: RegExp, packages: RegExp]> = [
  [/^src\/(?!next\/bindings)/, /^(immer|@preact\/signals-core)$/],
  [/bindings\/solid$/, /^solid-js(\/|$)/],
  [/bindings\/preact$/, /^(preact(\/hooks)?|@preact\/signals)$/],
]

/** Everything in a tree that goes against the floors, a sentence each. */
export function floorFaults(root: string): string[] {
  const files = sourceFiles(root, true)
  const graph = new Map<string, string[]>()
  const immer = new Set<string>()
  const faults: string[] = []
  for (const file of files) {
    const room = roomOf(file)
    if (floors[room] === undefined) faults.push(`${file} stands in no room; the rooms are listed in test/house/floors.ts.`)
    const imports = importsOf(root, file)
    graph.set(file, imports.flatMap((each) => each.file ?? []))
    for (const { specifier, file: target, typeOnly } of imports) {
      if (specifier === 'immer' && !typeOnly) immer.add(file)
      const fault = target === undefined ? packageFault(room, specifier) : floorFault(room, target)
      if (fault) faults.push(`${file} imports ${target ?? specifier}: ${fault}.`)
    }
  }
  for (const isNext of [false, true]) {
    const importers = [...immer].filter((file) => file.startsWith(next) === isNext)
    if (importers.length > 1) faults.push(`Immer lives in one file, but is imported by ${importers.join(', ')}.`)
  }
  return [...faults, ...cycles(graph)]
}

function roomOf(file: string): string {
  if (file === door || file === nextDoor) return file
  const depth = !file.startsWith(next) ? 2 : file.startsWith(`${next}bindings/`) ? 4 : 3
  return file.split('/').slice(0, depth).join('/')
}

function packageFault(room: string, specifier: string): string | undefined {
  const allowed = packages.some(([rooms, names]) => rooms.test(room) && names.test(specifier))
  return allowed ? undefined : `${room} may not know this package`
}

function floorFault(room: string, target: string): string | undefined {
  const other = roomOf(target)
  if (other === room) return undefined
  if (room.startsWith(next) !== target.startsWith(next)) return `${next} and the rest of src do not know each other`
  if (room.includes('bindings/')) return bindingDoors.includes(target) ? undefined : `bindings enter through ${room.startsWith(next) ? nextDoor : door} alone`
  const from = floors[room] ?? Number.NaN
  const to = floors[other] ?? Number.NaN
  if (to < from) return undefined
  return to === from ? `both are on floor ${from}` : `floor ${from} may not know floor ${to}`
}

/** Each cycle once, from its first file round to itself. */
function cycles(graph: Map<string, string[]>): string[] {
  const done = new Set<string>()
  const found: string[] = []
  const walk = (file: string, path: readonly string[]): void => {
    const start = path.indexOf(file)
    if (start >= 0) found.push(`There is a cycle: ${[...path.slice(start), file].join(' → ')}.`)
    if (start >= 0 || done.has(file)) return
    for (const next of graph.get(file) ?? []) walk(next, [...path, file])
    done.add(file)
  }
  for (const file of graph.keys()) walk(file, [])
  return found
}
