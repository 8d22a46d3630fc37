import { Controller, createResource, Entity, exportState } from '../../../src/index.ts'
import type { Action, AnyEndpoint, State } from '../../../src/index.ts'
import { same } from '../../support/same.ts'
import { broken } from '../../support/settings.ts'
import { readPks } from '../../support/state.ts'
import type { Tape } from '../../support/tape.ts'

type Fields = { readonly [field: string]: unknown }

class Task extends Entity {
  static override key = 'Task'
  id = ''
  title = ''
  n = 0
  group = ''
}

class Numbered extends Task {
  static override key = 'Numbered'
  static override version = 'rev'
  rev = 0
}

/** What is varied from run to run. */
export interface Setting {
  readonly versioned: boolean
  /** Some calls are not sent one after the other. */
  readonly loose: boolean
  readonly optimistic: boolean
  /** Lists tell less than a read of one row; a change answers with what has changed. */
  readonly partial: boolean
}

const shops = [true, false].map(versioned =>
  [true, false].map(optimistic => {
    const resource = createResource({ path: '/tasks/:id', schema: versioned ? Numbered : Task, optimistic })
    const named = { serial: false, getHeaders: (headers: object) => ({ ...headers, 'x-loose': 'yes' }) }
    return { resource, loose: resource.partialUpdate.extend(named as never) as unknown as AnyEndpoint }
  }),
)

/** Keeps rows, and takes one request at a time. */
class Server {
  rows: Fields[] = []
  readonly #setting: Setting
  #last = 0
  #rev = 0

  constructor(setting: Setting) {
    this.#setting = setting
    for (const title of ['a', 'b', 'c']) this.take('POST', '', {}, { title, n: 0, group: title === 'b' ? 'b' : 'a' })
  }

