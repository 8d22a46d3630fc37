import { effect } from '@preact/signals-core'
import { All, Collection, Endpoint, Entity, exportState, Lazy, Query } from '../../../src/index.ts'
import type { AnyEndpoint, Fields, State } from '../../../src/index.ts'
import { reportUncaught } from '../../../src/base/report.ts'
import { createFreshness } from '../../../src/controller/freshness.ts'
import type { Reader } from '../../../src/controller/follower.ts'
import { heapOf } from '../../../src/controller/heap.ts'
import { sweep } from '../../../src/managers/sweep.ts'
import { createTimeline, type Mutation, type Place } from '../../../src/order/timeline.ts'
import { createStore } from '../../../src/store/store.ts'
import { createClock } from '../../../src/testing/index.ts'
import { createViewGraph } from '../../../src/view/graph.ts'
import { snapOfState } from '../order/snapOfState.ts'
import { liveViews } from '../view/liveViews.ts'

export class B extends Entity {
  id = ''
  name = ''
  static override key = 'B'
  static override indexes = ['name']
}

export class A extends Entity {
  id = ''
  n = 0
  next: A | undefined = undefined
  others: A[] = []
  b: B | undefined = undefined
  lazy: string[] = []
  static override key = 'A'
  static override schema: Fields = {}
}
A.schema = { next: A, others: [A], b: B, lazy: new Lazy([B]) }

export const list = new Collection([A])
export const everyB = new All(B)
export const count = new Query(everyB, (all: readonly B[]) => all.length)

const never = (): Promise<never> => new Promise(() => {})
const endpoint = (name: string, schema: unknown): AnyEndpoint =>
  new Endpoint(never as (args?: { q: string }) => Promise<never>, { name, schema, key: (args?: { q: string }) => `${name} ${args?.q ?? ''}` }) as unknown as AnyEndpoint

/** Endpoints by the shape of what they answer. */
export const endpoints = {
  one: endpoint('one', A),
  list: endpoint('list', list),
  both: endpoint('both', { a: A, bs: [B] }),
  all: endpoint('all', everyB),
} as const
export type Shape = keyof typeof endpoints

const save = new Endpoint(never as (args: { id: string; n: number }) => Promise<never>, {
  name: 'save',
  schema: A,
  sideEffect: true,
  getOptimisticResponse: (_snap: unknown, args: { id: string; n: number }) => args,
}) as unknown as AnyEndpoint

/** Somebody who reads; `what` is what the model calls it. */
export interface Reading {
  readonly what: string
  readonly read: () => unknown
  /** Where what is read can be made anew from it. */
  readonly schema: unknown
  readonly stop: () => void
}

/** A store with all that collection has to know of, and no timers: whoever tests says when a step is done. */
export class World {
  readonly clock = createClock()
  readonly store = createStore()
  readonly timeline = createTimeline(this.store, this.clock, snapOfState, reportUncaught)
  readonly freshness = createFreshness()
  readonly errors: unknown[] = []
  readonly graph = createViewGraph(this.store, error => this.errors.push(error))
  readonly live = liveViews(this.store, error => this.errors.push(error))
  readonly readers = new Set<Reader>([this.graph, this.live.reader])
  readonly #heap = heapOf({ store: this.store, freshness: this.freshness, followers: this.readers, together: work => work() }, this.timeline, [])

  sweep(after: number, limit: number): Generator<undefined, void, undefined> {
    return sweep(this.#heap, this.clock.now(), after, limit)
  }

  respond(shape: Shape, q: string, value: unknown, ttl: number): void {
    const args = [{ q }]
    const key = `${shape} ${q}`
    const expiresAt = this.clock.now() + ttl
    this.timeline.receive({ schema: endpoints[shape].schema, value, args, key, expiresAt }, { cause: 'setResponse' })
    this.#answered(shape, key, args, this.place(), expiresAt)
  }

  begin(shape: Shape, q: string): Place {
    this.freshness.fetching(`${shape} ${q}`, 1)
    return this.timeline.begin()
  }

  /** Without a value the read leaves. */
  end(place: Place, shape: Shape, q: string, value: unknown, ttl: number): void {
    const args = [{ q }]
    const key = `${shape} ${q}`
    const expiresAt = this.clock.now() + ttl
    if (value === undefined) this.timeline.leave(place)
    else {
      this.timeline.land(place, { schema: endpoints[shape].schema, value, args, key, expiresAt }, { cause: 'fetch' })
      this.#answered(shape, key, args, place, expiresAt)
    }
    this.freshness.fetching(key, -1)
  }

  write(schema: unknown, value: unknown): void {
    this.timeline.receive({ schema, value, args: [], key: undefined, expiresAt: 0 }, { cause: 'set' })
  }

  call(id: string, n: number): Mutation {
    return this.timeline.call(save, [{ id, n }])
  }

  /** Without a value the call fails. */
  settle(mutation: Mutation, value: unknown): void {
    if (value === undefined) this.timeline.fail(mutation, { cause: 'fail' })
    else this.timeline.settle(mutation, { schema: A, value, args: mutation.args, key: undefined, expiresAt: 0 }, { cause: 'fetch' })
  }

  read(what: string, read: () => unknown, schema?: unknown): Reading {
    return { what, read, schema, stop: effect(() => void read()) }
  }

  place(): Place {
    const place = this.timeline.begin()
    this.timeline.leave(place)
    return place
  }

  #answered(shape: Shape, key: string, args: readonly unknown[], place: Place, expiresAt: number): void {
    this.freshness.answered(key, place, expiresAt, endpoints[shape], args)
  }
}

/** Everything in a state by name: rows (`null` where one was deleted) and results. */
export function documentOf(state: State): Map<string, unknown> {
  const { entities, endpoints } = exportState(state)
  const all = new Map<string, unknown>()
  for (const [key, rows] of entities) for (const [pk, record] of rows) all.set(`${key} ${pk}`, record)
  for (const [key, result] of endpoints) all.set(`= ${key}`, result)
  return all
}

/** What a thing shows directly, by name. Written down from the shapes above, and not asked of any schema. */
export function shownBy(name: string, document: ReadonlyMap<string, unknown>): string[] {
  const value = document.get(name)
  if (name === '*B') return [...document].filter(([each, row]) => each.startsWith('B ') && row !== null).map(([each]) => each)
  if (value === undefined || value === null) return []
  const many = (key: string, pks: unknown): string[] => ((pks as string[] | undefined) ?? []).map(pk => `${key} ${pk}`)
  const one = (key: string, pk: unknown): string[] => (pk === undefined || pk === null ? [] : [`${key} ${pk as string}`])
  if (name.startsWith('A ')) {
    const { next, others, b, lazy } = value as Fields
    return [...one('A', next), ...many('A', others), ...one('B', b), ...many('B', lazy)]
  }
  if (name.startsWith('[A] ')) return many('A', value)
  if (name.startsWith('= one ')) return one('A', value)
  if (name.startsWith('= list ')) return one('[A]', value)
  if (name.startsWith('= both ')) return [...one('A', (value as Fields)['a']), ...many('B', (value as Fields)['bs'])]
  return name.startsWith('= all ') ? ['*B'] : []
}

/** All that is shown by `roots`, themselves included. */
export function closure(roots: Iterable<string>, document: ReadonlyMap<string, unknown>): Set<string> {
  const seen = new Set(roots)
  for (const name of seen) for (const each of shownBy(name, document)) seen.add(each)
  return seen
}
