import { suite } from 'uvu'
import { Controller, dehydrate, type FetchAction, type Stamp, type State } from '../../src/index.ts'
import { asyncLaw, Coverage } from '../support/asyncLaw.ts'
import { sameView } from '../contract/view/sameView.ts'
import { same } from '../support/same.ts'
import { broken } from '../support/settings.ts'
import { Tape, tapes } from '../support/tape.ts'
import { A, AFTER, argsOf, B, BUSY, closure, count, documentOf, EVERY, keyOf, list, named, push, QS, reads, SHAPES, World, type Reading, type Shape, type Thing } from './garbageWorld.ts'

const test = suite('garbage: histories')

const RESULTS = SHAPES.flatMap(shape => QS.map(q => [shape, q] as const))
const PKS = ['0', '1', '2', '3', '4', '__proto__']

interface Flight {
  readonly request: FetchAction
  /** Undefined for a call. */
  readonly read: readonly [Shape, string] | undefined
  readonly pk: string
  readonly lasts: number
}

interface Snapshot {
  readonly state: State
  readonly document: ReadonlyMap<string, Thing>
}

/**
 * A history, and a model of what is needed: it knows times, readers and what things show, and nothing of cells or views.
 * A pass happens only while the clock is advanced, and nothing else does then: whatever changes meanwhile, a pass did.
 */
class History {
  readonly met = new Set<string>()
  readonly #tape: Tape
  readonly #tell: (message: string) => void
  readonly #limit: number
  readonly #world: World
  readonly #readings: Reading[] = []
  readonly #lives = new Set<Reading>()
  /** Live objects, sources of statuses: only the engine knows when somebody has released them. */
  readonly #everLive = new Set<string>()
  readonly #inFlight: Flight[] = []
  readonly #snapshots: Snapshot[] = []
  /** When a thing was certainly written or used. */
  readonly #touched = new Map<string, number>()
  /** When anything may last have been written or used. */
  readonly #mayTouched = new Map<string, number>()
  #mayAll = 0
  readonly #expiry = new Map<string, number>()
  /** The lists to which a page was certainly appended. */
  readonly #appended = new Set<string>()

  constructor(tape: Tape, tell: (message: string) => void) {
    this.#tape = tape
    this.#tell = tell
    this.#limit = tape.chance(15) ? 3 : Infinity
    if (this.#limit < Infinity) this.met.add('limit')
    this.#world = new World(this.#limit)
  }

  get #document(): Map<string, Thing> {
    return documentOf(this.#world.state)
  }

  get #now(): number {
    return this.#world.clock.now()
  }

  async run(): Promise<void> {
    for (let steps = 4 + this.#tape.int(22); steps > 0; steps--) {
      await this.#command()
      this.#look()
      await undefined
    }
    await this.#end()
    this.#world.controller.dispose()
    if (this.#world.errors.length > 0) throw this.#world.errors[0]
  }

  async #command(): Promise<void> {
    const kind = this.#tape.int(20)
    if (kind < 4) this.#respond()
    else if (kind < 6) this.#write()
    else if (kind < 9) this.#mount()
    else if (kind < 10) this.#unmount()
    else if (kind < 12) this.#peek()
    else if (kind < 13) this.#send()
    else if (kind < 14) await this.#settle()
    else if (kind < 15) this.#hold()
    else if (kind < 16) await this.#undo()
    else this.#advance(this.#tape.pick([1, EVERY, EVERY, 20, 20, 40, 2 * BUSY]))
  }

  // What happens

  #respond(): void {
    const shape = this.#tape.pick(SHAPES)
    const q = this.#tape.pick(QS)
    const lasts = this.#tape.pick([0, 20])
    const value = this.#value(shape, q)
    const hasList = this.#document.has(`= ${keyOf('list', q)}`)
    this.#world.respond(shape, q, value, lasts)
    // Of a page that was asked for while its list was in flight the model says nothing.
    if (shape === 'page' && hasList && this.#inFlight.length === 0) this.#appended.add(q)
    this.#noteResult(shape, q, lasts)
  }

