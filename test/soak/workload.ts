import { effect } from '@preact/signals-core'
import { historyOf, type History } from '../../src/history/index.ts'
import { Controller, createResource, dehydrate, Entity, exportState, schema, subscribe } from '../../src/index.ts'
import { createClock, type HandClock } from '../../src/testing/index.ts'

class User extends Entity {
  static override key = 'User'
  static override indexes = ['name']
  id = 0
  name = ''
}

class Todo extends Entity {
  static override key = 'Todo'
  static override schema = { owner: User }
  id = 0
  title = ''
  done = false
  owner: User | undefined = undefined
}

const Todos = createResource({ path: '/todos/:id', schema: Todo, searchParams: {} as { q?: number }, optimistic: true, pollFrequency: 5_000 })
const remaining = new schema.Query(Todos.getList.schema, (todos: readonly Todo[]) => todos.filter(todo => !todo.done).length)

/** What is left of a store that everybody has left. */
export interface Residue {
  /** Entities and lists, deleted ones included. */
  readonly rows: number
  readonly results: number
  /** Endpoint keys whose freshness is still known. */
  readonly statuses: number
  readonly timers: number
}

const PAGE = 20
const HOT = 500

/** An application that never rests: pages come and go, requests fail, are aborted and overtake each other, somebody logs out. */
export class Workload {
  readonly clock: HandClock = createClock(1_700_000_000_000)
  readonly controller: Controller
  readonly errors: unknown[] = []
  operations = 0
  /** The most entities that were there at once. */
  peak = 0
  readonly #history: History
  readonly #random: () => number
  readonly #mounted: (() => void)[] = []
  readonly #polls: (() => void)[] = []
  readonly #inFlight = new Set<Promise<unknown>>()
  /** Grows, so that most of what is asked for was never asked for before. */
  #next = HOT

  constructor(seed: number) {
    this.#random = randomFrom(seed)
    this.controller = new Controller({
      clock: this.clock,
      fetch: (input, init) => this.#answer(String(input), init),
      retry: false,
      gc: { after: 30_000, every: 10_000 },
      onError: error => void this.errors.push(error),
    })
    this.#history = historyOf(this.controller)
  }

