/** The order of things, as simple as can be: a list of all writes, run again at every look. Uses nothing of the library. */

export type Fields = { readonly [field: string]: unknown }
export const DELETED: unique symbol = Symbol('deleted')

/** Rows by `table pk`, results by key. */
export class Doc {
  readonly rows: Map<string, unknown>
  readonly results: Map<string, unknown>

  constructor(rows: Iterable<[string, unknown]> = [], results: Iterable<[string, unknown]> = []) {
    this.rows = new Map(rows)
    this.results = new Map(results)
  }

  clone(): Doc {
    return new Doc(this.rows, this.results)
  }

  row(name: string): Fields | undefined {
    const row = this.rows.get(name)
    return row === DELETED ? undefined : (row as Fields | undefined)
  }

  list(name: string): readonly string[] | undefined {
    return this.row(name) as unknown as readonly string[] | undefined
  }
}

/** A write as plain data: temporary pks in it are renamed by text. */
export type Write =
  | { readonly kind: 'todos'; readonly todos: readonly Fields[]; readonly result?: string; readonly single?: boolean }
  | { readonly kind: 'page'; readonly todos: readonly Fields[]; readonly count: number }
  | { readonly kind: 'list'; readonly todos: readonly Fields[]; readonly group: string; readonly result?: string }
  | { readonly kind: 'add'; readonly todos: readonly Fields[]; readonly end: boolean; readonly params: Fields; readonly body: Fields; readonly more?: boolean; readonly first?: boolean }
  | { readonly kind: 'move'; readonly todo: Fields; /** The groups that it was known to be in when it was asked for. */ readonly from?: readonly unknown[] }
  | { readonly kind: 'remove' | 'like' | 'forget'; readonly id: string }
  | { readonly kind: 'update'; readonly id: string; readonly how: string; readonly first?: boolean }
  | { readonly kind: 'whole'; readonly id: string; readonly record: Fields }
  | { readonly kind: 'field'; readonly id: string; readonly field: string; readonly value: unknown; readonly from?: unknown }
  | { readonly kind: 'prepend'; readonly group: string; readonly pk: string }

export const listPk = (group: string): string => (group === '' ? '{}' : `{"group":"${group}"}`)
const listName = (group: string): string => `[Todo] ${listPk(group)}`
const pkOf = (todo: Fields): string => String(todo['id'])

/** Does something to a document. Throws where a layer would have no effect. */
export function say(doc: Doc, write: Write): void {
  if ('todos' in write) write.todos.forEach(todo => writeTodo(doc, todo, write.kind === 'add' && write.first))
  switch (write.kind) {
    case 'todos':
      if (write.result !== undefined) doc.results.set(write.result, write.single ? pkOf(write.todos[0]!) : write.todos.map(pkOf))
      return
    case 'page':
      doc.results.set('PAGE', { items: write.todos.map(pkOf), count: write.count })
      return
    case 'list':
      doc.rows.set(listName(write.group), write.todos.map(pkOf))
      if (write.result !== undefined) doc.results.set(write.result, listPk(write.group))
      return
    case 'add': {
      for (const [name, group, list] of listsOf(doc)) {
        if (group !== '' && write.params['group'] !== group && write.body['group'] !== group) continue
        const fresh = write.todos.map(pkOf).filter(pk => !list.includes(pk))
        if (fresh.length > 0) doc.rows.set(name, write.end ? [...list, ...fresh] : [...fresh, ...list])
      }
      const page = doc.results.get('PAGE') as { count: number } | undefined
      if (write.more) {
        if (page !== undefined) doc.results.set('PAGE', { ...page, count: page.count * 2 + 1 })
        doc.results.set(`MORE ${String(write.params['group'] ?? '')}`, write.todos.map(pkOf))
      }
      return
    }
    case 'move': {
      const pk = pkOf(write.todo)
      const before = doc.row(`Todo ${pk}`)
      writeTodo(doc, write.todo)
      const now = doc.row(`Todo ${pk}`)!
      for (const [name, group, list] of listsOf(doc)) {
        const belongs = group === '' || now['group'] === group
        if (belongs && !list.includes(pk)) doc.rows.set(name, [...list, pk])
        if (!belongs && [before?.['group'], ...(write.from ?? [])].includes(group) && list.includes(pk)) doc.rows.set(name, list.filter(each => each !== pk))
      }
      return
    }
    case 'remove':
      return void doc.rows.set(`Todo ${write.id}`, DELETED)
    case 'update': {
      const row = doc.row(`Todo ${write.id}`)
      if (row === undefined) throw new Error('missing')
      return void doc.rows.set(`Todo ${write.id}`, updated(row, write.how))
    }
    case 'like': {
      const row = doc.row(`Todo ${write.id}`)
      if (row === undefined) throw new Error('abort')
      const n = ((row['n'] as number | undefined) ?? 0) * 2 + 1
      if (n % 5 === 0) throw new Error('unlucky')
      return writeTodo(doc, { id: write.id, n })
    }
    case 'whole':
      return void doc.rows.set(`Todo ${write.id}`, write.record)
    case 'field': {
      const row = doc.row(`Todo ${write.id}`)
      const { [write.field]: _, ...rest } = row ?? {}
      const [value, from, now] = [write.value, write.from, row?.[write.field]]
      const lists = [value, from, now].every(Array.isArray)
      return void (row && doc.rows.set(`Todo ${write.id}`, value === undefined ? rest : { ...rest, [write.field]: lists ? membersAfter(value as string[], from as string[], now as string[]) : value }))
    }
    case 'prepend': {
      const list = doc.list(listName(write.group))
      return void (list?.includes(write.pk) === false && doc.rows.set(listName(write.group), [write.pk, ...list]))
    }
    case 'forget':
      doc.rows.delete(`Todo ${write.id}`)
  }
}

