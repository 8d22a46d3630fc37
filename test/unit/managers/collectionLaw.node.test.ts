import * as fc from 'fast-check'
import { isDeepStrictEqual } from 'node:util'
import { suite } from 'uvu'
import { denormalize, type State } from '../../../src/index.ts'
import { lookup } from '../../../src/store/lookup.ts'
import { readResult, readRow } from '../../../src/store/state.ts'
import type { Mutation, Place } from '../../../src/order/timeline.ts'
import { broken, quietly, runs } from '../../support/settings.ts'
import { Tape, tapes } from '../../support/tape.ts'
import { A, B, closure, count, documentOf, endpoints, list, World, type Reading, type Shape } from './collectionWorld.ts'

const test = suite('collection: histories')

const AFTER = 30
const PKS = ['0', '1', '2', '3', '4', '__proto__']
const NAMES = ['x', 'y']
const SHAPES = Object.keys(endpoints) as Shape[]

interface Flight {
  readonly place: Place
  readonly shape: Shape
  readonly q: string
  /** What was written above it since it began. */
  readonly written: Set<string>
}

interface Pending {
  readonly mutation: Mutation
  readonly pk: string
}

const isB = (name: string): boolean => name.startsWith('B ')

const seen = { runs: 0, sweeps: 0, interrupted: 0, removed: 0, kept: 0, snapshots: 0, layers: 0, flights: 0, refilled: 0, limited: 0 }

/** A world, and a model of it that knows only times, readers, and what things show. */
class History {
  readonly #tape: Tape
  readonly #world = new World()
  readonly #readings: Reading[] = []
  /** What was ever held as a live object may be held still, as far as anybody can tell. */
  readonly #everLive = new Set<string>()
  readonly #lives = new Set<Reading>()
  readonly #flights: Flight[] = []
  readonly #calls: Pending[] = []
  readonly #snapshots: { readonly state: State; readonly rows: readonly (readonly [string, unknown])[] }[] = []
  /** When a thing was last written, or found in use. */
  readonly #touched = new Map<string, number>()
  /** The same, as it is known to who looks only now and then; nothing for what is to be noticed when he next looks. */
  readonly #noticed = new Map<string, number>()
  readonly #limit: number
  /** The place of what is being written. */
  #at = Infinity

