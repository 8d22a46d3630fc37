import type { Commit, Patch, State } from '../../../src/index.ts'
import type { Call } from '../../../src/order/call.ts'
import { createTimeline, type Timeline, type LocalSet, type Mutation, type Place } from '../../../src/order/timeline.ts'
import { cellsOf, rowOf, stampOf } from '../../../src/store/state.ts'
import { createStore, type Store } from '../../../src/store/store.ts'
import { same } from '../../support/same.ts'
import { broken } from '../../support/settings.ts'
import type { Tape } from '../../support/tape.ts'
import { Intent, listPk, Model, updated, DELETED, type Doc, type Fields, type Said } from './model.ts'
import { answerOf, calls, quiet, reads, Todo, todos } from './shop.ts'
import { snapOfState } from '../../unit/order/snapOfState.ts'

interface OpenRead {
  readonly place: Place
  readonly at: number
  readonly name: keyof typeof reads
  readonly args: readonly [Fields]
}

interface OpenCall {
  readonly mutation: Mutation
  readonly intent: Intent
  readonly name: keyof typeof calls
  readonly temporary: string | undefined
}

export type Clockwork = 'frozen' | 'normal' | 'jumping'

/** A timeline and the model, told the same. */
export class World {
  readonly store: Store
  readonly timeline: Timeline
  readonly model = new Model()
  readonly commits: Commit[] = []
  readonly errors: unknown[] = []
  /** What was met; see `coverage.ts`. */
  readonly met = new Set<string>()
  reads: OpenRead[] = []
  calls: OpenCall[] = []
  readonly #past: (() => void)[] = []
  readonly #sets: { handle: LocalSet; by: object; at: number }[] = []
  #tape!: Tape
  readonly #optimistic: boolean
  readonly #clockwork: Clockwork
  #time = 1_700_000_000_000
  #events = 0
  #landed = 0
  readonly #deleted = new Map<string, number>()

