import { importsOf } from './imports.ts'
import { sourceFiles, type Tree } from './sources.ts'

const door = 'src/index.ts'

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
  'src/network': 5,
  'src/controller': 6,
  'src/history': 7,
  'src/hydration': 7,
  'src/changes': 7,
  'src/push': 7,
  'src/testing': 7,
  'src/devtools': 8,
  [door]: 8,
  'src/tabs': 9,
  'src/persist': 9,
  'src/outbox': 9,
  'bindings/solid': 9,
  'bindings/preact': 9,
}

/** What bindings may import of the library. */
const bindingDoors: readonly string[] = [door, 'src/history/index.ts']

/** Who imports the front door must not pay for these. */
const ownDoors: readonly string[] = ['src/history', 'src/push', 'src/changes', 'src/devtools', 'src/testing']

/** Rooms that anybody could have written: they enter through public doors, as bindings do. */
const guests: readonly string[] = ['src/tabs', 'src/persist', 'src/outbox']
const guestDoors: readonly string[] = [door, 'src/changes/index.ts']

/** Which packages a room may know. */
const packages: ReadonlyArray<readonly [room: RegExp, packages: RegExp]> = [
  [/^src\//, /^(immer|@preact\/signals-core)$/],
  [/^src\/persist$/, /^idb$/],
  [/^bindings\/solid$/, /^solid-js(\/|$)/],
  [/^bindings\/preact$/, /^(preact(\/hooks)?|@preact\/signals)$/],
]

/** Everything in a tree that goes against the floors, a sentence each. */
export function floorFaults(tree: Tree): string[] {
  const graph = new Map<string, string[]>()
  const immer = new Set<string>()
  const faults: string[] = []
  for (const file of sourceFiles(tree)) {
    const room = roomOf(file)
    if (floors[room] === undefined) faults.push(`${file} stands in no room; the rooms are listed in test/house/floors.ts.`)
    const imports = importsOf(tree, file)
    graph.set(file, imports.flatMap((each) => each.file ?? []))
    for (const { specifier, file: target, typeOnly } of imports) {
      if (specifier === 'immer' && !typeOnly) immer.add(file)
      const fault = target === undefined ? packageFault(room, specifier) : floorFault(room, target)
      if (fault) faults.push(`${file} imports ${target ?? specifier}: ${fault}.`)
    }
  }
  if (immer.size > 1) faults.push(`Immer lives in one file, but is imported by ${[...immer].join(', ')}.`)
  return [...faults, ...cycles(graph)]
}

function roomOf(file: string): string {
  return file === door ? file : file.split('/').slice(0, 2).join('/')
}

function packageFault(room: string, specifier: string): string | undefined {
  const allowed = packages.some(([rooms, names]) => rooms.test(room) && names.test(specifier))
  return allowed ? undefined : `${room} may not know this package`
}

function floorFault(room: string, target: string): string | undefined {
  const other = roomOf(target)
  if (other === room) return undefined
  if (guests.includes(room)) return guestDoors.includes(target) ? undefined : `it enters through ${guestDoors.join(' and ')}`
  if (room.startsWith('bindings/')) return bindingDoors.includes(target) ? undefined : `bindings enter through ${bindingDoors.join(' and ')}`
  if (room === door && ownDoors.includes(other)) return 'it has a door of its own'
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
