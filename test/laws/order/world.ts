import { createHistory, type History } from '../../../src/history/index.ts'
import { Controller, exportState, type AnyEndpoint, type Commit, type FetchAction, type Manager, type Patch, type State } from '../../../src/index.ts'
import { same } from '../../support/same.ts'
import { broken } from '../../support/settings.ts'
import { readPks, readRow } from '../../support/state.ts'
import type { Tape } from '../../support/tape.ts'
import { ModelCall, listPk, Model, updated, DELETED, type Doc, type Fields, type Write } from './model.ts'
import { calls, quiet, reads, Todo, todos } from './shop.ts'

interface OpenRead {
  readonly action: FetchAction
  readonly at: number
  readonly name: keyof typeof reads
  readonly args: readonly [Fields]
}

interface OpenCall {
  /** A copy of its own for each call, by which the request is known when it goes out. */
  readonly endpoint: AnyEndpoint
  /** What it was called with. */
  readonly args: readonly Fields[]
  /** The request and its arguments; undefined while it waits for a creation. */
  sent: { readonly action: FetchAction; readonly args: readonly Fields[] } | undefined
  /** The creations whose pks it speaks of. */
  readonly waitsFor: readonly OpenCall[]
  readonly intent: ModelCall
  readonly name: keyof typeof calls
  readonly temporary: string | undefined
}

/** One for all: a stack for each would take longer than the rest. */
const LOST = new Error('lost')

export type Clockwork = 'frozen' | 'normal' | 'jumping'

/** A controller whose requests are in our hands, and the model, given the same steps. */
export class World {
  readonly controller: Controller
  readonly #history: History
  readonly model = new Model()
  readonly commits: Commit[] = []
  readonly errors: unknown[] = []
  /** What was met; see `coverage.ts`. */
  readonly met = new Set<string>()
  reads: OpenRead[] = []
  calls: OpenCall[] = []
  readonly #past: (() => void)[] = []
  /** What can be undone, the newest last. */
  #steps: (OpenCall | { readonly by: object })[] = []
  #read?: FetchAction
  #base: State
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
    const clock = { now: () => 0, date: () => this.#time, after: () => () => {} }
    const manager: Manager = {
      action: action => {
        if (action.type !== 'fetch') return false
        if (!action.endpoint.sideEffect) this.#read = action
        else this.#offered.set(action.endpoint, { action, args: action.args as readonly Fields[] })
        return true
      },
    }
    this.controller = new Controller({ clock, gc: false, revalidateOverlap: false, managers: [manager], onError: error => void this.errors.push(error) })
    this.#history = createHistory(this.controller)
    this.#base = this.controller.snapshot()
    this.controller.subscribePatches(commit => {
      this.commits.push(commit)
      this.#base = commit.base.after
    })
  }
  readonly #offered = new Map<AnyEndpoint, NonNullable<OpenCall['sent']>>()

  /** What is shown. */
  get state(): State {
    return this.controller.snapshot()
  }

  /** What the server has confirmed. */
  get base(): State {
    return this.#base
  }