export function updated(row: Fields, how: string): Fields {
  const n = (row['n'] as number | undefined) ?? 0
  const tags = (row['tags'] as readonly string[] | undefined) ?? []
  if (how === 'inc') return { ...row, n: n + 1 }
  if (how === 'double') return { ...row, n: n * 2 }
  if (how === 'toggle') return { ...row, done: row['done'] !== true }
  if (how === 'reverse') return { ...row, tags: [...tags].reverse() }
  return tags.includes(how) ? row : { ...row, tags: [...tags, how] }
}

/** A list whose members came and went as from `from` to `to`; an equal list becomes `to`. New members are behind those that they stood behind. */
function membersAfter(to: readonly string[], from: readonly string[], list: readonly string[]): readonly string[] {
  if (String(list) === String(from)) return to
  const behind = (next: readonly string[], at: number): number => next.indexOf(to.slice(0, at).findLast(each => next.includes(each))!) + 1
  const stays = list.filter(each => to.includes(each) || !from.includes(each))
  return to.reduce((next, each, at) => (next.includes(each) || from.includes(each) ? next : next.toSpliced(behind(next, at), 0, each)), stays)
}

/** `first`: it tells how the row came to be, and so less than whatever is known of it. */
function writeTodo(doc: Doc, { owner, ...todo }: Fields, first = false): void {
  const fields: { [field: string]: unknown } = { ...todo }
  if (owner !== undefined) {
    const { id, log } = owner as { id: string; log: readonly string[] }
    const known = doc.row(`Owner ${id}`)
    // Not idempotent and not commutative: any other order, and any repetition, shows.
    doc.rows.set(`Owner ${id}`, known === undefined ? { id, log } : { id, log: [...(known['log'] as string[]), ...log] })
    fields['owner'] = id
  }
  const name = `Todo ${pkOf(todo)}`
  if (first && doc.rows.get(name) === DELETED) return
  doc.rows.set(name, first ? { ...fields, ...doc.row(name) } : { ...doc.row(name), ...fields })
}

function* listsOf(doc: Doc): Generator<[name: string, group: string, list: readonly string[]]> {
  for (const group of ['', 'a', 'b']) {
    const list = doc.list(listName(group))
    if (list !== undefined) yield [listName(group), group, list]
  }
}

/** What something is about: `Todo 1`, or `[Todo]` for the members of all lists. */
export function aboutOf(write: Write): string[] {
  const rows = (todos: readonly Fields[]): string[] =>
    todos.flatMap(todo => [`Todo ${pkOf(todo)}`, ...(todo['owner'] ? [`Owner ${(todo['owner'] as { id: string }).id}`] : [])])
  if (write.kind === 'add') return ['[Todo]', ...rows(write.todos)]
  if (write.kind === 'move') return ['[Todo]', ...rows([write.todo])]
  if (write.kind === 'list') return [listName(write.group), ...rows(write.todos)]
  return 'todos' in write ? rows(write.todos) : 'id' in write ? [`Todo ${write.id}`] : []
}

function overlap(a: readonly string[], b: readonly string[]): boolean {
  return a.some(x => b.some(y => x === y || (x.startsWith('[Todo]') && y.startsWith('[Todo]') && (x === '[Todo]' || y === '[Todo]'))))
}

/** A call that is not settled, or something that must stay above one. */
export class ModelCall {
  about: string[]
  /** What shows; undefined for a call that shows nothing. */
  write: Write | undefined
  /** The base when the call was made; undefined for a write that is deferred above a call. */
  readonly before: Doc | undefined
  /** What was known when it went out; undefined before that: then what is known now counts. */
  sent: Doc | undefined
  readonly isDeferred: boolean
  /** It is no answer, but a write of this client. */
  isLocal = false
  /** What it did when it no longer had to wait. */
  sunk: { readonly before: Doc; readonly after: Doc } | undefined

  constructor(about: readonly string[], write: Write | undefined, before?: Doc) {
    this.about = [...about]
    this.write = write && movedFrom(write, before)
    this.before = before
    this.isDeferred = before === undefined
  }

  /** It goes out, and `known` is known by then: a move leaves the groups that its todo is in now, too. */
  send(known: Doc): void {
    this.sent = known
    this.write = this.write && movedFrom(this.write, this.before, known)
  }
}

export class Model {
  #position = 0
  log: { position: number; write: Write; by: object | undefined }[] = []
  intents: ModelCall[] = []

