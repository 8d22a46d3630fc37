import { createHistory, type History } from '../../../src/history/index.ts'
import { Controller, createNetwork } from '../../../src/index.ts'
import type { Action, AnyEndpoint, FetchAction, Manager, State } from '../../../src/index.ts'
import { same } from '../../support/same.ts'
import { broken } from '../../support/settings.ts'
import { readPks } from '../../support/state.ts'
import type { Tape } from '../../support/tape.ts'
import { ModelCall, Model, updated, type Fields, type Write } from './model.ts'
import { calls, quiet, reads, Todo } from './shop.ts'
import { expectDoc, sameDocs, type Clockwork } from './world.ts'

type ReadName = keyof typeof reads
type CallName = keyof typeof calls
type Outcome = { readonly value: unknown; readonly write: Write } | 'malformed' | 'failed'

/** A read as the model knows it, from when it was asked for. */
interface OpenRead {
  readonly at: number
  readonly action: FetchAction
  /** The controller has asked again by itself: nobody joins this one any more. */
  isReplaced: boolean
  outcome: Outcome | undefined
}

interface OpenCall {
  readonly name: CallName
  readonly intent: ModelCall
  readonly key: string
  temporary: string | undefined
  /** The creations whose pks it waits for. */
  readonly waitsFor: readonly OpenCall[]
  state: 'open' | 'settled' | 'failed'
  /** Whether its promise has come to something. */
  isSettled: boolean
  outcome: Outcome | undefined
}

/** What the model remembers of something that can be undone. */
type Step = OpenCall | { readonly by: object; readonly name: string; old: Fields | undefined; made: Fields | undefined; at: number }

/** A request at the transport, which has not answered yet. */
interface Sent {
  readonly lane: string | undefined
  readonly signal: AbortSignal
  readonly release: (ticks: number) => void
}

const TEMPORARY = /new:\w+\.\d+\.\d+/
const ids = ['1', '2', '3', '4']
const groupOf = (args: readonly unknown[]): string => String((args[0] as Fields)['group'] ?? '')
const isCreation = (name: string): boolean => name === 'push' || name === 'unshift'

/**
 * A controller with its own network, and the model, given the same steps. What comes when is decided by promises: answers are let
 * go in any number at once, and each needs some turns of the microtask queue more than another.
 */
export class Traffic {
  readonly controller: Controller
  readonly #history: History
  readonly model = new Model()
  readonly met = new Set<string>()
  readonly errors: unknown[] = []
  #base: State
  readonly #clockwork: Clockwork
  #tape!: Tape
  #time = 1_700_000_000_000
  #events = 0
  #landed = 0
  #asking = false
  readonly #deleted = new Map<string, number>()
  readonly #sent = new Set<Sent>()
  #reads = new Set<OpenRead>()
  #calls: OpenCall[] = []
  #steps: Step[] = []
  readonly #open = new Map<FetchAction, OpenRead | OpenCall>()
  /** The call that is being made: the network hears of it before the one who makes it has its promise. */
  readonly #byKey = new Map<string, OpenCall[]>()