  /** One operation, and a little time. */
  async step(): Promise<void> {
    this.operations++
    this.#operate()
    this.clock.advance(50)
    // Some requests overlap, most do not.
    if (this.#inFlight.size > 4 || this.#chance(0.5)) await this.#settled()
  }

  /** Everybody leaves, and time passes until nothing is needed any more. */
  async drain(): Promise<Residue> {
    this.peak = Math.max(this.peak, this.#rows())
    for (const stop of this.#mounted.splice(0)) stop()
    for (const stop of this.#polls.splice(0)) stop()
    await this.#settled()
    this.#history.clear()
    // Results expire after a minute, and go half a minute later; what is retained weakly goes when the engine says so.
    let residue = await this.#pass(2)
    for (let rounds = 0; rounds < 8 && Object.values(residue).some(count => count > 0); rounds++) {
      globalThis.gc?.()
      residue = await this.#pass(1)
    }
    return residue
  }

  async #pass(minutes: number): Promise<Residue> {
    for (let ten = 0; ten < minutes * 6; ten++) {
      this.clock.advance(10_000)
      await tick()
    }
    const { endpoints, freshness } = dehydrate(this.controller)
    return { rows: this.#rows(), results: endpoints.length, statuses: freshness.length, timers: this.clock.pending }
  }

  #rows(): number {
    return exportState(this.controller.snapshot()).entities.reduce((sum, [, rows]) => sum + rows.length, 0)
  }

  #operate(): void {
    const { controller } = this
    const kind = this.#random()
    const id = this.#id()
    if (kind < 0.2) this.#send(controller.fetch(Todos.getList, { q: this.#next }))
    else if (kind < 0.4) this.#send(controller.fetchIfStale(Todos.get, { id }))
    else if (kind < 0.5) this.#send(controller.fetch(Todos.partialUpdate, { id }, { done: this.#chance(0.5) }))
    else if (kind < 0.55) this.#send(controller.fetch(Todos.getList.push, { q: this.#next }, { title: 'new' }))
    else if (kind < 0.58) this.#send(controller.fetch(Todos.delete, { id }))
    else if (kind < 0.62) this.#abort(id)
    else if (kind < 0.72) this.#mount(id)
    else if (kind < 0.83) this.#mounted.splice(this.#int(this.#mounted.length), 1)[0]?.()
    else if (kind < 0.86) controller.invalidate(Todos.get, { id })
    else if (kind < 0.88) controller.expireAll({ testKey: key => key.endsWith('7') })
    else if (kind < 0.92) controller.setResponse(Todos.get, { id }, rowOf(id))
    else if (kind < 0.95) controller.set(User, { id: id + 1_000_000, name: `local ${id}` })
    else if (kind < 0.965) this.#poll()
    else if (kind < 0.98) this.#send(Promise.resolve(this.#history.undo()))
    else if (kind < 0.9995) this.#next += 3
    else controller.reset()
  }

  #abort(id: number): void {
    const { controller } = this
    if (this.#chance(0.5)) {
      const abort = new AbortController()
      this.#send(controller.fetch(Todos.get.extend({ signal: abort.signal }), { id }))
      abort.abort()
    } else {
      this.#send(controller.fetch(Todos.partialUpdate, { id }, { title: 'gone' }))
      controller.abort(Todos.partialUpdate, { id }, { title: 'gone' })
    }
  }

  #poll(): void {
    if (this.#polls.length > 3) this.#polls.shift()!()
    this.#polls.push(subscribe(this.controller, Todos.getList, { q: this.#next }))
  }

  #mount(id: number): void {
    const { controller } = this
    const q = this.#next - this.#int(20)
    const reads: readonly (() => unknown)[] = [
      () => controller.get(Todo, { id })?.owner?.name,
      () => controller.getResponse(Todos.getList, { q }).data?.length,
      () => controller.get(User, { name: `user ${id % 97}` }),
      () => controller.get(remaining, { q }),
      () => controller.live(Todo, { id })?.owner?.name,
      () => controller.live(Todos.getList, { q })?.map(({ title }) => title),
      () => controller.view(Todos.get, { id }).value,
      () => [controller.getError(Todos.get, { id }), controller.isFetching(Todos.get, { id })],
    ]
    const read = reads[this.#int(reads.length)]!
    this.#mounted.push(effect(() => void read()))
    if (this.#mounted.length > 40) this.#mounted.shift()!()
  }

  #id(): number {
    return this.#chance(0.4) ? this.#int(HOT) : this.#next++
  }

  #send(promise: Promise<unknown>): void {
    const settled = (): void => void this.#inFlight.delete(flight)
    const flight = promise.then(settled, settled)
    this.#inFlight.add(flight)
  }

  async #settled(): Promise<void> {
    while (this.#inFlight.size > 0) {
      await tick()
      this.clock.advance(1)
    }
  }

  /** The server: fails now and then. */
  async #answer(url: string, init: RequestInit = {}): Promise<Response> {
    init.signal?.throwIfAborted()
    await undefined
    init.signal?.throwIfAborted()
    if (this.#chance(0.08)) return new Response('no', { status: this.#chance(0.5) ? 500 : 404 })
    if (this.#chance(0.02)) throw new TypeError('network down')
    const id = Number(/\/todos\/(\d+)/.exec(url)?.[1] ?? Number.NaN)
    if (init.method === 'DELETE') return new Response(null, { status: 204 })
    if (init.method === 'POST') return Response.json({ ...rowOf(this.#next++), ...(JSON.parse(String(init.body)) as object) })
    if (init.method === 'PATCH') return Response.json({ ...rowOf(id), ...(JSON.parse(String(init.body)) as object) })
    if (!Number.isNaN(id)) return Response.json(rowOf(id))
    const from = Number(/q=(\d+)/.exec(url)?.[1])
    return Response.json(Array.from({ length: PAGE }, (_, at) => rowOf(at < 5 ? (from + at) % HOT : from * PAGE + at)))
  }

  #int(limit: number): number {
    return Math.floor(this.#random() * limit)
  }

  #chance(share: number): boolean {
    return this.#random() < share
  }
}

const rowOf = (id: number): object => ({ id, title: `todo ${id}`, done: id % 3 === 0, owner: { id: id % 997, name: `user ${id % 97}` } })

const tick = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

/** The same numbers for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}
