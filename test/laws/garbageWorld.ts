import { effect } from '@preact/signals-core'
import { All, Collection, Controller, createResource, Endpoint, Entity, exportState, Lazy, Query, Union, Values, type AnyEndpoint, type FetchAction, type Fields, type Manager, type Snap, type Stamp, type State } from '../../src/index.ts'
import { createHistory, type History } from '../../src/history/index.ts'
import { createClock, type HandClock } from '../../src/testing/index.ts'

export const AFTER = 30
export const EVERY = 10
/** A pass that finds the store busy is tried again after this long. */
export const BUSY = 1000

export class B extends Entity {
  id = ''
  type = 'b'
  name = ''
  static override key = 'B'
  static override indexes = ['name']
}

export class C extends Entity {
  id = ''
  type = 'c'
  b: B | undefined = undefined
  static override key = 'C'
  static override schema: Fields = { b: B }
}

export const either: Union = new Union({ b: B, c: C }, 'type')
const owned = new Collection([C], { nestKey: ({ id }: { id: string }) => ({ a: id }) })

export class A extends Entity {
  id = ''
  n = 0
  next: A | undefined = undefined
  others: A[] = []
  b: B | undefined = undefined
  lazy: string[] = []
  item: B | C | undefined = undefined
  by: { [name: string]: B } = {}
  own: C[] = []
  static override key = 'A'
  static override schema: Fields = {}
}
A.schema = { next: A, others: [A], b: B, lazy: new Lazy([B]), item: either, by: new Values(B), own: owned }

const resource = createResource({ path: '/as/:id', schema: A, searchParams: {} as { q: string }, paginationField: 'page' })
export const list: unknown = resource.getList.schema
export const count: unknown = new Query(new All(B), (all: readonly B[]) => all.length)

type Args = { readonly q: string; readonly page?: number }
const never = (): Promise<never> => new Promise(() => {})
const endpoint = (name: string, schema: unknown): AnyEndpoint => new Endpoint(never as (args: Args) => Promise<never>, { name, schema, key: ({ q }: Args) => `${name} ${q}` }) as unknown as AnyEndpoint

/** Reads, by the shape of their answers. */
export const reads = {
  one: endpoint('one', A),
  list: resource.getList as unknown as AnyEndpoint,
  page: resource.getList.getPage as unknown as AnyEndpoint,
  both: endpoint('both', { a: A, bs: [B] }),
  all: endpoint('all', new All(B)),
  items: endpoint('items', [either]),
  raw: endpoint('raw', undefined),
} as const
export type Shape = keyof typeof reads

export const push: AnyEndpoint = resource.getList.push as unknown as AnyEndpoint
const save = new Endpoint(never as (params: { id: string }, body: { n: number }) => Promise<never>, {
  name: 'save',
  schema: A,
  sideEffect: true,
  getOptimisticResponse: (snap: Snap, { id }: { id: string }, { n }: { n: number }) => ({ id, n: (snap.get(A, { id })?.n ?? 0) + n }),
}) as unknown as AnyEndpoint

/** The arguments of a read. */
export const argsOf = (shape: Shape, q: string): Args => (shape === 'page' ? { q, page: 2 } : { q })
export const keyOf = (shape: Shape, q: string): string => reads[shape].key(argsOf(shape, q))
export const SHAPES: readonly Shape[] = Object.keys(reads) as Shape[]
export const QS: readonly string[] = ['x', 'y']

/** Results by name: what they are results of. */
const shapeOfResult: ReadonlyMap<string, readonly [Shape, string]> = new Map(SHAPES.flatMap(shape => QS.map(q => [`= ${keyOf(shape, q)}`, [shape, q]] as const)))

/** Somebody who reads. */
export interface Reading {
  /** What the model calls it. */
  readonly roots: () => readonly string[]
  readonly read: () => unknown
  /** How often it ran, and what it saw last. */
  readonly seen: { runs: number; last: unknown }
  readonly stop: () => void
}

/** A controller whose requests are answered by hand. */
export class World {
  readonly clock: HandClock = createClock(1_700_000_000_000)
  readonly errors: unknown[] = []
  readonly sent: FetchAction[] = []
  readonly controller: Controller
  readonly history: History

  constructor(maxEntities: number) {
    const manager: Manager = {
      action: action => {
        if (action.type !== 'fetch') return false
        void action.args
        this.sent.push(action)
        return true
      },
    }
    this.controller = new Controller({ clock: this.clock, managers: [manager], gc: { after: AFTER, every: EVERY, maxEntities }, revalidateOverlap: false, onError: error => void this.errors.push(error) })
    this.history = createHistory(this.controller)
  }