  /** Requests that have gone out: from here on it is known what the client knew then. */
  #sendOff(): void {
    for (const call of this.calls) {
      const sent = this.#offered.get(call.endpoint)
      if (sent === undefined || call.sent !== undefined) continue
      call.sent = sent
      call.intent.send(this.model.confirmed())
    }
  }

  /** One thing happens. `traceless`: nothing that would have to be different without optimism. */
  step(tape: Tape, traceless = false): string {
    this.#tape = tape
    if (this.#clockwork !== 'frozen') this.#time += tape.int(3)
    if (this.#clockwork === 'jumping' && tape.chance(20)) this.#time += tape.chance(50) ? 3_600_000 : -3_600_000
    const what = tape.int(100)
    if (what < 22) return this.#ask()
    if (what < 48) return this.#call(traceless)
    if (what < 70) return this.#respond(tape.int(256))
    if (what < 76) return this.#fail()
    if (what < 89) return this.#set(traceless)
    if (what < 93) return this.#foreign()
    if (what < 95) return this.#again()
    if (what < 97) return traceless ? 'nothing' : this.#undo()
    // What was collected and comes back may stand elsewhere.
    if (what < 98) return traceless ? 'nothing' : this.#forget()
    return tape.chance(60) ? this.#reset() : 'nothing'
  }

  /** Everything that is under way ends. */
  settle(tape: Tape, look: (line: string) => void): void {
    this.#tape = tape
    while (this.reads.length + this.calls.length > 0) {
      const line = tape.chance(30) ? this.#fail() : this.#respond(tape.int(256))
      look(line === 'nothing' ? this.#fail() : line)
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

  #ask(): string {
    const tape = this.#tape
    const name = tape.pick(['get', 'list', 'list', 'page', 'more', 'get'] as const)
    const group = tape.pick(['', 'a', 'b'])
    const args = [name === 'get' ? { id: tape.pick(['1', '2', '3', '4']) } : name === 'page' || group === '' ? {} : { group }] as const
    // A second read of one key would share the first one's request, unless that no longer counts.
    if (this.reads.some(open => open.action.key === reads[name].key(...args))) this.controller.invalidate(reads[name], ...args)
    void this.controller.fetch(reads[name], ...args)
    this.reads.push({ action: this.#read!, at: this.model.next(), name, args })
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
    const endpoint = ((shows ? calls[name] : quiet[name]!) as unknown as { extend(options: object): AnyEndpoint }).extend({})
    const waitsFor = this.calls.filter(({ temporary }) => temporary !== undefined && JSON.stringify(args).includes(temporary))
    const before = new Set(shows && creates ? this.#temporaries() : [])
    void this.controller.fetch(endpoint, ...args).catch(() => {})
    const temporary = shows && creates ? this.#temporaries().find(pk => !before.has(pk)) : undefined
    if (shows && creates && temporary === undefined) broken('a creation has no temporary pk')
    let written: Write = { kind: 'todos', todos: [{ ...body, id }] }
    if (name === 'like') written = { kind: 'like', id }
    if (name === 'remove') written = { kind: 'remove', id }
    if (name === 'move') written = { kind: 'move', todo: { ...body, id } }
    if (creates) written = { kind: 'add', todos: [{ ...body, id: temporary ?? '' }], end: name === 'push', params: {}, body }
    const about = [...(creates ? [] : [`Todo ${id}`]), ...(creates || name === 'move' ? ['[Todo]'] : []), ...(temporary ? [temporary] : [])]
    for (const pk of pending) if (JSON.stringify(args).includes(pk)) about.push(pk)
    // Nothing to like means no layer at all.
    const nothing = name === 'like' && this.model.view().row(`Todo ${id}`) === undefined
    const intent = new ModelCall(about, shows && !nothing ? written : undefined, this.model.base())
    this.model.intents.push(intent)
    const call: OpenCall = { endpoint, args, sent: undefined, waitsFor, intent, name, temporary }
    this.calls.push(call)
    this.#steps.push(call)
    this.#sendOff()
    if (this.reads.length + this.calls.length > 1) this.met.add('overlap')
    if (this.model.intents.filter(each => each.write && !each.isDeferred).length > 1) this.met.add('two layers')
    return `call ${name} ${JSON.stringify(args)} ${shows ? 'shows' : ''}`
  }

  #temporaries(): string[] {
    return (readPks(this.state, 'Todo') ?? []).filter(pk => pk.startsWith('new:'))
  }

  #respond(which: number): string {
    const open = [...this.reads, ...this.calls.filter(({ sent }) => sent !== undefined)]
    if (open.length === 0) return 'nothing'
    const one = open[(which * open.length) >> 8]!
    return 'at' in one ? this.#land(one) : this.#settle(one)
  }

  #land(read: OpenRead): string {
    const { name, args, action, at } = read
    this.reads = this.reads.filter(each => each !== read)
    const group = String(args[0]['group'] ?? '')
    const list = name === 'get' ? [this.#todo(args[0]['id'] as string)] : this.#todos()
    let value: unknown = list
    let written: Write = { kind: 'list', todos: list, group, result: `LIST ${group}` }
    if (name === 'get') {
      value = list[0]
      written = { kind: 'todos', todos: list, result: `GET ${String(args[0]['id'])}`, single: true }
    } else if (name === 'page') {
      value = { items: list, count: this.#tape.int(3) }
      written = { kind: 'page', todos: list, count: (value as { count: number }).count }
    } else if (name === 'more') written = { kind: 'add', todos: list, end: true, params: args[0], body: {}, more: true }
    const land = (): void => action.answer(value)
    land()
    this.model.land(at, written)
    this.#past.push(land)
    if (at < this.#landed) this.met.add('reorder')
    if (list.some(todo => (this.#deleted.get(String(todo['id'])) ?? 0) > at)) this.met.add('late read after delete')
    this.#landed = Math.max(this.#landed, at)
    return `land ${name} ${JSON.stringify(value)}`
  }

  #settle(call: OpenCall): string {
    const { sent, intent, name, temporary } = call
    const { action, args } = sent!
    this.calls = this.calls.filter(each => each !== call)
    const tape = this.#tape
    const creates = name === 'push' || name === 'unshift'
    const id = creates ? (tape.chance(70) ? `r${++this.#events}` : tape.pick(['1', '2', '3', '4'])) : (args[0]!['id'] as string)
    const value = name === 'remove' ? { id } : this.#todo(id)
    let written: Write = { kind: 'todos', todos: [value] }
    if (name === 'remove') written = { kind: 'remove', id }
    if (name === 'move') written = { kind: 'move', todo: value }
    if (creates) written = { kind: 'add', todos: [value], end: name === 'push', params: {}, body: args[1]! }
    const settle = (): void => action.answer(value)
    settle()
    const visible = intent.write !== undefined && temporary !== undefined
    this.model.settle(intent, written, new Map(visible ? [[temporary, id]] : []))
    this.#sendOff()
    this.#landed = this.model.next()
    if (name === 'remove') this.#deleted.set(id, this.#landed)
    this.#past.push(settle)
    return `settle ${name} ${JSON.stringify(value)}`
  }

  #fail(): string {
    const open = [...this.reads, ...this.calls.filter(({ sent }) => sent !== undefined)]
    if (open.length === 0) return 'nothing'
    const one = this.#tape.pick(open)
    if ('at' in one) {
      this.reads = this.reads.filter(each => each !== one)
      one.action.fail(LOST)
      return `leave ${one.name}`
    }
    this.#drop(one)
    return `fail ${one.name}`
  }

  /** What waits for a creation fails with it. */
  #drop(call: OpenCall): void {
    const before = this.model.view()
    const order = orderOf(this.state)
    const count = this.commits.length
    const { base } = this
    call.sent!.action.fail(LOST)
    this.#gone(call)
    this.#sendOff()
    if (this.base !== base || orderOf(this.state) !== order) return
    if (!sameDocs(before, this.model.view())) return
    for (const commit of this.commits.slice(count)) {
      // When nothing is left over the base, the base is what is shown: another version, of which there is nothing to tell.
      if (this.state !== base) broken('a rollback that changes nothing was published')
      if (commit.patches.length > 0) broken('a rollback that changes nothing has patches', commit.patches)
    }
  }

  /** The model fails a call, and first what waits for it. */
  #gone(call: OpenCall): void {
    for (const other of [...this.calls]) if (other !== call && other.waitsFor.includes(call)) this.#gone(other)
    this.calls = this.calls.filter(each => each !== call)
    this.#steps = this.#steps.filter(each => each !== call)
    this.model.fail(call.intent, call.temporary)
  }

  #set(traceless: boolean): string {
    const tape = this.#tape
    const id = this.#id(traceless)
    const how = tape.int(10)
    let written: Write
    let write: { schema: unknown; args: readonly unknown[]; value: unknown }
    if (how < 6) {
      const recipe = tape.pick(['inc', 'double', 'toggle', 'reverse', 'x', 'y'])
      if (readRow(traceless ? this.base : this.state, 'Todo', id) === undefined) return 'nothing'
      // With optimism nobody sees it any more; without, somebody may still write to it.
      if (traceless && this.model.settled().row(`Todo ${id}`) === undefined) return 'nothing'
      if (traceless && this.calls.some(({ name, args, sent }) => name === 'remove' && (sent?.args ?? args)[0]!['id'] === id)) return 'nothing'
      written = { kind: 'update', id, how: recipe }
      write = { schema: Todo, args: [{ id }], value: (draft: Fields) => updated(draft, recipe) }
    } else if (how < 9) {
      const value = this.#todo(id)
      written = { kind: 'todos', todos: [value] }
      write = { schema: Todo, args: [{ id }], value }
    } else {
      const group = tape.pick(['', 'a', 'b'])
      const list = this.#todos()
      written = { kind: 'list', todos: list, group }
      write = { schema: todos, args: [group === '' ? {} : { group }], value: list }
    }
    const { state } = this
    this.controller.set(write.schema, ...write.args, write.value as object)
    const mentions = this.calls.flatMap(({ temporary }) => (temporary !== undefined && JSON.stringify(written).includes(temporary) ? [temporary] : []))
    const by = this.model.set(written, mentions)
    if (this.state !== state) this.#steps.push({ by })
    this.#landed = this.model.next()
    return `set ${JSON.stringify(written)}`
  }

  /** A local write is undone while it is still a write of its own. */
  #undo(): string {
    // A write that has waited and then changed nothing, or that went with what it spoke of, is no step any more.
    this.#steps = this.#steps.filter(each => !('by' in each) || this.#counts(each.by))
    const step = this.#steps.at(-1)
    if (step === undefined || !('by' in step)) return 'nothing'
    const position = this.model.log.find(entry => entry.by === step.by)?.position ?? 0
    if (!this.model.knows(step.by, this.reads.some(read => read.at < position))) return 'nothing'
    this.#steps.pop()
    void this.#history.undo()
    this.model.withdraw(step.by)
    this.met.add('withdrawn')
    return 'undo'
  }

  #counts(by: object): boolean {
    if (this.model.intents.includes(by as ModelCall)) return true
    const { sunk } = by as Partial<ModelCall>
    return sunk === undefined ? !(by instanceof ModelCall) : !sameDocs(sunk.before, sunk.after)
  }

  #foreign(): string {
    const tape = this.#tape
    const id = tape.pick(['1', '2', '3', '4'])
    const base = this.model.base()
    let patch: Patch
    let written: Write
    const how = tape.int(4)
    const group = tape.pick(['', 'a'])
    if (how === 0) {
      const { owner: _, ...record } = this.#todo(id)
      patch = { op: 'add', path: ['entities', 'Todo', id], value: record }
      written = { kind: 'whole', id, record }
    } else if (how === 1 && base.row(`Todo ${id}`) !== undefined) {
      patch = { op: 'replace', path: ['entities', 'Todo', id, 'title'], value: 'foreign' }
      written = { kind: 'field', id, field: 'title', value: 'foreign' }
    } else if (how === 2 && base.list(`[Todo] ${listPk(group)}`)?.includes(id) === false) {
      patch = { op: 'add', path: ['entities', '[Todo]', listPk(group), 0], value: id }
      written = { kind: 'prepend', group, pk: id }
    } else {
      patch = { op: 'remove', path: ['entities', 'Todo', id] }
      written = { kind: 'remove', id }
    }
    this.controller.applyPatches([patch], { origin: 'tab' })
    this.#landed = this.model.next()
    this.model.land(this.#landed, written)
    if (written.kind === 'remove') this.#deleted.set(id, this.#landed)
    return `foreign ${JSON.stringify(patch)}`
  }

  /** An answer that was delivered before comes once more. */
  #again(): string {
    if (this.#past.length === 0) return 'nothing'
    const again = this.#tape.pick(this.#past)
    const { state } = this
    again()
    if (this.state !== state) broken('a second delivery changed something')
    return 'again'
  }

  /** Garbage is collected where nothing could bring it back. */
  #forget(): string {
    if (this.reads.length > 0) return 'nothing'
    const id = this.#tape.pick(['1', '2', '3', '4'])
    this.controller.applyPatches([{ op: 'remove', path: ['entities', 'Todo', id] }], { origin: 'gc' })
    this.model.land(this.model.next(), { kind: 'forget', id })
    return `forget ${id}`
  }

  #reset(): string {
    if (this.reads.length + this.calls.length > 0) this.met.add('reset in flight')
    this.controller.reset()
    this.model.reset()
    // What was under way may still answer; it must not land.
    for (const { action, name } of this.reads) this.#past.push(() => action.answer(name === 'get' ? { id: '1' } : []))
    for (const { sent } of this.calls) if (sent !== undefined) this.#past.push(() => sent.action.answer({ id: '1' }))
    this.reads = []
    this.calls = []
    this.#steps = []
    return 'reset'
  }
}

/** The rows in their order of arrival. */
function orderOf(state: State): string {
  return JSON.stringify(exportState(state).entities.map(([key, rows]) => [key, rows.map(([pk]) => pk)]))
}

export function sameDocs(a: Doc, b: Doc): boolean {
  return same(a.rows, b.rows) && same(a.results, b.results)
}

/** Throws when a state does not say what a document says, marks of deletion included. */
export function expectDoc(state: State, doc: Doc, what: string): void {
  const { entities, endpoints } = exportState(state)
  let count = 0
  for (const [key, rows] of entities) {
    for (const [pk, record] of rows) {
      const name = `${key} ${pk}`
      const expected = doc.rows.get(name)
      if (expected !== undefined) count++
      const row = record ?? DELETED
      if (!same(row, expected)) broken(`${what}: ${name}`, record ?? 'deleted', expected === DELETED ? 'deleted' : expected)
    }
  }
  if (count !== doc.rows.size) broken(`${what}: rows are missing`, count, [...doc.rows.keys()])
  const results = new Map<string, unknown>(endpoints)
  if (!same(results, doc.results)) broken(`${what}: results`, results, doc.results)
}