  #noteResult(shape: Shape, q: string, lasts: number): void {
    const name = `= ${keyOf(shape, q)}`
    this.#note(name)
    // An older answer than the newest says nothing about expiry.
    this.#expiry.set(name, this.#now + lasts)
    if (shape === 'list') this.#note(`[A] {"q":"${q}"}`)
    this.#touchCollections()
    this.#tell(`${this.#now} answer ${name}`)
  }

  /** Which lists a page or a creation changes the model does not say. */
  #touchCollections(): void {
    for (const name of this.#document.keys()) if (name.startsWith('[')) this.#mayTouched.set(name, this.#now)
  }

  #value(shape: Shape, q: string): unknown {
    const tape = this.#tape
    const some = (most: number): string[] => tape.some(PKS).slice(0, most)
    if (shape === 'one') return this.#a(2)
    if (shape === 'list' || shape === 'page') return some(3).map(pk => (tape.chance(50) ? pk : { ...this.#a(1, pk), q }))
    if (shape === 'both') return { a: this.#a(1), bs: some(2).map(id => this.#b(id)) }
    if (shape === 'items') return some(2).map(id => (tape.chance(50) ? this.#b(id) : this.#c(id)))
    return shape === 'raw' ? { q } : some(2).map(id => this.#b(id))
  }

  #a(depth: number, id = this.#tape.pick(PKS)): object {
    const tape = this.#tape
    this.#note(`A ${id}`)
    const has = (percent: number): boolean => tape.chance(percent)
    return {
      id,
      n: tape.int(3),
      ...(has(50) && { next: depth > 0 && has(50) ? this.#a(depth - 1) : tape.pick(PKS) }),
      ...(has(30) && { others: tape.some(PKS).slice(0, 2) }),
      ...(has(30) && { b: this.#b(tape.pick(PKS)) }),
      ...(has(20) && { lazy: [this.#b(tape.pick(PKS))] }),
      ...(has(20) && { item: has(50) ? this.#b(tape.pick(PKS)) : this.#c(tape.pick(PKS)) }),
      ...(has(20) && { by: { k: this.#b(tape.pick(PKS)) } }),
      ...(has(20) && this.#own(id)),
    }
  }

  #own(id: string): object {
    this.#note(`[C] ${JSON.stringify({ a: id })}`)
    return { own: [this.#c(this.#tape.pick(PKS))] }
  }

  #b(id: string): object {
    this.#note(`B ${id}`)
    return { id, type: 'b', name: this.#tape.pick(QS) }
  }

  #c(id: string): object {
    this.#note(`C ${id}`)
    return { id, type: 'c', ...(this.#tape.chance(50) && { b: this.#b(this.#tape.pick(PKS)) }) }
  }

  #note(name: string): void {
    this.#touched.set(name, this.#now)
    this.#mayTouched.set(name, this.#now)
  }

  #write(): void {
    const { controller } = this.#world
    const pk = this.#tape.pick(PKS)
    const kind = this.#tape.int(5)
    if (kind === 0) controller.applyPatches(this.#document.get(`B ${pk}`)?.value ? [{ op: 'remove', path: ['entities', 'B', pk] }] : [])
    else if (kind === 1) {
      const q = this.#tape.pick(QS)
      controller.setResponse(push, ...([{ q }, {}, this.#a(1, pk)] as never))
      this.#touchCollections()
    } else if (kind === 2 && this.#document.get(`A ${pk}`)?.value) {
      controller.set(A, { id: pk }, record => void (record.n += 1))
      this.#note(`A ${pk}`)
    } else controller.set(A, this.#a(1, pk))
    // What was written last may have been written above a call, and written again when that ends.
    if (kind === 0) this.#mayTouched.set(`B ${pk}`, this.#now)
    this.#tell(`${this.#now} write ${kind} A ${pk}`)
  }

  #mount(): void {
    const tape = this.#tape
    const world = this.#world
    const { controller } = world
    const id = tape.pick(PKS)
    const q = tape.pick(QS)
    const shape = tape.pick(SHAPES)
    const key = `= ${keyOf(shape, q)}`
    const endpoint = reads[shape]
    const args = argsOf(shape, q) as never
    const status = (): readonly string[] => (shape === 'list' ? [key, `[A] {"q":"${q}"}`] : shape === 'all' ? [key, '*B'] : [key])
    const watch = (roots: readonly string[] | (() => readonly string[]), read: () => unknown): Reading => world.watch(typeof roots === 'function' ? roots : () => roots, read)
    const message: string[] = []
    const choices: (() => Reading)[] = [
      () => (message.push(`A ${id}`), watch([`A ${id}`], () => controller.get(A, { id }))),
      () => (message.push(`list ${q}`), watch([`[A] {"q":"${q}"}`], () => controller.get(list, { q }))),
      () => (message.push('count'), watch(['*B'], () => controller.get(count))),
      () => (message.push(`named ${q}`), watch(() => named(q, this.#document), () => controller.get(B, { name: q }))),
      () => (message.push(`view A ${id}`), watch([`A ${id}`], (view => () => view.value)(controller.view(A, { id })))),
      () => (message.push(`response ${key}`), this.#weakly(watch(status, () => controller.getResponse(endpoint, args).data), status())),
      () => (message.push(`error ${key}`), this.#weakly(watch([key], () => controller.getError(endpoint, args)), [key])),
      () => (message.push(`live A ${id}`), this.#live(watch([`A ${id}`], () => controller.live(A, { id })))),
      () => (message.push(`live list ${q}`), this.#live(watch([`[A] {"q":"${q}"}`], () => controller.live(list, { q })))),
      () => (message.push('live count'), this.#live(watch(['*B'], () => controller.live(count)))),
      () => (message.push(`live response ${key}`), this.#live(watch(status, () => controller.live(endpoint, args)))),
    ]
    this.#readings.push(tape.pick(choices)())
    this.#tell(`${this.#now} mount ${message.join('')}`)
  }

  #weakly(reading: Reading, names: readonly string[]): Reading {
    for (const name of names) this.#everLive.add(name)
    return reading
  }

  #live(reading: Reading): Reading {
    this.#lives.add(reading)
    return this.#weakly(reading, reading.roots())
  }

  #unmount(): void {
    const [reading] = this.#readings.splice(this.#tape.int(this.#readings.length || 1), 1)
    if (reading === undefined) return
    this.#tell(`${this.#now} unmount ${reading.roots().join()}`)
    // Where a live object is released, it was of use when the engine noticed.
    if (!this.#lives.has(reading)) this.#use(reading.roots())
    reading.stop()
    this.met.add('unmounted')
  }

  /** A read outside of an effect is a use too. */
  #peek(): void {
    const known = PKS.filter(pk => this.#document.has(`A ${pk}`))
    const id = this.#tape.pick(known.length > 0 ? known : PKS)
    this.#world.controller.get(A, { id })
    this.#tell(`${this.#now} peek A ${id}`)
    this.#use([`A ${id}`])
  }

  #use(roots: readonly string[]): void {
    for (const name of closure(roots, this.#document, q => this.#appended.has(q))) this.#note(name)
  }

  #send(): void {
    const tape = this.#tape
    if (tape.chance(50)) {
      const [shape, q, lasts] = [tape.pick(SHAPES), tape.pick(QS), tape.pick([0, 20])]
      const request = this.#world.begin(shape, q, lasts)
      if (request) this.#inFlight.push({ request, read: [shape, q], pk: '', lasts })
    } else {
      const pk = tape.pick(PKS)
      const request = this.#world.call(pk, 5)
      if (request) this.#inFlight.push({ request, read: undefined, pk, lasts: 0 })
      // What the user did can be undone; what it showed goes.
      this.#mayAll = this.#now
    }
    this.#tell(`${this.#now} send`)
    this.met.add('in flight')
  }

  async #settle(): Promise<void> {
    if (this.#inFlight.length === 0) return
    const [{ request, read, pk, lasts }] = this.#inFlight.splice(this.#tape.int(this.#inFlight.length), 1) as [Flight]
    this.#tell(`${this.#now} settle ${read?.join(' ') ?? pk}`)
    // An answer may write anew whatever was written above its position.
    this.#mayAll = this.#now
    const known = this.#world.sent.length
    if (this.#tape.chance(30)) request.fail(new Error('lost'))
    else if (read === undefined) request.answer(this.#a(1, pk))
    else {
      request.answer(this.#value(...read))
      this.#noteResult(...read, lasts)
      // What was deleted while it was in flight stays deleted; the model says of rows below nothing.
      for (const name of this.#touched.keys()) if (!this.#document.has(name)) this.#touched.delete(name)
    }
    for (let turn = 0; turn < 10; turn++) await undefined
    // A list that was answered at the same time as one of its pages asks again.
    for (const request of this.#world.sent.slice(known)) {
      const again = RESULTS.find(([shape, q]) => keyOf(shape, q) === request.key)
      this.#inFlight.push({ request, read: again, pk: '0', lasts: request.endpoint.dataExpiryLength })
    }
  }

  #hold(): void {
    this.#snapshots.push({ state: this.#world.state, document: this.#document })
    this.met.add('open snapshot')
  }

  async #undo(): Promise<void> {
    const { history } = this.#world
    if (!history.canUndo.value) return
    this.#tell(`${this.#now} undo`)
    this.met.add('undo')
    const known = this.#world.sent.length
    void (this.#tape.chance(70) ? history.undo() : history.redo()).catch(() => {})
    for (let turn = 0; turn < 20; turn++) await undefined
    // A call that cannot be undone is aborted.
    for (const flight of [...this.#inFlight]) if (flight.request.signal.aborted) this.#inFlight.splice(this.#inFlight.indexOf(flight), 1)
    for (const request of this.#world.sent.splice(known)) this.#inFlight.push({ request, read: undefined, pk: '0', lasts: 0 })
    this.#mayAll = this.#now
  }

  // What must be so

  #roots(): string[] {
    return [...this.#readings.flatMap(({ roots }) => roots()), ...this.#inFlight.flatMap(({ read }) => (read ? [`= ${keyOf(...read)}`] : []))]
  }

  /** Lets time pass, and with it passes of collection. */
  #advance(ms: number): void {
    const { clock, controller } = this.#world
    const before = this.#document
    const isBusy = this.#inFlight.length > 0
    const state = controller.snapshot()
    const seen = this.#readings.map(({ seen }) => ({ ...seen }))
    clock.advance(ms)
    this.#tell(`${this.#now} after ${ms}`)
    const after = this.#document
    for (const q of this.#appended) if (!after.has(`= ${keyOf('list', q)}`)) this.#appended.delete(q)
    if (isBusy) {
      this.met.add('busy pass')
      if (controller.snapshot() !== state) broken('there was a pass while something was open')
      this.#mayAll = this.#now
    }
    const must = this.#must(before)
    for (const [name, { value, stamp }] of before) {
      const left = after.get(name)
      if (left === undefined) {
        this.met.add('removed')
        if (must.has(name)) broken('something that is needed was collected', name, [...before.keys()], [...must])
      } else {
        if (after.size < before.size) this.met.add('retained beside removed')
        if (left.value !== value || !sameStamp(left.stamp, stamp)) broken('a pass has changed something', name, value, left)
      }
    }
    // A type of which all are deleted is known, and empty, to those who read all of it.
    const isKnown = (document: ReadonlyMap<string, Thing>): boolean => [...document.keys()].some(name => name.startsWith('B '))
    if (must.has('*B') && isKnown(before) && !isKnown(after)) broken('a type that is shown was forgotten')
    // Results have no order that anybody sees.
    const order = (document: ReadonlyMap<string, Thing>): string[] => [...document].filter(([name, { value }]) => value !== null && !name.startsWith('= ') && after.has(name)).map(([name]) => name)
    if (!same(order(before), order(after))) broken('a pass has changed an order', order(before), order(after))
    this.#readings.forEach(({ seen: now, read }, i) => {
      if (now.runs !== seen[i]!.runs) broken('a pass has woken a reader', i)
      if (read() !== now.last) broken('a pass has changed what is read')
    })
    const may = this.#may(after)
    if (this.#limit === Infinity) for (const name of after.keys()) if (!may.has(name) && !(name.startsWith('B ') && may.has('*B'))) broken('something that nobody needs was retained', name, [...after.keys()], [...may])
    for (const { state: earlier, document } of this.#snapshots) {
      const now = documentOf(earlier)
      if (now.size !== document.size || [...document].some(([name, { value, stamp }]) => now.get(name)?.value !== value || now.get(name)?.stamp !== stamp)) broken('a snapshot that is retained has changed', [...document], [...now])
    }
  }

  #must(document: ReadonlyMap<string, Thing>): Set<string> {
    const roots = this.#roots()
    if (this.#limit === Infinity) for (const [name, time] of this.#touched) if (this.#now < Math.max(time, (document.has(name) && this.#expiry.get(name)) || 0) + AFTER) roots.push(name)
    return closure(roots, document, q => this.#appended.has(q))
  }

  #may(document: ReadonlyMap<string, Thing>): Set<string> {
    const roots = [...this.#roots(), ...this.#everLive]
    for (const name of document.keys()) {
      const time = Math.max(this.#mayTouched.get(name) ?? 0, this.#mayAll, this.#expiry.get(name) ?? 0)
      if (this.#now < time + this.#delay + AFTER + 2 * EVERY) roots.push(name)
    }
    return closure(roots, document)
  }

  #delay = 0

  /** Readers show what a fresh look shows: whatever moved, they hear of every change. */
  #look(): void {
    const { controller } = this.#world
    if (this.#inFlight.length > 0) this.#delay = BUSY
    // What has a live object now may have it until the engine takes it.
    const lives = this.#readings.filter(reading => this.#lives.has(reading)).flatMap(({ roots }) => roots())
    const document = this.#document
    for (const name of closure(lives, document)) this.#everLive.add(name)
    // In use when a pass looks next.
    for (const name of closure(this.#roots(), document)) this.#mayTouched.set(name, this.#now)
    if ([...document.values()].some(({ value }) => value === null)) this.met.add('deleted')
    if (this.#readings.length === 0) return
    if (this.#lives.size > 0) this.met.add('live')
    this.met.add('mounted')
    for (const { seen, read } of this.#readings) if (read() !== seen.last) broken('a reader was not notified')
    const fresh = new Controller({ initialState: controller.snapshot(), gc: false })
    for (const pk of PKS) if (this.#readings.some(({ roots }) => roots().includes(`A ${pk}`)) && !sameView(fresh.get(A, { id: pk }), controller.get(A, { id: pk }))) broken('a view differs from a fresh look', pk)
    for (const q of QS) {
      if (named(q, document)[0]?.slice(2) !== fresh.get(B, { name: q })?.id) broken('an index differs from a scan', q)
      if (this.#readings.some(({ roots }) => roots().includes(`[A] {"q":"${q}"}`)) && !sameView(fresh.get(list, { q }), controller.get(list, { q }))) broken('a list differs from a fresh look', q)
    }
    for (const { seen, roots } of this.#readings) if (roots()[0] === '*B' && typeof seen.last === 'number' && seen.last !== fresh.get(count)) broken('a count differs from a fresh look', seen.last, fresh.get(count))
    fresh.dispose()
    // The looks above are uses.
    this.#use(this.#readings.flatMap(({ roots }) => roots()))
  }

  /** When all has ended and time has passed, only what live objects may hold is left. */
  async #end(): Promise<void> {
    this.#tell('everything ends')
    while (this.#inFlight.length > 0) await this.#settle()
    this.#look()
    for (const { stop } of this.#readings.splice(0)) stop()
    this.#mayAll = this.#now
    await undefined
    // The first pass may have been put off. Later ones come every few milliseconds, and take what the one before has released.
    for (const ms of [this.#delay + AFTER + 2 * EVERY, AFTER + EVERY, AFTER + EVERY, AFTER + EVERY]) {
      this.#advance(ms)
      await undefined
    }
    const { controller } = this.#world
    if (this.#everLive.size === 0) {
      this.met.add('emptied')
      const { entities, endpoints, freshness } = dehydrate(controller)
      if (entities.length + endpoints.length + freshness.length > 0) broken('something is left', entities, endpoints, freshness)
    }
    controller.set(A, { id: '9', n: 5 })
    if (controller.get(A, { id: '9' })?.n !== 5) broken('what comes next is not there')
  }
}

function sameStamp(a: Stamp | null, b: Stamp | null): boolean {
  return a === b || (a !== null && b !== null && same(a, b))
}

const coverage = new Coverage(['removed', 'retained beside removed', 'mounted', 'unmounted', 'live', 'in flight', 'busy pass', 'open snapshot', 'undo', 'deleted', 'limit', 'emptied'])

asyncLaw(test, 'INV-30 INV-31 INV-32 A pass takes nothing that is needed, leaves nothing else, wakes nobody and changes no snapshot', 5_000, tapes(400), async (bytes, tell) => {
  const history = new History(new Tape(bytes), tell)
  await history.run()
  coverage.add(history.met)
}, () => coverage.finding())

test.run()