  constructor(clockwork: Clockwork, concurrency: number) {
    this.#clockwork = clockwork
    const clock = { now: () => 0, date: () => this.#time, after: () => () => {} }
    this.controller = new Controller({ clock, gc: false, managers: [this.#manager(concurrency)], onError: error => this.errors.push(error) })
    this.#history = createHistory(this.controller)
    this.#base = this.controller.snapshot()
    this.controller.subscribePatches(commit => void (this.#base = commit.base.after))
  }

  /** One thing happens, or some answers are on their way. */
  step(tape: Tape): string {
    this.#tape = tape
    if (this.#clockwork !== 'frozen') this.#time += tape.int(3)
    if (this.#clockwork === 'jumping' && tape.chance(20)) this.#time += tape.chance(50) ? 3_600_000 : -3_600_000
    const what = tape.int(100)
    if (what < 22) return this.#fetch()
    if (what < 54) return this.#call()
    if (what < 80) return this.#release(1 + tape.int(4))
    if (what < 84) return this.#abort()
    if (what < 91) return this.#set()
    if (what < 97) return this.#undo()
    return tape.chance(60) ? this.#reset() : 'nothing'
  }

  /** Everything that is at the transport comes back. */
  settle(tape: Tape): string | undefined {
    this.#tape = tape
    return this.#sent.size > 0 ? this.#release(1 + tape.int(3)) : undefined
  }

  /** With nothing left to be done in this turn: base and view are what the model says, and where nothing is pending they are one. */
  look(): void {
    const { model, controller } = this
    const base = model.base()
    expectDoc(this.#base, base, 'base')
    expectDoc(controller.snapshot(), model.view(undefined, base), 'view')
    if (model.intents.length === 0 && this.#base !== controller.snapshot()) broken('nothing is pending, and base and view differ')
    const unexpected = this.errors.filter(error => (error as Error).message !== 'unlucky')
    if (unexpected.length > 0) throw unexpected[0]
  }

  /** Nothing is under way: nobody waits, and nothing shows that anybody did. */
  end(): void {
    if (this.#calls.some(({ isSettled, state }) => !isSettled || state === 'open')) broken('a call never came to anything')
    if (this.#reads.size > 0) broken('a read never came to anything')
    if (this.model.intents.length !== 0) broken('calls at the end', this.model.intents.length)
    if (this.#base !== this.controller.snapshot()) broken('nothing is under way, and base and view differ')
  }

  /** The controller's own network, listened to: the model hears of an answer when the store does. */
  #manager(concurrency: number): Manager {
    const network = createNetwork({ retry: false, concurrency })
    return {
      ...network,
      action: (action: Action) => {
        if (action.type !== 'fetch') return
        const open = action.endpoint.sideEffect ? this.#byKey.get(action.key)?.shift() : this.#begun(action)
        if (open === undefined) return this.#wrong('a call was sent that had ended', action.key)
        this.#open.set(action, open)
        const heard = Object.defineProperties({} as FetchAction, Object.getOwnPropertyDescriptors(action))
        const answer = (value: unknown): void => {
          this.#tell(open, action.args)
          action.answer(value)
        }
        const fail = (error: unknown): void => {
          this.#lost(open)
          action.fail(error)
        }
        const endpoint = (action.endpoint as unknown as { extend(options: object): AnyEndpoint }).extend({
          fetch: (...args: unknown[]) => this.#transport(open, action, args),
        })
        for (const [name, value] of Object.entries({ answer, fail, endpoint })) Object.defineProperty(heard, name, { value })
        return network.action!(heard)
      },
    }
  }

  #wrong(sentence: string, value: unknown): void {
    this.errors.push(new Error(`${sentence}: ${JSON.stringify(value)}`))
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

  #transport(open: OpenRead | OpenCall, action: FetchAction, args: readonly unknown[]): Promise<unknown> {
    // Logged and not thrown: what is thrown here is a request that failed.
    if (TEMPORARY.test(JSON.stringify(args))) this.#wrong('a temporary pk was sent', args)
    if ('intent' in open) open.intent.send(this.model.confirmed())
    const { lane, signal } = action
    for (const other of this.#sent) if (lane !== undefined && other.lane === lane && !other.signal.aborted) this.#wrong('two calls to one entity are under way', lane)
    return new Promise((resolve, reject) => {
      const sent: Sent = {
        lane,
        signal,
        release: ticks => {
          this.#sent.delete(sent)
          const outcome = (open.outcome = this.#answer(open, args))
          const come = (): void => (outcome === 'failed' ? reject(new Error('lost')) : resolve(outcome === 'malformed' ? { title: 'of nobody' } : outcome.value))
          void later(ticks).then(come)
        },
      }
      this.#sent.add(sent)
      signal.addEventListener('abort', () => {
        this.#sent.delete(sent)
        reject(signal.reason as Error)
      })
    })
  }

  #answer(open: OpenRead | OpenCall, args: readonly unknown[]): Outcome {
    const tape = this.#tape
    if (tape.chance(15)) return 'failed'
    if ('at' in open) return this.#readAnswer(open.action, args)
    const { name } = open
    if ((name === 'put' || name === 'move') && tape.chance(6)) return 'malformed'
    const [params, body] = args as readonly Fields[]
    const id = isCreation(name) ? (tape.chance(70) ? `r${++this.#events}` : tape.pick(ids)) : String(params!['id'])
    const value = name === 'remove' ? { id } : this.#todo(id)
    if (name === 'remove') return { value, write: { kind: 'remove', id } }
    if (name === 'move') return { value, write: { kind: 'move', todo: value } }
    if (isCreation(name)) return { value, write: { kind: 'add', todos: [value], end: name === 'push', params: {}, body: body! } }
    return { value, write: { kind: 'todos', todos: [value] } }
  }

  #readAnswer({ key }: FetchAction, args: readonly unknown[]): Outcome {
    const name = key.split(' ')[0]!
    const list = name === 'GET' ? [this.#todo(String((args[0] as Fields)['id']))] : this.#tape.some(ids).map(id => this.#todo(id))
    if (name === 'GET') return { value: list[0], write: { kind: 'todos', todos: list, result: key, single: true } }
    const count = this.#tape.int(3)
    if (name === 'PAGE') return { value: { items: list, count }, write: { kind: 'page', todos: list, count } }
    if (name === 'MORE') return { value: list, write: { kind: 'add', todos: list, end: true, params: args[0] as Fields, body: {}, more: true } }
    return { value: list, write: { kind: 'list', todos: list, group: groupOf(args), result: key } }
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
    const { write, value } = outcome
    const id = (value as { id: string }).id
    const names = new Map(open.temporary !== undefined && open.intent.write !== undefined ? [[open.temporary, id]] : [])
    this.model.settle(open.intent, write, names)
    for (const [from, to] of names) {
      const renamed = <T>(value: T): T => (value === undefined ? value : (JSON.parse(JSON.stringify(value).replaceAll(from, to)) as T))
      this.#steps = this.#steps.map(step => ('by' in step ? { ...step, name: renamed(step.name), old: renamed(step.old), made: renamed(step.made) } : step))
    }
    this.#landed = this.model.next()
    if (open.name === 'remove') this.#deleted.set(id, this.#landed)
    this.#sunk()
  }

  #lost(open: OpenRead | OpenCall): void {
    if ('at' in open) this.#reads.delete(open)
    else this.#failed(open)
  }

  #failed(call: OpenCall): void {
    if (call.state !== 'open') return
    call.state = 'failed'
    this.model.fail(call.intent, call.temporary)
    this.#steps = this.#steps.filter(step => step !== call)
    this.#sunk()
  }

  /** Where writes that have waited stand now, and what each has done there. */
  #sunk(): void {
    for (const step of this.#steps) {
      if (!('by' in step) || step.at < Infinity || this.model.intents.includes(step.by as ModelCall)) continue
      step.at = this.model.next()
      const { sunk } = step.by as ModelCall
      // It went with what it spoke of, or it changes nothing any more.
      if (sunk === undefined || sameDocs(sunk.before, sunk.after)) this.#steps = this.#steps.filter(each => each !== step)
      else Object.assign(step, { old: sunk.before.row(step.name), made: sunk.after.row(step.name) })
    }
  }

  #todo(id: string): Fields {
    const tape = this.#tape
    const todo: { [field: string]: unknown } = { id }
    if (tape.chance(50)) todo['title'] = `t${tape.int(3)}`
    if (tape.chance(40)) todo['n'] = tape.int(4)
    if (tape.chance(40)) todo['group'] = tape.pick(['a', 'b'])
    if (tape.chance(30)) todo['owner'] = { id: tape.pick(['o1', 'o2']), log: [`e${++this.#events}`] }
    return todo
  }

  #creations(): OpenCall[] {
    return this.#calls.filter(({ state, temporary, intent }) => state === 'open' && temporary !== undefined && intent.write !== undefined)
  }

  #id(): string {
    const made = this.#creations()
    return made.length > 0 && this.#tape.chance(45) ? this.#tape.pick(made).temporary! : this.#tape.pick(ids)
  }

  #overlap(): void {
    if (this.#reads.size + this.#calls.filter(({ state }) => state === 'open').length > 1) this.met.add('overlap')
  }

  #fetch(): string {
    const tape = this.#tape
    const name: ReadName = tape.pick(['get', 'list', 'list', 'page', 'more'])
    const group = tape.pick(['', 'a', 'b'])
    const args = name === 'get' ? { id: tape.pick(ids) } : name === 'page' || group === '' ? {} : { group }
    this.#asking = true
    void this.controller.fetch(reads[name], args)
    this.#asking = false
    this.#overlap()
    return `fetch ${name} ${JSON.stringify(args)}`
  }

  #call(): string {
    const tape = this.#tape
    const name: CallName = tape.pick(['put', 'put', 'like', 'remove', 'remove', 'push', 'push', 'unshift', 'move'])
    const id = this.#id()
    const { id: _, ...fields } = this.#todo('')
    const body: { [field: string]: unknown } = fields
    const creates = isCreation(name)
    if (name === 'move' || name === 'push') body['group'] ??= 'a'
    const made = this.#creations()
    if (made.length > 0 && tape.chance(15)) body['title'] = tape.pick(made).temporary
    const args: Fields[] = creates ? [{}, body] : [{ id }, body]
    const shows = tape.chance(80)
    const endpoint = shows ? calls[name] : quiet[name]!
    const mentioned = made.filter(({ temporary }) => JSON.stringify(args).includes(temporary!))
    let write: Write = { kind: 'todos', todos: [{ ...body, id }] }
    if (name === 'like') write = { kind: 'like', id }
    if (name === 'remove') write = { kind: 'remove', id }
    if (name === 'move') write = { kind: 'move', todo: { ...body, id } }
    if (creates) write = { kind: 'add', todos: [{ ...body, id: '' }], end: name === 'push', params: {}, body }
    const about = [...(creates ? [] : [`Todo ${id}`]), ...(creates || name === 'move' ? ['[Todo]'] : []), ...mentioned.map(({ temporary }) => temporary!)]
    const nothing = name === 'like' && this.model.view().row(`Todo ${id}`) === undefined
    const intent = new ModelCall(about, shows && !nothing ? write : undefined, this.model.base())
    const key = endpoint.key(...args)
    const call: OpenCall = { name, intent, key, temporary: undefined, waitsFor: mentioned, state: 'open', isSettled: false, outcome: undefined }
    if (mentioned.length > 0) this.met.add('waits for a pk')
    this.model.intents.push(intent)
    this.#calls.push(call)
    this.#steps.push(call)
    this.#byKey.set(key, [...(this.#byKey.get(key) ?? []), call])
    const before = new Set(this.#temporaries())
    this.controller.fetch(endpoint, ...args).then(() => void (call.isSettled = true), () => {
      call.isSettled = true
      if (call.state !== 'open') return
      // What waits for a creation is never sent when that fails.
      if (!call.waitsFor.some(({ state }) => state === 'failed')) this.#wrong('a call failed by itself', key)
      this.#byKey.set(key, this.#byKey.get(key)!.filter(each => each !== call))
      this.met.add('fails with its creation')
      this.#failed(call)
    })
    if (shows && creates) {
      call.temporary = this.#temporaries().find(pk => !before.has(pk)) ?? broken('a creation has no temporary pk')
      intent.about.push(call.temporary)
      intent.write = { ...write, todos: [{ ...body, id: call.temporary }] } as Write
    }
    this.#overlap()
    if (this.model.intents.filter(each => each.write && !each.isDeferred).length > 1) this.met.add('two layers')
    return `call ${name} ${JSON.stringify(args)} ${shows ? 'shows' : ''}`
  }

  #temporaries(): string[] {
    return (readPks(this.controller.snapshot(), 'Todo') ?? []).filter(pk => pk.startsWith('new:'))
  }

  /** Some of what is at the transport answers, each after some turns of its own. */
  #release(count: number): string {
    const tape = this.#tape
    let line = 0
    for (; line < count && this.#sent.size > 0; line++) tape.pick([...this.#sent]).release(tape.int(6))
    if (line > 1) this.met.add('answers at once')
    return `${line} answers`
  }

  #abort(): string {
    const open = [...this.#calls.filter(({ state }) => state === 'open'), ...this.#reads]
    if (open.length === 0) return 'nothing'
    const one = this.#tape.pick(open)
    const key = 'at' in one ? one.action.key : one.key
    for (const call of this.#calls) if (call.key === key) this.#failed(call)
    for (const read of this.#reads) if (read.action.key === key) this.#reads.delete(read)
    this.#byKey.delete(key)
    this.controller.abort({ key: () => key } as unknown as AnyEndpoint)
    return `abort ${key}`
  }

  #set(): string {
    const tape = this.#tape
    const id = this.#id()
    const name = `Todo ${id}`
    const recipe = tape.pick(['inc', 'double', 'toggle', 'x'])
    const { owner: _, ...value } = this.#todo(id)
    const byRecipe = tape.chance(60)
    const old = this.model.view().row(name)
    if (byRecipe && old === undefined) return 'nothing'
    const write: Write = byRecipe ? { kind: 'update', id, how: recipe } : { kind: 'todos', todos: [value] }
    const mentions = this.#creations().flatMap(({ temporary }) => (JSON.stringify(write).includes(temporary!) ? [temporary!] : []))
    const by = this.model.set(write, mentions)
    const before = this.controller.snapshot()
    this.controller.set(Todo, { id }, byRecipe ? (draft: object) => updated(draft as Fields, recipe) : value)
    const at = this.model.intents.includes(by as ModelCall) ? Infinity : this.model.next()
    if (this.controller.snapshot() !== before) this.#steps.push({ by, name, old, made: this.model.view().row(name)!, at })
    return `set ${JSON.stringify(write)}`
  }

  #undo(): string {
    const line = this.#undone()
    void this.#history.undo()
    return line
  }

  #undone(): string {
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) {
      if (!('by' in step)) {
        if (step.state === 'settled') continue
        this.met.add('undo in flight')
        // What was undone is not sent any more, if it was waiting.
        this.#byKey.set(step.key, (this.#byKey.get(step.key) ?? []).filter(each => each !== step))
        this.#failed(step)
        return `undo ${step.name}`
      }
      const { by, at } = step
      const knows = this.model.intents.includes(by as ModelCall) || [...this.#reads].some(read => read.at < at)
      this.met.add(knows ? 'undo in the log' : 'undo by inverse')
      if (knows) this.model.withdraw(by)
      else this.#inverse(step)
      this.#sunk()
      return `undo set ${step.name}`
    }
    return 'undo nothing'
  }

  /** A write that has been compacted is taken back field by field, where nobody has written since. */
  #inverse({ name, old, made }: Exclude<Step, OpenCall>): void {
    const id = name.slice('Todo '.length)
    const now = this.model.confirmed().row(name)
    const position = this.model.next()
    if (made === undefined || same(old, made)) return
    if (old === undefined || now === undefined) {
      if (now !== undefined && same(now, made)) this.model.land(position, { kind: 'remove', id })
      return
    }
    for (const field of new Set([...Object.keys(old), ...Object.keys(made)])) {
      if (field === 'id' || same(old[field], made[field]) || !same(now[field], made[field])) continue
      this.model.land(position, { kind: 'field', id, field, value: old[field] })
    }
  }

  #reset(): string {
    const open = this.#calls.filter(({ state }) => state === 'open')
    if (open.length + this.#reads.size > 0) this.met.add('reset in flight')
    for (const call of open) call.state = 'failed'
    this.#reads.clear()
    this.#byKey.clear()
    this.#steps = []
    this.model.reset()
    this.controller.reset()
    return 'reset'
  }
}

/** So many turns of the microtask queue later. */
export async function later(ticks: number): Promise<void> {
  for (let i = 0; i < ticks; i++) await undefined
}