  take(method: string, id: string, query: Fields, body: Fields): { status: number; body?: unknown } {
    const { versioned, partial } = this.#setting
    const known = this.rows.find(row => row['id'] === id)
    const rev = versioned ? { rev: ++this.#rev } : {}
    if (method === 'POST') {
      const row = { n: 0, ...body, id: String(++this.#last), ...rev }
      this.rows = body['front'] ? [row, ...this.rows] : [...this.rows, row]
      return { status: 201, body: row }
    }
    if (id === '') {
      const listed = this.listed(String(query['group'] ?? ''))
      return { status: 200, body: partial ? listed.map(summary) : listed }
    }
    if (method === 'DELETE') {
      this.rows = this.rows.filter(row => row !== known)
      return { status: 204 }
    }
    if (known === undefined) return { status: 404, body: {} }
    if (method === 'GET') return { status: 200, body: known }
    const next = { ...known, ...body, ...rev }
    this.rows = this.rows.map(row => (row === known ? next : row))
    return { status: 200, body: partial && !versioned ? { id, ...body } : next }
  }

  listed(group: string): Fields[] {
    return this.rows.filter(row => group === '' || row['group'] === group)
  }
}

/** A request on its way, there or back. */
interface Flight {
  readonly method: string
  taken: { status: number; body?: unknown } | undefined
  readonly take: () => { status: number; body?: unknown }
  readonly answer: (response: Response) => void
  readonly lose: () => void
}

/** One client and its server. The server takes a request at some moment between its start and its answer. */
export class Exchange {
  readonly controller: Controller
  readonly met = new Set<string>()
  readonly #server: Server
  readonly #setting: Setting
  readonly #resource: (typeof shops)[number][number]['resource']
  readonly #loose: AnyEndpoint
  #base: State
  #inFlight: Flight[] = []
  #asking = false
  #leaked: string | undefined
  /** How often the controller asked by itself, and how often it had reason to. */
  #asked = 0
  #uncertain = 0
  readonly #calls = new Map<string, { count: number; loose: boolean; doubt: boolean }>()

  constructor(setting: Setting) {
    this.#setting = setting
    this.#server = new Server(setting)
    const { resource, loose } = shops[setting.versioned ? 0 : 1]![setting.optimistic ? 0 : 1]!
    this.#resource = resource
    this.#loose = loose
    const action = (each: Action): void => {
      if (each.type === 'fetch' && !each.endpoint.sideEffect && !this.#asking) this.#asked++
    }
    this.controller = new Controller({ fetch: (url, init) => this.#send(String(url), init ?? {}), retry: false, gc: false, managers: [{ action }] })
    this.#base = this.controller.snapshot()
    this.controller.subscribePatches(commit => void (this.#base = commit.base.after))
    this.#read('')
  }

  step(tape: Tape): string {
    const what = tape.int(100)
    if (what < 12) return this.#read(tape.pick(['', 'a', 'b']))
    if (what < 17) return this.#get(tape)
    if (what < 50) return this.#change(tape)
    if (what < 61) return this.#create(tape)
    if (what < 66) return this.#remove(tape)
    return this.move(tape) ?? 'nothing'
  }

  /** A request is taken, or answered, or lost before it was taken. */
  move(tape: Tape, lossy = true): string | undefined {
    if (this.#inFlight.length === 0) return undefined
    const flight = tape.pick(this.#inFlight)
    if (flight.taken === undefined) {
      if (lossy && flight.method !== 'GET' && tape.chance(12)) {
        flight.lose()
        return `lost ${flight.method}`
      }
      flight.taken = flight.take()
      return `taken ${flight.method} ${JSON.stringify(flight.taken)}`
    }
    return this.#answer(flight)
  }

  #answer(flight: Flight): string {
    const { status, body } = (flight.taken ??= flight.take())
    flight.answer(new Response(status === 204 ? null : JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } }))
    return `answered ${flight.method} ${JSON.stringify(flight.taken)}`
  }

  /** All is quiet: the client has what the server has. */
  end(): void {
    const { getResponse } = this.controller
    const state = this.controller.snapshot()
    if (this.#leaked !== undefined) broken('a temporary pk was sent', this.#leaked)
    if (this.#base !== state) broken('nothing is under way, and base and view differ')
    const rows = new Map(this.#server.rows.map(row => [String(row['id']), row]))
    for (const [pk, record] of exportState(state).entities.find(([key]) => key === this.#key)?.[1] ?? []) {
      const row = record as Fields | null
      const truth = rows.get(pk)
      if (row === null) {
        if (truth !== undefined) broken('a row is missing', truth)
        continue
      }
      if (truth === undefined) return broken('the server has no such row', row)
      for (const field of Object.keys(row)) if (!same(row[field], truth[field])) broken(`the server says otherwise: ${field}`, row, truth)
    }
    for (const group of ['', 'a', 'b']) {
      const visible = getResponse(this.#resource.getList, listArgs(group) as never).data?.map(({ id }) => id)
      const truth = this.#server.listed(group).map(({ id }) => id)
      if (visible !== undefined && !same(visible, truth)) broken(`the server lists otherwise: ${group}`, visible, truth)
    }
    const reasons = this.#setting.versioned ? 0 : this.#uncertain
    if (this.#asked > reasons) broken('reads by the controller itself, and reasons for them', this.#asked, reasons)
    if (this.#asked > 0) this.met.add('revalidated')
  }

  get #key(): string {
    return this.#setting.versioned ? 'Numbered' : 'Task'
  }

  #send(url: string, init: RequestInit): Promise<Response> {
    const { pathname, searchParams } = new URL(url, 'http://here')
    const method = init.method ?? 'GET'
    if (/new:/.test(decodeURIComponent(url) + String(init.body ?? ''))) this.#leaked = url
    const id = pathname.split('/')[2] ?? ''
    const left = method === 'GET' || id === '' ? () => {} : this.#meet(id, new Headers(init.headers).has('x-loose'))
    return new Promise((resolve, reject) => {
      const once = <T>(act: (value: T) => void): ((value: T) => void) => value => {
        this.#inFlight = this.#inFlight.filter(each => each !== flight)
        left()
        act(value)
      }
      const take = (): { status: number; body?: unknown } =>
        this.#server.take(method, id, Object.fromEntries(searchParams), init.body ? (JSON.parse(init.body as string) as Fields) : {})
      const flight: Flight = { method, taken: undefined, take, answer: once(resolve), lose: () => once(reject)(new TypeError('lost')) }
      this.#inFlight.push(flight)
      if (this.#inFlight.some(each => each.method === 'GET') && this.#inFlight.some(each => each.method !== 'GET')) this.met.add('read beside a call')
    })
  }

  #ask(endpoint: AnyEndpoint, args: Fields): void {
    this.#asking = true
    void this.controller.fetch(endpoint, args)
    this.#asking = false
  }

  #read(group: string): string {
    this.#ask(this.#resource.getList as unknown as AnyEndpoint, listArgs(group))
    return `list ${group}`
  }

  #get(tape: Tape): string {
    const id = this.#id(tape)
    if (id === undefined || id.startsWith('new:')) return 'nothing'
    this.#ask(this.#resource.get as unknown as AnyEndpoint, { id })
    return `get ${id}`
  }

  /** A row that shows. */
  #id(tape: Tape): string | undefined {
    const visible = readPks(this.controller.snapshot(), this.#key) ?? []
    // A list may have shown it before the call that made it is answered.
    const made = this.#inFlight.flatMap(({ method, taken }) => (method === 'POST' && taken ? [(taken.body as Fields)['id']] : []))
    const early = visible.find(pk => made.includes(pk))
    if (early !== undefined && tape.chance(80)) {
      this.met.add('known before its creation')
      return early
    }
    // Mostly one of the newest: those that are being made, and rows that somebody is changing already.
    return visible.length === 0 ? undefined : tape.pick(tape.chance(60) ? visible.slice(-2) : visible)
  }

  /** A call is at the server's door; the returned function is for when it is over. */
  #meet(id: string, loose: boolean): () => void {
    const open = this.#calls.get(id) ?? { count: 0, loose: false, doubt: false }
    this.#calls.set(id, open)
    open.count++
    open.loose ||= loose
    open.doubt ||= open.loose && open.count > 1
    if (open.doubt) this.met.add('doubt')
    return () => {
      if (--open.count > 0) return
      this.#calls.delete(id)
      if (open.doubt) this.#uncertain++
    }
  }

  #call(endpoint: AnyEndpoint, params: { readonly id: string }, ...rest: Fields[]): void {
    if (params.id.startsWith('new:')) this.met.add('waits for a pk')
    void this.controller.fetch(endpoint, params, ...rest)
  }

  #change(tape: Tape): string {
    const id = this.#id(tape)
    if (id === undefined) return 'nothing'
    const loose = this.#setting.loose && tape.chance(60)
    const body = tape.chance(50) ? { title: `t${tape.int(9)}` } : tape.chance(70) ? { n: tape.int(9) } : { n: tape.int(9), title: `t${tape.int(9)}` }
    this.#call(loose ? this.#loose : (this.#resource.partialUpdate as unknown as AnyEndpoint), { id }, body)
    return `change ${id} ${JSON.stringify(body)} ${loose ? 'loose' : ''}`
  }

  #create(tape: Tape): string {
    const { push, unshift } = this.#resource.getList
    const front = tape.chance(40)
    const body = { title: `t${tape.int(9)}`, group: tape.pick(['a', 'b']), ...(front ? { front } : {}) }
    void this.controller.fetch(front ? unshift : push, body as never)
    return `create ${JSON.stringify(body)}${tape.chance(60) ? this.#tellEarly() : ''}`
  }

  /** The server takes what is sent to it, and tells of all of it in a list before it answers. */
  #tellEarly(): string {
    for (const flight of this.#inFlight) if (flight.method === 'POST') flight.taken ??= flight.take()
    this.#read('')
    return this.#inFlight.filter(({ method }) => method === 'GET').map(flight => `, ${this.#answer(flight)}`).join('')
  }

  #remove(tape: Tape): string {
    const id = this.#id(tape)
    if (id === undefined) return 'nothing'
    // A change that the server took before a deletion and answers after it: of that no read can tell.
    if (this.#setting.loose) return 'nothing'
    this.met.add('deleted')
    this.#call(this.#resource.delete as unknown as AnyEndpoint, { id })
    return `delete ${id}`
  }
}

function summary(task: Fields): Fields {
  const { n: _, ...row } = task
  return row
}

function listArgs(group: string): Fields {
  return group === '' ? {} : { group }
}
