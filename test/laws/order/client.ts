import { createHistory, type History } from '../../../src/history/index.ts'
import { Controller, createNetwork, exportState, type Action, type AnyEndpoint, type Commit, type FetchAction, type Manager, type Patch, type State } from '../../../src/index.ts'
import { same } from '../../support/same.ts'
import { broken } from '../../support/settings.ts'
import { readPks } from '../../support/state.ts'
import type { Tape } from '../../support/tape.ts'
import { after, DELETED, Doc, listPk, Model, ModelCall, updated, type Fields, type Write } from './model.ts'
import { calls, extend, quiet, reads, Todo, todos } from './shop.ts'

type Outcome = { readonly value: unknown; readonly write: Write } | 'malformed' | 'failed'

/** A read as the model knows it, from when it was asked for. */
interface OpenRead {
  readonly at: number
  readonly action: FetchAction
  /** It was invalidated, or the controller has asked again by itself: nobody joins this one any more. */
  isReplaced: boolean
  outcome: Outcome | undefined
}

interface OpenCall {
  readonly name: keyof typeof calls
  readonly intent: ModelCall
  readonly key: string
  /** The same with real pks, once they are known: by this it is aborted. */
  currentKey: string
  temporary: string | undefined
  /** The creations whose pks it waits for. */
  readonly waitsFor: readonly OpenCall[]
  state: 'open' | 'settled' | 'failed'
  /** Whether its promise has come to something. */
  isSettled: boolean
  outcome: Outcome | undefined
}

/** A local write, and what it has made of its row; `row` is undefined where it wrote more than one. */
interface LocalWrite {
  readonly by: object
  readonly row: string | undefined
  readonly old: Fields | undefined
  readonly made: Fields | undefined
  readonly at: number
}

/** A request that has not been answered yet. */
interface Sent {
  /** The row of a call, where calls to one row are sent one after the other. */
  readonly lane: unknown
  readonly signal: AbortSignal
  readonly release: (ticks: number) => void
  /** Its answer, where nobody waits for it any more. */
  readonly comeLate: () => void
}

export interface Setting {
  readonly clockwork: 'frozen' | 'normal' | 'jumping'
  /** How many requests the controller's own network sends at a time. Without one, all are sent at once and answered by hand. */
  readonly concurrency?: number
  /** Without optimism no call shows anything before it is answered. */
  readonly optimistic?: boolean
  /** Nothing happens that would have to be different without optimism. */
  readonly traceless?: boolean
}

const TEMPORARY = /new:\w+\.\d+\.\d+/
const ids = ['1', '2', '3', '4']
/** One for all: a stack for each would take longer than the rest. */
const LOST = new Error('lost')
const isCreation = (name: string): boolean => name === 'push' || name === 'unshift'
const valueOf = (outcome: Outcome): unknown => (typeof outcome === 'object' ? outcome.value : { title: 'of nobody' })

/**
 * A controller and the model, given the same steps. Answers come in any order: by hand, each at once, or through the
 * network, some at a time, each some turns of the microtask queue after another.
 */
export class Client {
  readonly controller: Controller
  readonly model = new Model()
  /** What was met, for the coverage. */
  readonly met = new Set<string>()
  readonly commits: Commit[] = []
  readonly #history: History
  readonly #setting: Setting
  readonly #errors: unknown[] = []
  #base: State
  #tape!: Tape
  #time = 1_700_000_000_000
  #events = 0
  #landed = 0
  #asking = false
  readonly #deleted = new Map<string, number>()
  readonly #sent = new Set<Sent>()
  readonly #reads = new Set<OpenRead>()
  #calls: OpenCall[] = []
  /** What can be undone, the newest last. */
  #steps: (OpenCall | LocalWrite)[] = []
  /** Calls that were made and not sent yet: the network hears of a call before the one who makes it has its promise. */
  readonly #unsent = new Map<string, OpenCall[]>()
  /** Answers that were delivered, or came too late. */
  readonly #past: (() => void)[] = []