  next(): number {
    return ++this.#position
  }

  /** A write lands at its position. */
  land(position: number, write: Write, by?: object): void {
    this.log.push({ position, write, by })
    this.log.sort((a, b) => a.position - b.position)
  }

  /** Takes out the write of `by`. */
  withdraw(by: object): void {
    this.log = this.log.filter(entry => entry.by !== by)
    this.intents = this.intents.filter(intent => intent !== by)
    this.#flush()
  }

  base(): Doc {
    return this.log.reduce((doc, { write }) => after(doc, write), new Doc())
  }

  view(until?: ModelCall, base: Doc = this.base()): Doc {
    let doc = base
    for (const intent of this.intents) {
      const isWaiting = intent.write?.kind === 'move' && !intent.isDeferred && !intent.sent
      if (intent.write !== undefined) doc = after(doc, isWaiting ? movedFrom(intent.write, intent.before, this.confirmed()) : intent.write)
      if (intent === until) break
    }
    return doc
  }

  /** The base with what is only waiting over it. */
  settled(): Doc {
    return this.intents.reduce((doc, { isDeferred, write }) => (isDeferred ? after(doc, write!) : doc), this.base())
  }

  /** The base with the answers that wait over it. */
  confirmed(): Doc {
    return this.intents.reduce((doc, { isDeferred, isLocal, write }) => (isDeferred && !isLocal ? after(doc, write!) : doc), this.base())
  }

  overlaps(about: readonly string[], until?: ModelCall): boolean {
    const earlier = until === undefined ? this.intents : this.intents.slice(0, this.intents.indexOf(until))
    return earlier.some(intent => overlap(intent.about, about))
  }

  /** A local write: at once, or deferred. Returns the object by which it is withdrawn. */
  set(write: Write, mentions: readonly string[]): object {
    const about = [...aboutOf(write), ...mentions]
    let blocker = this.overlaps(about) ? about : undefined
    if (blocker === undefined && write.kind === 'update' && this.base().row(`Todo ${write.id}`) === undefined) {
      blocker = this.intents.find(intent => this.view(intent).row(`Todo ${write.id}`) !== undefined)?.about
    }
    if (blocker === undefined) {
      const by = {}
      this.land(this.next(), write, by)
      return by
    }
    const intent = new ModelCall([...about, ...blocker], write)
    intent.isLocal = true
    this.intents.push(intent)
    return intent
  }

  settle(call: ModelCall, answer: Write, names: ReadonlyMap<string, string>): void {
    const at = this.intents.indexOf(call)
    const write = answer.kind === 'add' ? { ...answer, first: !call.before!.rows.has(`Todo ${pkOf(answer.todos[0]!)}`) } : movedFrom(answer, call.before, call.sent)
    const isDeferred = this.overlaps(call.about, call) ? new ModelCall([...call.about, ...aboutOf(write)], write) : undefined
    if (isDeferred) this.intents[at] = isDeferred
    else {
      this.intents.splice(at, 1)
      this.land(this.next(), write)
    }
    for (const [from, to] of names) {
      // Who waited for the name is sent now: after those who knew the name already.
      const rival = this.intents.findLast(each => each !== isDeferred && !each.about.includes(from) && each.about.includes(`Todo ${to}`))
      const late = this.intents.slice(0, Math.max(0, this.intents.indexOf(rival!))).filter(each => each !== isDeferred && each.about.includes(from))
      this.intents = this.intents.filter(each => !late.includes(each)).flatMap(each => (each === rival ? [each, ...late] : [each]))
      for (const intent of this.intents) {
        intent.about = intent.about.filter(each => each !== from).map(each => each.replace(from, to))
        if (intent.write) intent.write = movedFrom(JSON.parse(JSON.stringify(intent.write).replaceAll(from, to)) as Write, intent.before, intent.sent)
      }
    }
    this.#flush()
  }

  fail(call: ModelCall, temporary: string | undefined): void {
    this.intents = this.intents.filter(each => each !== call && !(each.isDeferred && temporary !== undefined && each.about.includes(temporary)))
    this.#flush()
  }

  reset(): void {
    this.log = []
    this.intents = []
  }

  #flush(): void {
    for (const intent of [...this.intents]) {
      if (!intent.isDeferred || this.overlaps(intent.about, intent)) continue
      this.intents.splice(this.intents.indexOf(intent), 1)
      const before = this.base()
      this.land(this.next(), intent.write!, intent)
      intent.sunk = { before, after: this.base() }
    }
  }
}

/** A move, with the groups that its todo was in. */
function movedFrom(write: Write, ...known: readonly (Doc | undefined)[]): Write {
  const docs = known.filter(doc => doc !== undefined)
  return write.kind === 'move' && docs.length > 0 ? { ...write, from: docs.map(doc => doc.row(`Todo ${pkOf(write.todo)}`)?.['group']) } : write
}

/** The document after it; the same where it throws. */
export function after(doc: Doc, write: Write): Doc {
  const copy = doc.clone()
  try {
    say(copy, write)
    return copy
  } catch {
    return doc
  }
}