  /** Without optimism no call shows anything before it is answered, and nobody can speak of what is not there. */
  constructor(clockwork: Clockwork, optimistic: boolean) {
    this.#optimistic = optimistic
    this.#clockwork = clockwork
    this.store = createStore(undefined, error => this.errors.push(error))
    this.store.subscribe(commit => void this.commits.push(commit))
    const clock = { now: () => 0, date: () => this.#time, after: () => () => {} }
    this.timeline = createTimeline(this.store, clock, snapOfState, error => this.errors.push(error))
  }

  /** One thing happens. `traceless`: nothing that would have to be different without optimism. */
  step(tape: Tape, traceless = false): string {
    this.#tape = tape
    if (this.#clockwork !== 'frozen') this.#time += tape.int(3)
    if (this.#clockwork === 'jumping' && tape.chance(20)) this.#time += tape.chance(50) ? 3_600_000 : -3_600_000
    const what = tape.int(100)
    if (what < 22) return this.#read()
    if (what < 48) return this.#call(traceless)
    if (what < 70) return this.#respond(tape.int(256))
    if (what < 76) return this.#fail()
    if (what < 89) return this.#set(traceless)
    if (what < 93) return this.#foreign()
    if (what < 95) return this.#again()
    if (what < 97) return traceless ? 'nothing' : this.#withdraw()
    // What was collected and comes back may stand elsewhere.
    if (what < 98) return traceless ? 'nothing' : this.#forget()
    return tape.chance(60) ? this.#reset() : 'nothing'
  }

  /** Everything that is under way ends. */
  settle(tape: Tape, look: (told: string) => void): void {
    this.#tape = tape
    while (this.reads.length + this.calls.length > 0) {
      const told = tape.chance(30) ? this.#fail() : this.#respond(tape.int(256))
      look(told === 'nothing' ? this.#fail() : told)
    }
  }

  #todo(id: string, least: Fields = {}): Fields {
    const tape = this.#tape
    const todo: { [field: string]: unknown } = { id, ...least }
    if (tape.chance(50)) todo['title'] = `t${tape.int(3)}`
    if (tape.chance(40)) todo['n'] = tape.int(4)
    if (tape.chance(20)) todo['done'] = tape.chance(50)
    if (tape.chance(40)) todo['group'] = tape.pick(['a', 'b'])
    if (tape.chance(20)) todo['tags'] = tape.some(['x', 'y', 'z'])
    if (tape.chance(30)) todo['owner'] = { id: tape.pick(['o1', 'o2']), log: [`e${++this.#events}`] }
    return todo
  }

  #todos(): Fields[] {
    return this.#tape.some(['1', '2', '3', '4']).map(id => this.#todo(id))
  }

  #id(traceless: boolean): string {
    const pending = this.calls.flatMap(({ temporary }) => temporary ?? [])
    if (!traceless && pending.length > 0 && this.#tape.chance(35)) return this.#tape.pick(pending)
    return this.#tape.pick(['1', '2', '3', '4'])
  }

  #read(): string {
    const tape = this.#tape
    const name = tape.pick(['get', 'list', 'list', 'page', 'more', 'get'] as const)
    const group = tape.pick(['', 'a', 'b'])
    const args = [name === 'get' ? { id: tape.pick(['1', '2', '3', '4']) } : name === 'page' || group === '' ? {} : { group }] as const
    this.reads.push({ place: this.timeline.begin(), at: this.model.next(), name, args })
    if (this.reads.length + this.calls.length > 1) this.met.add('overlap')
    return `read ${name} ${JSON.stringify(args)}`
  }

  #call(traceless: boolean): string {
    const tape = this.#tape
    const name = tape.pick(['put', 'put', 'like', 'like', 'remove', 'push', 'push', 'unshift', 'move'] as const)
    const id = this.#id(traceless)
    const { id: _, ...fields } = this.#todo('')
    const body: { [field: string]: unknown } = fields
    if (name === 'move' || name === 'push') body['group'] ??= 'a'
    const pending = this.calls.flatMap(({ temporary }) => temporary ?? [])
    if (!traceless && pending.length > 0 && tape.chance(10)) body['title'] = tape.pick(pending)
    const creates = name === 'push' || name === 'unshift'
    const args: Fields[] = creates ? [{}, body] : [{ id }, body]
    const shows = tape.chance(80) && this.#optimistic
    const endpoint = shows ? calls[name] : quiet[name]!
    const mutation = this.timeline.call(endpoint, args)
    const temporary = [...(mutation as Call).temporary.keys()][0]
    if (shows && creates && temporary === undefined) broken('a creation has no temporary pk')
    let said: Said = { kind: 'todos', todos: [{ ...body, id }] }
    if (name === 'like') said = { kind: 'like', id }
    if (name === 'remove') said = { kind: 'remove', id }
    if (name === 'move') said = { kind: 'move', todo: { ...body, id } }
    if (creates) said = { kind: 'add', todos: [{ ...body, id: temporary ?? '' }], end: name === 'push', params: {}, body }
    const about = [...(creates ? [] : [`Todo ${id}`]), ...(creates || name === 'move' ? ['[Todo]'] : []), ...(temporary ? [temporary] : [])]
    for (const pk of pending) if (JSON.stringify(args).includes(pk)) about.push(pk)
    // Nothing to like means no layer at all.
    const nothing = name === 'like' && this.model.view().row(`Todo ${id}`) === undefined
    const intent = new Intent(about, shows && !nothing ? said : undefined, this.model.base())
    this.model.intents.push(intent)
    this.calls.push({ mutation, intent, name, temporary })
    if (this.reads.length + this.calls.length > 1) this.met.add('overlap')
    if (this.model.intents.filter(each => each.said && !each.held).length > 1) this.met.add('two layers')
    return `call ${name} ${JSON.stringify(args)} ${shows ? 'shows' : ''}`
  }