  constructor(setting: Setting) {
    this.#setting = setting
    const clock = { now: () => 0, date: () => this.#time, after: () => () => {} }
    const revalidateOverlap = setting.concurrency !== undefined
    this.controller = new Controller({ clock, gc: false, revalidateOverlap, managers: [this.#manager()], onError: error => void this.#errors.push(error) })
    this.#history = createHistory(this.controller)
    this.#base = this.controller.snapshot()
    this.controller.subscribePatches(commit => {
      this.commits.push(commit)
      this.#base = commit.base.after
    })
  }

  /** What is shown. */
  get state(): State {
    return this.controller.snapshot()
  }

  /** One thing happens, or some answers are on their way. */
  step(tape: Tape): string {
    this.#tape = tape
    const { clockwork, traceless } = this.#setting
    if (clockwork !== 'frozen') this.#time += tape.int(3)
    if (clockwork === 'jumping' && tape.chance(20)) this.#time += tape.chance(50) ? 3_600_000 : -3_600_000
    const what = tape.int(100)
    if (what < 22) return this.#fetch()
    if (what < 50) return this.#call()
    if (what < 75) return this.#release()
    if (what < 77) return this.#abort()
    if (what < 87) return this.#set()
    if (what < 90) return this.#patch()
    if (what < 92) return this.#again()
    if (what < 96) return traceless ? 'nothing' : this.#undo()
    // What was collected and comes back may stand elsewhere.
    if (what < 97) return traceless ? 'nothing' : this.#forget()
    return tape.chance(60) ? this.#reset() : 'nothing'
  }

  /** Some of what was sent comes back; undefined when there is nothing left. */
  settle(tape: Tape): string | undefined {
    this.#tape = tape
    return this.#sent.size > 0 ? this.#release() : undefined
  }

  /** Base and view are what the model says, and where nothing is pending they are one. */
  look(): void {
    const { model, state } = this
    const base = model.base()
    expectDoc(this.#base, base, 'base')
    if (model.intents.length > 0) expectDoc(state, model.view(undefined, base), 'view')
    else if (this.#base !== state) broken('nothing is pending, and base and view differ')
    const unexpected = this.#errors.filter(error => (error as Error).message !== 'unlucky')
    if (unexpected.length > 0) throw unexpected[0]
  }

  /** Nothing is under way: nobody waits, and nothing shows that anybody did. */
  end(): void {
    this.look()
    if (this.#calls.some(({ isSettled, state }) => !isSettled || state === 'open')) broken('a call never came to anything')
    if (this.#reads.size > 0) broken('a read never came to anything')
    if (this.model.intents.length > 0) broken('calls at the end', this.model.intents.length)
    this.#checkArrivals()
    this.controller.dispose()
  }

  /** `All` has every row once. Rows that a late read brings may come last, so their order is free. */
  #checkArrivals(): void {
    const { log } = this.model
    // A row that only a withdrawn write named stays in its position; a collected row may come back there.
    if (this.met.has('undo in the log') || log.some(({ write }) => write.kind === 'forget')) return
    const named = new Set<string>()
    let doc = new Doc()
    for (const { write } of log) {
      doc = after(doc, write)
      const written = 'todos' in write ? write.todos : 'todo' in write ? [write.todo] : 'id' in write ? [write] : []
      for (const { id } of written) if (doc.row(`Todo ${String(id)}`) !== undefined) named.add(String(id))
    }
    const expected = [...named].filter(pk => doc.row(`Todo ${pk}`) !== undefined)
    const visible = readPks(this.#base, 'Todo') ?? []
    if (!same([...visible].sort(), expected.sort())) broken('the rows that are there', visible, expected)
  }

  /** Listens to the network, or replaces it: the model hears of an answer when the store does. */
  #manager(): Manager {
    const { concurrency } = this.#setting
    const network = concurrency === undefined ? undefined : createNetwork({ retry: false, concurrency })
    return {
      ...network,
      action: (action: Action) => {
        if (action.type !== 'fetch') return
        const open = action.endpoint.sideEffect ? this.#unsent.get(action.key)?.shift() : this.#begun(action)
        if (open === undefined) return this.#wrong('a call was sent that had ended', action.key)
        const answer = (value: unknown): void => {
          this.#tell(open, action.args)
          action.answer(value)
          this.#past.push(() => action.answer(value))
        }
        const fail = (error: unknown): void => {
          if ('at' in open) this.#reads.delete(open)
          else this.#failed(open)
          action.fail(error)
        }
        if (network === undefined) {
          this.#send(open, action, action.args, outcome => (outcome === 'failed' ? this.#rollBack(() => fail(LOST)) : answer(valueOf(outcome))), () => {})
          return true
        }
        const transport = (...args: readonly unknown[]): Promise<unknown> =>
          new Promise((resolve, reject) => {
            const arrive = (outcome: Outcome): void => (outcome === 'failed' ? reject(LOST) : resolve(valueOf(outcome)))
            this.#send(open, action, args, (outcome, ticks) => void later(ticks).then(() => arrive(outcome)), reject)
          })
        const endpoint = extend(action.endpoint, { fetch: transport })
        const heard = Object.defineProperties({} as FetchAction, Object.getOwnPropertyDescriptors(action))
        for (const [name, value] of Object.entries({ answer, fail, endpoint })) Object.defineProperty(heard, name, { value })
        return network.action!(heard)
      },
    }
  }

  /** Logged and not thrown: what is thrown to the controller is a request that failed. */
  #wrong(sentence: string, value: unknown): void {
    this.#errors.push(new Error(`${sentence}: ${JSON.stringify(value)}`))
  }

  #begun(action: FetchAction): OpenRead {
    const read: OpenRead = { at: this.model.next(), action, isReplaced: false, outcome: undefined }
    for (const other of this.#reads) {
      if (other.action.key !== action.key) continue
      // What the controller asks for by itself is a request of its own.
      if (this.#asking && !other.isReplaced) this.#wrong('two reads of one key', action.key)
      other.isReplaced = true
    }
    this.#reads.add(read)
    return read
  }

  /** A request goes out. `arrive` brings its outcome to the controller, `lose` says that it was aborted. */
  #send(open: OpenRead | OpenCall, action: FetchAction, args: readonly unknown[], arrive: (outcome: Outcome, ticks: number) => void, lose: (reason: Error) => void): void {
    const { signal } = action
    const lane = this.#setting.concurrency !== undefined && 'intent' in open ? (args[0] as Fields)['id'] : undefined
    if (TEMPORARY.test(JSON.stringify(args))) this.#wrong('a temporary pk was sent', args)
    if ('intent' in open) open.intent.send(this.model.confirmed())
    for (const other of this.#sent) if (lane !== undefined && other.lane === lane && !other.signal.aborted) this.#wrong('two calls to one entity are under way', lane)
    const sent: Sent = {
      lane,
      signal,
      release: ticks => {
        this.#sent.delete(sent)
        open.outcome = this.#answer(open, args)
        arrive(open.outcome, ticks)
      },
      comeLate: () => action.answer('at' in open && !action.key.startsWith('GET') ? [] : { id: '1' }),
    }
    this.#sent.add(sent)
    signal.addEventListener('abort', () => {
      this.#sent.delete(sent)
      lose(signal.reason as Error)
    })
  }

  #answer(open: OpenRead | OpenCall, args: readonly unknown[]): Outcome {
    const tape = this.#tape
    if (tape.chance(15)) return 'failed'
    if ('at' in open) return this.#readAnswer(open.action.key, args[0] as Fields)
    const { name } = open
    if ((name === 'put' || name === 'move') && tape.chance(6)) return 'malformed'
    const [params, body] = args as readonly [Fields, Fields]
    const id = isCreation(name) ? (tape.chance(70) ? `r${++this.#events}` : tape.pick(ids)) : String(params['id'])
    const value = name === 'remove' ? { id } : this.#todo(id)
    return { value, write: name === 'like' ? { kind: 'todos', todos: [value] } : writeOf(name, value, body) }
  }

  #readAnswer(key: string, params: Fields): Outcome {
    const name = key.split(' ')[0]!
    const list = name === 'GET' ? [this.#todo(String(params['id']))] : this.#todos()
    if (name === 'GET') return { value: list[0], write: { kind: 'todos', todos: list, result: key, single: true } }
    const count = this.#tape.int(3)
    if (name === 'PAGE') return { value: { items: list, count }, write: { kind: 'page', todos: list, count } }
    if (name === 'MORE') return { value: list, write: { kind: 'add', todos: list, end: true, params, body: {}, more: true } }
    return { value: list, write: { kind: 'list', todos: list, group: String(params['group'] ?? ''), result: key } }
  }

  /** An answer reaches the store. */
  #tell(open: OpenRead | OpenCall, args: readonly unknown[]): void {
    const { outcome } = open
    if (outcome === undefined || outcome === 'failed') return this.#wrong('an answer that nobody gave', args)
    if ('at' in open) {
      if (!this.#reads.delete(open) || outcome === 'malformed') return
      this.model.land(open.at, outcome.write)
      if (open.at < this.#landed) this.met.add('reorder')
      if ('todos' in outcome.write && outcome.write.todos.some(({ id }) => (this.#deleted.get(String(id)) ?? 0) > open.at)) this.met.add('late read after delete')
      this.#landed = Math.max(this.#landed, open.at)
      return
    }
    if (open.state !== 'open') return
    if (outcome === 'malformed') return this.#failed(open)
    open.state = 'settled'
    const { id } = outcome.value as { id: string }
    const names = new Map(open.temporary === undefined ? [] : [[open.temporary, id]])
    this.model.settle(open.intent, outcome.write, names)
    for (const [from, to] of names) {
      const renamed = <T>(value: T): T => (value === undefined ? value : (JSON.parse(JSON.stringify(value).replaceAll(from, to)) as T))
      this.#steps = this.#steps.map(step => ('by' in step ? { ...step, row: renamed(step.row), old: renamed(step.old), made: renamed(step.made) } : step))
      for (const call of this.#calls) call.currentKey = renamed(call.currentKey)
    }
    this.#landed = this.model.next()
    if (open.name === 'remove') this.#deleted.set(id, this.#landed)
    this.#noteFlushed()
  }

  /** A call comes to nothing, and before it those that wait for its pk: they are never sent. */
  #failed(call: OpenCall): void {
    if (call.state !== 'open') return
    for (const other of this.#calls) {
      if (!other.waitsFor.includes(call)) continue
      this.met.add('fails with its creation')
      this.#failed(other)
    }
    call.state = 'failed'
    this.#unsent.set(call.key, this.#unsent.get(call.key)!.filter(each => each !== call))
    this.model.fail(call.intent, call.temporary)
    this.#steps = this.#steps.filter(step => step !== call)
    this.#noteFlushed()
  }

  /** A request fails. Where that changes nothing, nothing is published. */
  #rollBack(fail: () => void): void {
    const before = this.model.view()
    const order = orderOf(this.state)
    const count = this.commits.length
    const base = this.#base
    fail()
    if (this.#base !== base || orderOf(this.state) !== order || !sameDocs(before, this.model.view())) return
    for (const { patches } of this.commits.slice(count)) {
      // When nothing is left over the base, the base is what is shown: another version, of which there is nothing to tell.
      if (this.state !== base) broken('a rollback that changes nothing was published')
      if (patches.length > 0) broken('a rollback that changes nothing has patches', patches)
    }
  }

  /** Where writes that have waited stand now, and what each has done there. */
  #noteFlushed(): void {
    this.#steps = this.#steps.flatMap(step => {
      if (!('by' in step) || step.at < Infinity || this.model.intents.includes(step.by as ModelCall)) return [step]
      const { sunk } = step.by as ModelCall
      // It went with what it spoke of, or it changes nothing any more.
      if (sunk === undefined || sameDocs(sunk.before, sunk.after)) return []
      return [{ ...step, at: this.model.next(), old: sunk.before.row(step.row ?? ''), made: sunk.after.row(step.row ?? '') }]
    })
  }

  #todo(id: string): Fields {
    const tape = this.#tape
    const todo: { [field: string]: unknown } = { id }
    if (tape.chance(50)) todo['title'] = `t${tape.int(3)}`
    if (tape.chance(40)) todo['n'] = tape.int(4)
    if (tape.chance(20)) todo['done'] = tape.chance(50)
    if (tape.chance(40)) todo['group'] = tape.pick(['a', 'b'])
    if (tape.chance(20)) todo['tags'] = tape.some(['x', 'y', 'z'])
    if (tape.chance(30)) todo['owner'] = { id: tape.pick(['o1', 'o2']), log: [`e${++this.#events}`] }
    return todo
  }

  #todos(): Fields[] {
    return this.#tape.some(ids).map(id => this.#todo(id))
  }

  get #open(): OpenCall[] {
    return this.#calls.filter(({ state }) => state === 'open')
  }

  /** The temporary pks that a step may speak of. */
  get #creations(): OpenCall[] {
    return this.#setting.traceless ? [] : this.#open.filter(({ temporary }) => temporary !== undefined)
  }

  #id(): string {
    const made = this.#creations
    return made.length > 0 && this.#tape.chance(45) ? this.#tape.pick(made).temporary! : this.#tape.pick(ids)
  }

  #noteOverlap(): void {
    if (this.#reads.size + this.#open.length > 1) this.met.add('overlap')
    if (this.model.intents.filter(each => each.write && !each.isDeferred).length > 1) this.met.add('two layers')
  }

  #fetch(): string {
    const tape = this.#tape
    const name = tape.pick(['get', 'get', 'list', 'list', 'page', 'more'] as const)
    const group = tape.pick(['', 'a', 'b'])
    const args = name === 'get' ? { id: tape.pick(ids) } : name === 'page' || group === '' ? {} : { group }
    const open = [...this.#reads].filter(({ action }) => action.key === reads[name].key(args))
    // A second read of one key shares the first one's request, unless that no longer counts.
    if (open.length > 0 && tape.chance(60)) {
      for (const read of open) read.isReplaced = true
      this.controller.invalidate(reads[name], args)
    }
    this.#asking = true
    void this.controller.fetch(reads[name], args)
    this.#asking = false
    this.#noteOverlap()
    return `fetch ${name} ${JSON.stringify(args)}`
  }

  #call(): string {
    const tape = this.#tape
    const name = tape.pick(['put', 'put', 'like', 'like', 'remove', 'remove', 'push', 'push', 'unshift', 'move'] as const)
    const id = this.#id()
    const { id: _, ...fields } = this.#todo('')
    const body: { [field: string]: unknown } = fields
    const creates = isCreation(name)
    if (name === 'move' || name === 'push') body['group'] ??= 'a'
    const made = this.#creations
    if (made.length > 0 && tape.chance(15)) body['title'] = tape.pick(made).temporary
    const args: Fields[] = creates ? [{}, body] : [{ id }, body]
    const shows = tape.chance(80) && this.#setting.optimistic !== false
    const endpoint = extend(shows ? calls[name] : quiet[name]!, { serial: this.#setting.concurrency !== undefined })
    const waitsFor = made.filter(({ temporary }) => JSON.stringify(args).includes(temporary!))
    if (waitsFor.length > 0) this.met.add('waits for a pk')
    const about = [...(creates ? [] : [`Todo ${id}`]), ...(creates || name === 'move' ? ['[Todo]'] : []), ...waitsFor.map(({ temporary }) => temporary!)]
    // Nothing to like means no layer at all.
    const isVisible = shows && !(name === 'like' && this.model.view().row(`Todo ${id}`) === undefined)
    const intent = new ModelCall(about, isVisible ? writeOf(name, { ...body, id: creates ? '' : id }, body) : undefined, this.model.base())
    const key = endpoint.key(...args)
    const call: OpenCall = { name, intent, key, currentKey: key, temporary: undefined, waitsFor, state: 'open', isSettled: false, outcome: undefined }
    this.model.intents.push(intent)
    this.#calls.push(call)
    this.#steps.push(call)
    this.#unsent.set(key, [...(this.#unsent.get(key) ?? []), call])
    const before = new Set(this.#temporaries())
    this.controller.fetch(endpoint, ...args).then(() => void (call.isSettled = true), () => {
      call.isSettled = true
      if (call.state === 'open') this.#wrong('a call failed by itself', key)
    })
    if (shows && creates) {
      call.temporary = this.#temporaries().find(pk => !before.has(pk)) ?? broken('a creation has no temporary pk')
      intent.about.push(call.temporary)
      intent.write = writeOf(name, { ...body, id: call.temporary }, body)
    }
    this.#noteOverlap()
    return `call ${name} ${JSON.stringify(args)} ${shows ? 'shows' : ''}`
  }

  #temporaries(): string[] {
    return (readPks(this.state, 'Todo') ?? []).filter(pk => pk.startsWith('new:'))
  }

  /** By hand one request is answered; through the network some are, each after some turns of its own. */
  #release(): string {
    const tape = this.#tape
    const count = this.#setting.concurrency === undefined ? 1 : 1 + tape.int(4)
    let answers = 0
    for (; answers < count && this.#sent.size > 0; answers++) tape.pick([...this.#sent]).release(tape.int(6))
    if (answers > 1) this.met.add('answers at once')
    return `${answers} answers`
  }

  #abort(): string {
    const open = [...this.#open.map(({ currentKey }) => currentKey), ...[...this.#reads].map(({ action }) => action.key)]
    if (open.length === 0) return 'nothing'
    const key = this.#tape.pick(open)
    for (const call of this.#calls) if (call.currentKey === key) this.#failed(call)
    for (const read of this.#reads) if (read.action.key === key) this.#reads.delete(read)
    this.controller.abort({ key: () => key } as unknown as AnyEndpoint)
    return `abort ${key}`
  }

  #set(): string {
    const tape = this.#tape
    const { traceless } = this.#setting
    const id = this.#id()
    const row = `Todo ${id}`
    const how = tape.int(10)
    const recipe = tape.pick(['inc', 'double', 'toggle', 'reverse', 'x', 'y'])
    const group = tape.pick(['', 'a', 'b'])
    const old = this.model.view().row(row)
    let write: Write = { kind: 'update', id, how: recipe }
    let target: readonly [schema: unknown, params: Fields, value: unknown] = [Todo, { id }, (draft: Fields) => updated(draft, recipe)]
    if (how < 6) {
      if ((traceless ? this.model.base().row(row) : old) === undefined) return 'nothing'
      // With optimism nobody sees it any more; without, somebody may still write to it.
      if (traceless && this.model.settled().row(row) === undefined) return 'nothing'
      if (traceless && this.#open.some(({ name, intent }) => name === 'remove' && intent.about.includes(row))) return 'nothing'
    } else if (how < 9) {
      const value = this.#todo(id)
      write = { kind: 'todos', todos: [value] }
      target = [Todo, { id }, value]
    } else {
      const list = this.#todos()
      write = { kind: 'list', todos: list, group }
      target = [todos, group === '' ? {} : { group }, list]
    }
    const { state } = this
    const mentions = this.#creations.flatMap(({ temporary }) => (JSON.stringify(write).includes(temporary!) ? [temporary!] : []))
    const by = this.model.set(write, mentions)
    this.controller.set(...(target as readonly [unknown, Fields, object]))
    const at = this.model.intents.includes(by as ModelCall) ? Infinity : (this.#landed = this.model.next())
    const isOneRow = write.kind === 'update' || (write.kind === 'todos' && write.todos[0]!['owner'] === undefined)
    if (this.state !== state) this.#steps.push({ by, row: isOneRow ? row : undefined, old, made: this.model.view().row(row), at })
    return `set ${JSON.stringify(write)}`
  }

  #undo(): string {
    // A call that is settled has nothing by which it could be undone.
    this.#steps = this.#steps.filter(step => 'by' in step || step.state !== 'settled')
    const step = this.#steps.at(-1)
    const isLogged = step !== undefined && 'by' in step && (step.at === Infinity || [...this.#reads].some(read => read.at < step.at))
    if (step !== undefined && 'by' in step && !isLogged && step.row === undefined) return 'nothing'
    this.#steps.pop()
    if (step === undefined) this.met.add('nothing to undo')
    else if (!('by' in step)) {
      this.met.add('undo in flight')
      this.#failed(step)
    } else {
      this.met.add(isLogged ? 'undo in the log' : 'undo by inverse')
      if (isLogged) this.model.withdraw(step.by)
      else this.#inverse(step)
      this.#noteFlushed()
    }
    void this.#history.undo()
    return `undo ${JSON.stringify(step)}`
  }

  /** A write that has been compacted is taken back field by field, where nobody has written since. */
  #inverse({ row, old, made }: LocalWrite): void {
    const id = row!.slice('Todo '.length)
    const now = this.model.confirmed().row(row!)
    const position = this.model.next()
    if (made === undefined || same(old, made)) return
    if (old === undefined || now === undefined) {
      if (now !== undefined && same(now, made)) this.model.land(position, { kind: 'remove', id })
      return
    }
    for (const field of new Set([...Object.keys(old), ...Object.keys(made)])) {
      if (field === 'id' || same(old[field], made[field]) || !same(now[field], made[field])) continue
      this.model.land(position, { kind: 'field', id, field, value: old[field], from: now[field] })
    }
  }

  /** Patches of another tab. */
  #patch(): string {
    const tape = this.#tape
    const id = tape.pick(ids)
    const how = tape.int(4)
    const group = tape.pick(['', 'a'])
    const base = this.model.base()
    let patch: Patch = { op: 'remove', path: ['entities', 'Todo', id] }
    let write: Write = { kind: 'remove', id }
    if (how === 0) {
      const { owner: _, ...record } = this.#todo(id)
      patch = { op: 'add', path: ['entities', 'Todo', id], value: record }
      write = { kind: 'whole', id, record }
    } else if (how === 1 && base.row(`Todo ${id}`) !== undefined) {
      patch = { op: 'replace', path: ['entities', 'Todo', id, 'title'], value: 'foreign' }
      write = { kind: 'field', id, field: 'title', value: 'foreign' }
    } else if (how === 2 && base.list(`[Todo] ${listPk(group)}`)?.includes(id) === false) {
      patch = { op: 'add', path: ['entities', '[Todo]', listPk(group), 0], value: id }
      write = { kind: 'prepend', group, pk: id }
    }
    this.controller.applyPatches([patch], { origin: 'tab' })
    this.#landed = this.model.next()
    this.model.land(this.#landed, write)
    if (write.kind === 'remove') this.#deleted.set(id, this.#landed)
    return `patch ${JSON.stringify(patch)}`
  }

  /** An answer that was delivered before comes once more. */
  #again(): string {
    if (this.#past.length === 0) return 'nothing'
    const { state } = this
    this.#tape.pick(this.#past.slice(-200))()
    if (this.state !== state) broken('a second delivery changed something')
    return 'again'
  }

  /** Garbage is collected where nothing could bring it back. */
  #forget(): string {
    if (this.#reads.size > 0) return 'nothing'
    const id = this.#tape.pick(ids)
    this.controller.applyPatches([{ op: 'remove', path: ['entities', 'Todo', id] }], { origin: 'gc' })
    this.model.land(this.model.next(), { kind: 'forget', id })
    return `forget ${id}`
  }

  #reset(): string {
    if (this.#open.length + this.#reads.size > 0) this.met.add('reset in flight')
    for (const { comeLate } of this.#sent) this.#past.push(comeLate)
    for (const call of this.#open) call.state = 'failed'
    this.#reads.clear()
    this.#unsent.clear()
    this.#steps = []
    this.model.reset()
    this.controller.reset()
    return 'reset'
  }
}

/** What a call writes: what it shows before it is answered, and what its answer says. */
function writeOf(name: keyof typeof calls, todo: Fields, body: Fields): Write {
  const id = String(todo['id'])
  if (name === 'like' || name === 'remove') return { kind: name, id }
  if (name === 'move') return { kind: 'move', todo }
  return isCreation(name) ? { kind: 'add', todos: [todo], end: name === 'push', params: {}, body } : { kind: 'todos', todos: [todo] }
}

/** So many turns of the microtask queue later. */
export async function later(ticks: number): Promise<void> {
  for (let i = 0; i < ticks; i++) await undefined
}

/** The rows in their order of arrival. */
function orderOf(state: State): string {
  return JSON.stringify(exportState(state).entities.map(([key, rows]) => [key, rows.map(([pk]) => pk)]))
}

const sameDocs = (a: Doc, b: Doc): boolean => same(a.rows, b.rows) && same(a.results, b.results)

/** Throws when a state does not say what a document says, marks of deletion included. */
function expectDoc(state: State, doc: Doc, what: string): void {
  const { entities, endpoints } = exportState(state)
  let count = 0
  for (const [key, rows] of entities) {
    for (const [pk, record] of rows) {
      const name = `${key} ${pk}`
      const expected = doc.rows.get(name)
      if (expected !== undefined) count++
      if (!same(record ?? DELETED, expected)) broken(`${what}: ${name}`, record ?? 'deleted', expected === DELETED ? 'deleted' : expected)
    }
  }
  if (count !== doc.rows.size) broken(`${what}: rows are missing`, count, [...doc.rows.keys()])
  const results = new Map<string, unknown>(endpoints)
  if (!same(results, doc.results)) broken(`${what}: results`, results, doc.results)
}