  get state(): State {
    return this.controller.snapshot()
  }

  respond(shape: Shape, q: string, value: unknown, lasts: number): void {
    this.controller.setResponse(lasting(reads[shape], lasts), ...([argsOf(shape, q), value] as never))
  }

  /** Sends a read; undefined when one is in flight already. */
  begin(shape: Shape, q: string, lasts: number): FetchAction | undefined {
    const known = this.sent.length
    void this.controller.fetch(lasting(reads[shape], lasts), argsOf(shape, q) as never).catch(() => {})
    return this.sent[known]
  }

  call(id: string, n: number): FetchAction | undefined {
    const known = this.sent.length
    void this.controller.fetch(save, { id } as never, { n } as never).catch(() => {})
    return this.sent[known]
  }

  watch(roots: () => readonly string[], read: () => unknown): Reading {
    const seen = { runs: 0, last: undefined as unknown }
    const stop = effect(() => {
      seen.runs++
      seen.last = read()
    })
    return { roots, read, seen, stop }
  }
}

const lastings = new Map<string, AnyEndpoint>()
/** One endpoint for each lifetime: an endpoint made for each answer would be another endpoint. */
function lasting(endpoint: AnyEndpoint, dataExpiryLength: number): AnyEndpoint {
  const name = `${endpoint.name} ${dataExpiryLength}`
  const known = lastings.get(name) ?? (endpoint as unknown as Endpoint).extend({ dataExpiryLength }) as unknown as AnyEndpoint
  lastings.set(name, known)
  return known
}

export interface Thing {
  /** The record, the members or the result; null where a row was deleted. */
  readonly value: unknown
  readonly stamp: Stamp | null
}

/** Everything in a state by name, in order of arrival. */
export function documentOf(state: State): Map<string, Thing> {
  const { entities, endpoints } = exportState(state)
  const all = new Map<string, Thing>()
  for (const [key, rows] of entities) for (const [pk, value, stamp] of rows) all.set(`${key} ${pk}`, { value, stamp })
  for (const [key, value] of endpoints) all.set(`= ${key}`, { value, stamp: null })
  return all
}

/** What a thing shows directly. Written down from the shapes above, and asked of no schema. */
function visibleIn(name: string, document: ReadonlyMap<string, Thing>, hasPage: (q: string) => boolean): string[] {
  const value = document.get(name)?.value
  if (name === '*B') return [...document].filter(([each, row]) => each.startsWith('B ') && row.value !== null).map(([each]) => each)
  const [shape, q = ''] = shapeOfResult.get(name) ?? []
  // A list keeps the pages that were appended to it.
  const pages = shape === 'list' && hasPage(q) ? [`= ${keyOf('page', q)}`] : []
  if (value === undefined || value === null) return pages
  const many = (key: string, pks: unknown): string[] => Object.values(pks ?? {}).map(pk => `${key} ${pk as string}`)
  const one = (key: string, pk: unknown): string[] => (pk === undefined || pk === null ? [] : [`${key} ${pk as string}`])
  const variant = (stored: unknown): string[] => {
    const { id, schema } = stored as { id: string; schema: string }
    return one(schema === 'b' ? 'B' : 'C', id)
  }
  const fields = value as Fields
  if (name.startsWith('A ')) {
    const { next, others, b, lazy, item, by, own } = fields
    return [...one('A', next), ...many('A', others), ...one('B', b), ...many('B', lazy), ...(item ? variant(item) : []), ...many('B', by), ...one('[C]', own)]
  }
  if (name.startsWith('C ')) return one('B', fields['b'])
  if (name.startsWith('[A] ')) return many('A', value)
  if (name.startsWith('[C] ')) return many('C', value)
  if (shape === 'one') return one('A', value)
  if (shape === 'list') return [...one('[A]', value), ...pages]
  if (shape === 'page') return many('A', value)
  if (shape === 'both') return [...one('A', fields['a']), ...many('B', fields['bs'])]
  if (shape === 'items') return (value as unknown[]).flatMap(variant)
  return shape === 'all' ? ['*B'] : []
}

/** All that is shown by `roots`, themselves included. */
export function closure(roots: Iterable<string>, document: ReadonlyMap<string, Thing>, hasPage: (q: string) => boolean = () => true): Set<string> {
  const reached = new Set(roots)
  for (const name of reached) for (const each of visibleIn(name, document, hasPage)) reached.add(each)
  return reached
}

/** The first B, in order of arrival, with this name. */
export function named(name: string, document: ReadonlyMap<string, Thing>): string[] {
  for (const [each, { value }] of document) if (each.startsWith('B ') && (value as Fields | null)?.['name'] === name) return [each]
  return []
}