  constructor(tape: Tape) {
    this.#tape = tape
    this.#limit = tape.chance(15) ? 3 : Infinity
    if (this.#limit < Infinity) seen.limited++
  }

  get #document(): Map<string, unknown> {
    return documentOf(this.#world.store.state)
  }

  async run(): Promise<void> {
    seen.runs++
    for (let steps = 4 + this.#tape.int(26); steps > 0; steps--) await this.#command()
    await this.#end()
    if (this.#world.errors.length > 0) throw this.#world.errors[0]
  }

  async #command(): Promise<void> {
    const tape = this.#tape
    const kind = tape.int(16)
    if (kind < 4) this.#respond()
    else if (kind < 6) this.#write()
    else if (kind < 8) this.#mount()
    else if (kind < 9) this.#unmount()
    else if (kind < 10) this.#flight()
    else if (kind < 11) this.#call()
    else if (kind < 12) this.#hold()
    else if (kind < 13) this.#world.clock.advance(tape.pick([1, 10, 20, 40]))
    else {
      this.#world.clock.advance(tape.pick([0, 20, 40]))
      await this.#sweep(tape.chance(50))
    }
    this.#noteLives()
    await Promise.resolve()
  }

  #value(shape: Shape): unknown {
    const tape = this.#tape
    if (shape === 'one') return this.#a(2)
    if (shape === 'list') return tape.some(PKS).slice(0, 3).map(pk => (tape.chance(50) ? pk : this.#a(1, pk)))
    if (shape === 'both') return { a: this.#a(1), bs: tape.some(PKS).slice(0, 2).map(id => this.#b(id)) }
    return tape.some(PKS).slice(0, 2).map(id => this.#b(id))
  }

  #a(depth: number, id = this.#tape.pick(PKS)): unknown {
    const tape = this.#tape
    this.#note(`A ${id}`)
    return {
      id,
      n: tape.int(3),
      ...(tape.chance(50) && { next: depth > 0 && tape.chance(50) ? this.#a(depth - 1) : tape.pick(PKS) }),
      ...(tape.chance(30) && { others: tape.some(PKS).slice(0, 2) }),
      ...(tape.chance(30) && { b: this.#b(tape.pick(PKS)) }),
      ...(tape.chance(20) && { lazy: [this.#b(tape.pick(PKS))] }),
    }
  }

  #b(id: string): unknown {
    this.#note(`B ${id}`)
    return { id, name: this.#tape.pick(NAMES) }
  }

  #note(name: string): void {
    this.#touched.set(name, this.#world.clock.now())
    this.#noticed.delete(name)
    for (const { place, written } of this.#flights) if (place.fetchedAt < this.#at) written.add(name)
  }

  #respond(): void {
    const shape = this.#tape.pick(SHAPES)
    const q = this.#tape.pick(NAMES)
    const value = this.#value(shape)
    this.#noteResult(shape, q)
    this.#world.respond(shape, q, value, this.#tape.pick([0, 20]))
  }

  #noteResult(shape: Shape, q: string): void {
    this.#note(`= ${shape} ${q}`)
    if (shape === 'list') this.#note(`[A] {"q":"${q}"}`)
  }

  #write(): void {
    const tape = this.#tape
    const pk = tape.pick(PKS)
    if (tape.chance(20)) {
      this.#note(`B ${pk}`)
      this.#world.timeline.apply({ patches: [{ op: 'remove', path: ['entities', 'B', pk] }], stamps: [] }, { cause: 'applyPatches' })
    } else this.#world.write(A, this.#a(1, pk))
  }

  #mount(): void {
    const tape = this.#tape
    const world = this.#world
    const { graph, live } = world
    const pk = tape.pick(PKS)
    const q = tape.pick(NAMES)
    const shape = tape.pick(SHAPES)
    const found = (): string | undefined => lookup(world.store.state, 'B', 'name', q)?.pk
    const choices: (() => Reading)[] = [
      () => world.read(`A ${pk}`, () => graph.query(A, [{ id: pk }]), A),
      () => world.read(`= ${shape} ${q}`, () => graph.result(endpoints[shape].schema, `${shape} ${q}`, [{ q }]), endpoints[shape].schema),
      () => world.read(`[A] {"q":"${q}"}`, () => graph.query(list, [{ q }]), list),
      () => world.read('*B', () => graph.query(count, [])),
      () => ({ ...world.read('', () => graph.query(B, [{ name: q }])), get what() { return `B ${found() ?? ''}` } }),
      () => this.#lived(world.read(`A ${pk}`, () => live.query(A, [{ id: pk }]))),
      () => this.#lived(world.read(`[A] {"q":"${q}"}`, () => (live.query(list, [{ q }]) as unknown[] | undefined)?.length)),
      () => this.#lived(world.read('*B', () => live.query(count, []))),
      () => this.#lived(world.read(`= ${shape} ${q}`, () => live.result(endpoints[shape].schema, `${shape} ${q}`, [{ q }]))),
    ]
    this.#readings.push(tape.pick(choices)())
  }

  #lived(reading: Reading): Reading {
    this.#everLive.add(reading.what)
    this.#lives.add(reading)
    return reading
  }

  #unmount(): void {
    const [reading] = this.#readings.splice(this.#tape.int(this.#readings.length || 1), 1)
    if (reading === undefined) return
    // When somebody lets go of a live object, only the engine knows.
    if (!this.#lives.has(reading)) this.#use([reading.what])
    reading.stop()
  }

  #flight(): void {
    const tape = this.#tape
    if (this.#flights.length > 0 && tape.chance(60)) {
      const [{ place, shape, q, written }] = this.#flights.splice(tape.int(this.#flights.length), 1) as [Flight]
      for (const name of written) this.#noticed.delete(name)
      this.#at = place.fetchedAt
      const value = tape.chance(70) ? this.#value(shape) : undefined
      if (value !== undefined) this.#noteResult(shape, q)
      this.#at = Infinity
      return this.#world.end(place, shape, q, value, tape.pick([0, 20]))
    }
    const shape = tape.pick(SHAPES)
    const q = tape.pick(NAMES)
    seen.flights++
    this.#flights.push({ place: this.#world.begin(shape, q), shape, q, written: new Set() })
  }

  #call(): void {
    const tape = this.#tape
    if (this.#calls.length > 0 && tape.chance(60)) {
      const [{ mutation, pk }] = this.#calls.splice(tape.int(this.#calls.length), 1) as [Pending]
      this.#noticed.delete(`A ${pk}`)
      return this.#world.settle(mutation, tape.chance(60) ? this.#a(1, pk) : undefined)
    }
    const pk = tape.pick(PKS)
    seen.layers++
    this.#touched.set(`A ${pk}`, this.#world.clock.now())
    this.#noticed.delete(`A ${pk}`)
    this.#calls.push({ mutation: this.#world.call(pk, 9), pk })
  }

  #hold(): void {
    const { state } = this.#world.store
    seen.snapshots++
    this.#snapshots.push({ state, rows: [...documentOf(state)] })
  }

  /** What somebody reads, holds or has under way. */
  #inUse(): string[] {
    return [
      ...this.#readings.map(({ what }) => what),
      ...this.#flights.flatMap(({ shape, q, written }) => [`= ${shape} ${q}`, ...written]),
      ...this.#calls.map(({ pk }) => `A ${pk}`),
    ]
  }

  /** These are of use now. */
  #use(names: readonly string[]): void {
    for (const name of closure(names, this.#document)) this.#touched.set(name, this.#world.clock.now())
  }

  #must(): Set<string> {
    const now = this.#world.clock.now()
    const roots = this.#inUse()
    if (this.#limit === Infinity) {
      for (const [name, time] of this.#touched) if (now < Math.max(time, this.#expiry(name)) + AFTER) roots.push(name)
    }
    return closure(roots, this.#document)
  }

  /** What has a live object now may have one until the engine takes it; what is in use will be noticed as that. */
  #noteLives(): void {
    for (const name of this.#shown(this.#inUse())) this.#noticed.delete(name)
    const lives = this.#readings.filter(reading => this.#lives.has(reading)).map(({ what }) => what)
    for (const name of closure(lives, this.#document)) this.#everLive.add(name)
  }

  #may(): Set<string> {
    const now = this.#world.clock.now()
    const roots = [...this.#inUse(), ...this.#everLive]
    // A result that is read was answered by an endpoint, which shows it too.
    for (const [name, time] of this.#noticed) if (now < Math.max(time, this.#expiry(name)) + AFTER) roots.push(name)
    return closure(roots, this.#document)
  }

  /** What these show. That a type is known of which there is nothing any more is said by one that was deleted: by which is not said. */
  #shown(names: readonly string[]): Set<string> {
    const document = this.#document
    const shown = closure(names, document)
    if (shown.has('*B')) for (const name of document.keys()) if (isB(name)) shown.add(name)
    return shown
  }

  #expiry(name: string): number {
    return name.startsWith('= ') ? this.#world.freshness.get(name.slice(2)).expiresAt : 0
  }

  /** Each step takes away nothing that is needed just then; a whole sweep leaves nothing that is not. */
  async #sweep(interrupted: boolean): Promise<void> {
    seen.sweeps++
    const world = this.#world
    const now = world.clock.now()
    const steps = world.sweep(AFTER, this.#limit)
    let commands = 0
    for (;;) {
      const before = this.#document
      const must = this.#must()
      const done = steps.next().done === true
      const after = this.#document
      for (const name of before.keys()) {
        if (after.has(name)) continue
        seen.removed++
        if (must.has(name)) broken('something that is needed was collected', name, [...before], [...must])
      }
      // A type of which all are deleted is known, and empty.
      if (must.has('*B') && [...before.keys()].some(isB) && ![...after.keys()].some(isB)) broken('a type that is shown was forgotten')
      if (done) break
      if (!interrupted || !this.#tape.chance(50)) continue
      commands++
      const kind = this.#tape.int(5)
      if (kind < 1) this.#respond()
      else if (kind < 2) this.#write()
      else if (kind < 4) this.#mount()
      else this.#unmount()
      this.#noteLives()
      await Promise.resolve()
    }
    if (commands > 0) {
      seen.interrupted++
      this.#noticed.clear()
      return this.#consistent()
    }
    const document = this.#document
    this.#use(this.#inUse())
    for (const name of document.keys()) if (!this.#noticed.has(name)) this.#noticed.set(name, now)
    for (const name of this.#shown([...this.#inUse(), ...this.#everLive])) this.#noticed.set(name, now)
    if (this.#limit === Infinity) {
      const may = this.#may()
      for (const name of document.keys()) {
        if (isB(name) && may.has('*B')) continue
        seen.kept++
        if (!may.has(name)) broken('something that nobody needs was kept', name, [...document], [...may])
      }
    }
    this.#consistent()
  }

  /** Indexes find what a scan finds; what is shown is what a fresh look shows. */
  #consistent(): void {
    const { state } = this.#world.store
    const document = this.#document
    for (const name of NAMES) {
      const pk = lookup(state, 'B', 'name', name)?.pk
      const scan = [...document].filter(([key, row]) => key.startsWith('B ') && (row as B | null)?.name === name).map(([key]) => key.slice(2))
      if (pk === undefined ? scan.length > 0 : !scan.includes(pk)) broken('the index differs from a scan', pk, scan)
    }
    this.#consistentSnapshots()
    for (const { what, read, schema } of this.#readings) {
      if (schema === undefined) continue
      const [key, pk] = [what.slice(0, what.indexOf(' ')), what.slice(what.indexOf(' ') + 1)]
      const stored = key === '=' ? readResult(state, pk) : readRow(state, key, pk) && pk
      if (!isDeepStrictEqual(read(), denormalize(schema, stored, state))) broken('a view differs from a fresh look', what)
    }
  }

  /** When all is settled and nobody reads, everything goes. */
  async #end(): Promise<void> {
    const world = this.#world
    for (const { place, shape, q } of this.#flights.splice(0)) world.end(place, shape, q, undefined, 0)
    for (const { mutation } of this.#calls.splice(0)) world.settle(mutation, undefined)
    for (const { stop } of this.#readings.splice(0)) stop()
    this.#consistent()
    await Promise.resolve()
    // Live objects are gone when the engine says so.
    world.readers.clear()
    for (let rounds = 0; rounds < 2; rounds++) {
      for (const _ of world.sweep(AFTER, Infinity)) void _
      world.clock.advance(20 + AFTER)
    }
    for (const _ of world.sweep(AFTER, Infinity)) void _
    if (this.#document.size > 0) broken('something is left', [...this.#document])
    const keys = [...world.freshness.keys()]
    if (keys.length > 0) broken('a status is left', keys)
    const { stamps, entities, endpoints: results } = world.store.state
    const vectors = [...stamps.tables, ...entities.tables.flatMap(rows => rows && [rows.records, rows.late]), results.records, results.late]
    for (const vector of vectors) vector?.forEach((_, value) => broken('something is left in a vector', value))
    const before = this.#document
    // What comes again is new, and is found.
    world.write(A, { id: '0', n: 5 })
    if (!isDeepStrictEqual([...this.#document.keys()], ['A 0']) || before.size > 0) broken('what came again is not what is there', [...this.#document])
    seen.refilled++
    this.#consistentSnapshots()
  }

  #consistentSnapshots(): void {
    for (const { state, rows } of this.#snapshots) {
      const now = documentOf(state)
      if (now.size !== rows.length) broken('a snapshot that is held has changed', rows, [...now])
      for (const [name, row] of rows) {
        const [key, pk] = [name.slice(0, name.indexOf(' ')), name.slice(name.indexOf(' ') + 1)]
        const found = key === '=' ? readResult(state, pk) : (readRow(state, key, pk) ?? null)
        if (now.get(name) !== row || found !== row) broken('a snapshot that is held has changed', name)
        if (!Object.isFrozen(row)) broken('a row of a snapshot is not frozen', name)
      }
    }
  }
}

test('INV-30 INV-31 INV-32 Nothing that is needed goes, nothing else stays, and no snapshot changes', async () => {
  const path = process.env['REPLAY']
  const seed = process.env['SEED'] === 'fresh' ? Date.now() | 0 : Number(process.env['SEED'] ?? 31)
  const details = await quietly(() =>
    fc.check(fc.asyncProperty(tapes(400), bytes => new History(new Tape(bytes)).run()), { numRuns: runs(5_000), seed, endOnFailure: process.env['NOSHRINK'] !== undefined, ...(path && { path }) }),
  )
  if (details.failed) {
    const cause = details.errorInstance as Error
    throw new Error(`broken after ${details.numRuns} runs. Again with SEED=${details.seed} REPLAY=${details.counterexamplePath ?? ''}\n${cause.message}`, { cause })
  }
  const { runs: histories, ...met } = seen
  console.log(`\n  INV-30: ${histories} histories: ${Object.entries(met).map(([what, times]) => `${times} ${what}`).join(', ')}`)
})

test.run()