  #respond(which: number): string {
    const open = [...this.reads, ...this.calls.filter(({ mutation }) => this.timeline.names.awaited(mutation.args).length === 0)]
    if (open.length === 0) return 'nothing'
    const one = open[(which * open.length) >> 8]!
    return 'place' in one ? this.#land(one) : this.#settle(one)
  }

  #land(read: OpenRead): string {
    const { name, args, place, at } = read
    this.reads = this.reads.filter(each => each !== read)
    const group = String(args[0]['group'] ?? '')
    const list = name === 'get' ? [this.#todo(args[0]['id'] as string)] : this.#todos()
    let value: unknown = list
    let said: Said = { kind: 'list', todos: list, group, result: `LIST ${group}` }
    if (name === 'get') {
      value = list[0]
      said = { kind: 'todos', todos: list, result: `GET ${String(args[0]['id'])}`, single: true }
    } else if (name === 'page') {
      value = { items: list, count: this.#tape.int(3) }
      said = { kind: 'page', todos: list, count: (value as { count: number }).count }
    } else if (name === 'more') said = { kind: 'add', todos: list, end: true, params: args[0], body: {}, more: true }
    const land = (): unknown => this.timeline.land(place, answerOf(reads[name], args, value), { cause: 'fetch' })
    land()
    this.model.land(at, said)
    this.#past.push(land)
    if (at < this.#landed) this.met.add('reorder')
    if (list.some(todo => (this.#deleted.get(String(todo['id'])) ?? 0) > at)) this.met.add('late read after delete')
    this.#landed = Math.max(this.#landed, at)
    return `land ${name} ${JSON.stringify(value)}`
  }

  #settle(call: OpenCall): string {
    const { mutation, intent, name, temporary } = call
    this.calls = this.calls.filter(each => each !== call)
    const args = mutation.args as readonly Fields[]
    const tape = this.#tape
    const creates = name === 'push' || name === 'unshift'
    const id = creates ? (tape.chance(70) ? `r${++this.#events}` : tape.pick(['1', '2', '3', '4'])) : (args[0]!['id'] as string)
    const value = name === 'remove' ? { id } : this.#todo(id)
    let said: Said = { kind: 'todos', todos: [value] }
    if (name === 'remove') said = { kind: 'remove', id }
    if (name === 'move') said = { kind: 'move', todo: value }
    if (creates) said = { kind: 'add', todos: [value], end: name === 'push', params: {}, body: args[1]! }
    const settle = (): unknown => this.timeline.settle(mutation, answerOf(mutation.endpoint, args, value), { cause: 'fetch' })
    settle()
    const shown = intent.said !== undefined && temporary !== undefined
    this.model.settle(intent, said, new Map(shown ? [[temporary, id]] : []))
    this.#landed = this.model.next()
    if (name === 'remove') this.#deleted.set(id, this.#landed)
    this.#past.push(settle)
    return `settle ${name} ${JSON.stringify(value)}`
  }

  #fail(): string {
    const open = [...this.reads, ...this.calls]
    if (open.length === 0) return 'nothing'
    const one = this.#tape.pick(open)
    if ('place' in one) {
      this.reads = this.reads.filter(each => each !== one)
      this.timeline.leave(one.place)
      return `leave ${one.name}`
    }
    this.#drop(one)
    return `fail ${one.name}`
  }

  /** What waits for a creation fails with it. */
  #drop(call: OpenCall): void {
    const before = this.model.view()
    const order = orderOf(this.store.state)
    const count = this.commits.length
    const base = this.store.base
    for (const other of [...this.calls]) if (other !== call && this.timeline.names.awaited(other.mutation.args).includes(call.mutation)) this.#drop(other)
    this.calls = this.calls.filter(each => each !== call)
    this.timeline.fail(call.mutation, { cause: 'fail' })
    this.model.fail(call.intent, call.temporary)
    if (this.store.base !== base || orderOf(this.store.state) !== order) return
    if (!sameDocs(before, this.model.view())) return
    for (const commit of this.commits.slice(count)) {
      // When nothing is left over the base, the base is what is shown: another version, of which there is nothing to tell.
      if (this.store.state !== base) broken('a rollback that changes nothing was published')
      commit.forEachRow(cell => broken('a rollback that changes nothing tells of a row', cell.pk))
      if (commit.patches.length > 0) broken('a rollback that changes nothing has patches', commit.patches)
    }
  }

  #set(traceless: boolean): string {
    const tape = this.#tape
    const id = this.#id(traceless)
    const how = tape.int(10)
    let said: Said
    let write: { schema: unknown; args: readonly unknown[]; value: unknown }
    if (how < 6) {
      const recipe = tape.pick(['inc', 'double', 'toggle', 'reverse', 'x', 'y'])
      const state = traceless ? this.store.base : this.store.state
      const known = state.cells?.find('Todo')?.find(id)
      if (known === undefined || rowOf(state, known) === undefined) return 'nothing'
      // With optimism nobody sees it any more; without, somebody may still write to it.
      if (traceless && this.model.settled().row(`Todo ${id}`) === undefined) return 'nothing'
      if (traceless && this.calls.some(({ name, mutation }) => name === 'remove' && (mutation.args[0] as Fields)['id'] === id)) return 'nothing'
      said = { kind: 'update', id, how: recipe }
      write = { schema: Todo, args: [{ id }], value: (draft: Fields) => updated(draft, recipe) }
    } else if (how < 9) {
      const value = this.#todo(id)
      said = { kind: 'todos', todos: [value] }
      write = { schema: Todo, args: [{ id }], value }
    } else {
      const group = tape.pick(['', 'a', 'b'])
      const list = this.#todos()
      said = { kind: 'list', todos: list, group }
      write = { schema: todos, args: [group === '' ? {} : { group }], value: list }
    }
    const handle = this.timeline.set(write, { cause: 'set' })
    const mentions = this.calls.flatMap(({ temporary }) => (temporary !== undefined && JSON.stringify(said).includes(temporary) ? [temporary] : []))
    this.#sets.push({ handle, by: this.model.set(said, mentions), at: this.model.next() })
    this.#landed = this.model.next()
    return `set ${JSON.stringify(said)}`
  }

  #withdraw(): string {
    if (this.#sets.length === 0) return 'nothing'
    const set = this.#tape.pick(this.#sets)
    this.#sets.splice(this.#sets.indexOf(set), 1)
    const older = this.reads.some(({ at }) => at < set.at)
    const done = this.timeline.withdraw(set.handle, { cause: 'undo' })
    if (done) this.model.withdraw(set.by)
    else if (this.model.knows(set.by, older)) broken('a write that is still known could not be withdrawn')
    if (done) this.met.add('withdrawn')
    return `withdraw ${done}`
  }

  #foreign(): string {
    const tape = this.#tape
    const id = tape.pick(['1', '2', '3', '4'])
    const base = this.model.base()
    let patch: Patch
    let said: Said
    const how = tape.int(4)
    const group = tape.pick(['', 'a'])
    if (how === 0) {
      const { owner: _, ...record } = this.#todo(id)
      patch = { op: 'add', path: ['entities', 'Todo', id], value: record }
      said = { kind: 'whole', id, record }
    } else if (how === 1 && base.row(`Todo ${id}`) !== undefined) {
      patch = { op: 'replace', path: ['entities', 'Todo', id, 'title'], value: 'foreign' }
      said = { kind: 'field', id, field: 'title', value: 'foreign' }
    } else if (how === 2 && base.list(`[Todo] ${listPk(group)}`)?.includes(id) === false) {
      patch = { op: 'add', path: ['entities', '[Todo]', listPk(group), 0], value: id }
      said = { kind: 'prepend', group, pk: id }
    } else {
      patch = { op: 'remove', path: ['entities', 'Todo', id] }
      said = { kind: 'remove', id }
    }
    this.timeline.apply({ patches: [patch], stamps: [] }, { cause: 'applyPatches', origin: 'tab' })
    this.#landed = this.model.next()
    this.model.land(this.#landed, said)
    if (said.kind === 'remove') this.#deleted.set(id, this.#landed)
    return `foreign ${JSON.stringify(patch)}`
  }

  /** An answer that was delivered before comes once more. */
  #again(): string {
    if (this.#past.length === 0) return 'nothing'
    const again = this.#tape.pick(this.#past)
    const { state } = this.store
    try {
      again()
    } catch (error) {
      if ((error as Error).name !== 'ResetError') throw error
    }
    if (this.store.state !== state) broken('a second delivery changed something')
    return 'again'
  }

  /** Garbage is collected where nothing could bring it back. */
  #forget(): string {
    if (this.reads.length > 0) return 'nothing'
    const id = this.#tape.pick(['1', '2', '3', '4'])
    const cell = this.store.state.cells!.find('Todo')?.find(id)
    if (cell === undefined) return 'nothing'
    this.timeline.collect([cell], { cause: 'gc' })
    this.model.land(this.model.next(), { kind: 'forget', id })
    return `forget ${id}`
  }

  #reset(): string {
    if (this.reads.length + this.calls.length > 0) this.met.add('reset in flight')
    this.timeline.reset({ cause: 'reset' })
    this.model.reset()
    // What was under way may still answer; it must not land.
    for (const read of this.reads) this.#past.push(() => this.timeline.land(read.place, answerOf(reads[read.name], read.args, read.name === 'get' ? { id: '1' } : []), { cause: 'late' }))
    for (const { mutation } of this.calls) {
      this.#past.push(() => this.timeline.settle(mutation, answerOf(mutation.endpoint, mutation.args, { id: '1' }), { cause: 'late' }))
      this.timeline.fail(mutation, { cause: 'fail' })
    }
    this.reads = []
    this.calls = []
    this.#sets.length = 0
    return 'reset'
  }
}

/** The rows in their order of arrival, with the number of each. */
function orderOf(state: State): string {
  return JSON.stringify((state.cells?.tables ?? []).map(({ key, ordinal }) => cellsOf(state, key)?.map(({ pk, slot }) => [pk, state.entities.tables[ordinal]?.born(slot)])))
}

export function sameDocs(a: Doc, b: Doc): boolean {
  return same(a.rows, b.rows) && same(a.results, b.results)
}

/** Throws when a state does not say what a document says, marks of deletion included. */
export function expectDoc(state: State, doc: Doc, what: string): void {
  let count = 0
  for (const table of state.cells?.tables ?? []) {
    for (const cell of table.cells()) {
      const name = `${table.key} ${cell.pk}`
      const row = rowOf(state, cell)
      const expected = doc.rows.get(name)
      const deleted = row === undefined && stampOf(state, cell)?.deleted === true
      if (expected !== undefined) count++
      if (expected === DELETED ? !deleted : deleted || !same(row, expected)) broken(`${what}: ${name}`, deleted ? 'deleted' : row, expected === DELETED ? 'deleted' : expected)
    }
  }
  if (count !== doc.rows.size) broken(`${what}: rows are missing`, count, [...doc.rows.keys()])
  const results = new Map<string, unknown>()
  state.endpoints.records.forEach((slot, value) => results.set(state.cells!.endpoints.at(slot)!.pk, value))
  if (!same(results, doc.results)) broken(`${what}: results`, results, doc.results)
}
