/** The order of things, as simple as can be: a list of all that was said, done again whenever somebody looks. Nothing of the library. */

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

/** What can be said, as plain data: temporary pks in it are renamed by text. */
export type Said =
  | { readonly kind: 'todos'; readonly todos: readonly Fields[]; readonly result?: string; readonly single?: boolean }
  | { readonly kind: 'page'; readonly todos: readonly Fields[]; readonly count: number }
  | { readonly kind: 'list'; readonly todos: readonly Fields[]; readonly group: string; readonly result?: string }
  | { readonly kind: 'add'; readonly todos: readonly Fields[]; readonly end: boolean; readonly params: Fields; readonly body: Fields; readonly more?: boolean; readonly first?: boolean }
  | { readonly kind: 'move'; readonly todo: Fields; /** The groups that it was known to be in when it was asked for. */ readonly from?: readonly unknown[] }
  | { readonly kind: 'remove' | 'like' | 'forget'; readonly id: string }
  | { readonly kind: 'update'; readonly id: string; readonly how: string; readonly first?: boolean }
  | { readonly kind: 'whole'; readonly id: string; readonly record: Fields }
  | { readonly kind: 'field'; readonly id: string; readonly field: string; readonly value: unknown }
  | { readonly kind: 'prepend'; readonly group: string; readonly pk: string }

export const listPk = (group: string): string => (group === '' ? '{}' : `{"group":"${group}"}`)
const listName = (group: string): string => `[Todo] ${listPk(group)}`
const pkOf = (todo: Fields): string => String(todo['id'])

/** Does something to a document. Throws where a layer would have no effect. */
export function say(doc: Doc, said: Said): void {
  if ('todos' in said) said.todos.forEach(todo => writeTodo(doc, todo, said.kind === 'add' && said.first))
  switch (said.kind) {
    case 'todos':
      if (said.result !== undefined) doc.results.set(said.result, said.single ? pkOf(said.todos[0]!) : said.todos.map(pkOf))
      return
    case 'page':
      doc.results.set('PAGE', { items: said.todos.map(pkOf), count: said.count })
      return
    case 'list':
      doc.rows.set(listName(said.group), said.todos.map(pkOf))
      if (said.result !== undefined) doc.results.set(said.result, listPk(said.group))
      return
    case 'add': {
      for (const [name, group, list] of listsOf(doc)) {
        if (group !== '' && said.params['group'] !== group && said.body['group'] !== group) continue
        const fresh = said.todos.map(pkOf).filter(pk => !list.includes(pk))
        if (fresh.length > 0) doc.rows.set(name, said.end ? [...list, ...fresh] : [...fresh, ...list])
      }
      const page = doc.results.get('PAGE') as { count: number } | undefined
      if (said.more) {
        if (page !== undefined) doc.results.set('PAGE', { ...page, count: page.count * 2 + 1 })
        doc.results.set(`MORE ${String(said.params['group'] ?? '')}`, said.todos.map(pkOf))
      }
      return
    }
    case 'move': {
      const pk = pkOf(said.todo)
      const before = doc.row(`Todo ${pk}`)
      writeTodo(doc, said.todo)
      const now = doc.row(`Todo ${pk}`)!
      for (const [name, group, list] of listsOf(doc)) {
        const belongs = group === '' || now['group'] === group
        if (belongs && !list.includes(pk)) doc.rows.set(name, [...list, pk])
        if (!belongs && [before?.['group'], ...(said.from ?? [])].includes(group) && list.includes(pk)) doc.rows.set(name, list.filter(each => each !== pk))
      }
      return
    }
    case 'remove':
      return void doc.rows.set(`Todo ${said.id}`, DELETED)
    case 'update': {
      const row = doc.row(`Todo ${said.id}`)
      if (row === undefined) throw new Error('missing')
      return void doc.rows.set(`Todo ${said.id}`, updated(row, said.how))
    }
    case 'like': {
      const row = doc.row(`Todo ${said.id}`)
      if (row === undefined) throw new Error('abort')
      const n = ((row['n'] as number | undefined) ?? 0) * 2 + 1
      if (n % 5 === 0) throw new Error('unlucky')
      return writeTodo(doc, { id: said.id, n })
    }
    case 'whole':
      return void doc.rows.set(`Todo ${said.id}`, said.record)
    case 'field': {
      const row = doc.row(`Todo ${said.id}`)
      const { [said.field]: _, ...rest } = row ?? {}
      return void (row && doc.rows.set(`Todo ${said.id}`, said.value === undefined ? rest : { ...rest, [said.field]: said.value }))
    }
    case 'prepend': {
      const list = doc.list(listName(said.group))
      return void (list?.includes(said.pk) === false && doc.rows.set(listName(said.group), [said.pk, ...list]))
    }
    case 'forget':
      doc.rows.delete(`Todo ${said.id}`)
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
export function aboutOf(said: Said): string[] {
  const rows = (todos: readonly Fields[]): string[] =>
    todos.flatMap(todo => [`Todo ${pkOf(todo)}`, ...(todo['owner'] ? [`Owner ${(todo['owner'] as { id: string }).id}`] : [])])
  if (said.kind === 'add') return ['[Todo]', ...rows(said.todos)]
  if (said.kind === 'move') return ['[Todo]', ...rows([said.todo])]
  if (said.kind === 'list') return [listName(said.group), ...rows(said.todos)]
  return 'todos' in said ? rows(said.todos) : 'id' in said ? [`Todo ${said.id}`] : []
}

function overlap(a: readonly string[], b: readonly string[]): boolean {
  return a.some(x => b.some(y => x === y || (x.startsWith('[Todo]') && y.startsWith('[Todo]') && (x === '[Todo]' || y === '[Todo]'))))
}

/** A call that is not settled, or something that must stay above one. */
export class Intent {
  about: string[]
  /** What shows; undefined for a call that shows nothing. */
  said: Said | undefined
  /** What was known when the call was made; undefined for what is only held above one. */
  readonly before: Doc | undefined
  /** The same, when it went out. */
  sent: Doc | undefined
  readonly held: boolean
  /** What it did when it no longer had to wait. */
  sunk: { readonly before: Doc; readonly after: Doc } | undefined

  constructor(about: readonly string[], said: Said | undefined, before?: Doc) {
    this.about = [...about]
    this.said = said && movedFrom(said, before)
    this.before = this.sent = before
    this.held = before === undefined
  }

  /** It goes out, and `known` is known by then: a move leaves the groups that its todo is in now, too. */
  send(known: Doc): void {
    this.sent = known
    this.said = this.said && movedFrom(this.said, this.before, known)
  }
}

export class Model {
  #place = 0
  log: { place: number; said: Said; by: object | undefined }[] = []
  intents: Intent[] = []

  next(): number {
    return ++this.#place
  }

  /** Something lands at its place. */
  land(place: number, said: Said, by?: object): void {
    this.log.push({ place, said, by })
    this.log.sort((a, b) => a.place - b.place)
  }

  /** Whether what `by` said is waiting, or, where an older read is under way, still told apart. */
  knows(by: object, older: boolean): boolean {
    return this.intents.includes(by as Intent) || (older && this.log.some(entry => entry.by === by))
  }

  /** Takes out what `by` said. */
  withdraw(by: object): void {
    this.log = this.log.filter(entry => entry.by !== by)
    this.intents = this.intents.filter(intent => intent !== by)
    this.#sink()
  }

  base(): Doc {
    return this.log.reduce((doc, { said }) => after(doc, said), new Doc())
  }

  view(until?: Intent, base: Doc = this.base()): Doc {
    let doc = base
    for (const intent of this.intents) {
      if (intent.said !== undefined) doc = after(doc, intent.said)
      if (intent === until) break
    }
    return doc
  }

  /** The base with what is only waiting over it. */
  settled(): Doc {
    return this.intents.reduce((doc, { held, said }) => (held ? after(doc, said!) : doc), this.base())
  }

  overlaps(about: readonly string[], until?: Intent): boolean {
    const earlier = until === undefined ? this.intents : this.intents.slice(0, this.intents.indexOf(until))
    return earlier.some(intent => overlap(intent.about, about))
  }

  /** A local write: at once, or held. Gives what can be withdrawn. */
  set(said: Said, mentions: readonly string[]): object {
    const about = [...aboutOf(said), ...mentions]
    let blocker = this.overlaps(about) ? about : undefined
    if (blocker === undefined && said.kind === 'update' && this.base().row(`Todo ${said.id}`) === undefined) {
      blocker = this.intents.find(intent => this.view(intent).row(`Todo ${said.id}`) !== undefined)?.about
    }
    if (blocker === undefined) {
      const by = {}
      this.land(this.next(), said, by)
      return by
    }
    const intent = new Intent([...about, ...blocker], said)
    this.intents.push(intent)
    return intent
  }

  settle(call: Intent, answer: Said, names: ReadonlyMap<string, string>): void {
    const at = this.intents.indexOf(call)
    const said = answer.kind === 'add' ? { ...answer, first: !call.before!.rows.has(`Todo ${pkOf(answer.todos[0]!)}`) } : movedFrom(answer, call.before, call.sent)
    const held = this.overlaps(call.about, call) ? new Intent([...call.about, ...aboutOf(said)], said) : undefined
    if (held) this.intents[at] = held
    else {
      this.intents.splice(at, 1)
      this.land(this.next(), said)
    }
    for (const [from, to] of names) {
      // Who waited for the name is sent now: after those who knew the name already.
      const rival = this.intents.findLast(each => each !== held && !each.about.includes(from) && each.about.includes(`Todo ${to}`))
      const late = this.intents.slice(0, Math.max(0, this.intents.indexOf(rival!))).filter(each => each !== held && each.about.includes(from))
      this.intents = this.intents.filter(each => !late.includes(each)).flatMap(each => (each === rival ? [each, ...late] : [each]))
      for (const intent of this.intents) {
        intent.about = intent.about.filter(each => each !== from).map(each => each.replace(from, to))
        if (intent.said) intent.said = movedFrom(JSON.parse(JSON.stringify(intent.said).replaceAll(from, to)) as Said, intent.before, intent.sent)
      }
    }
    this.#sink()
  }

  fail(call: Intent, temporary: string | undefined): void {
    this.intents = this.intents.filter(each => each !== call && !(each.held && temporary !== undefined && each.about.includes(temporary)))
    this.#sink()
  }

  reset(): void {
    this.log = []
    this.intents = []
  }

  #sink(): void {
    for (const intent of [...this.intents]) {
      if (!intent.held || this.overlaps(intent.about, intent)) continue
      this.intents.splice(this.intents.indexOf(intent), 1)
      const before = this.base()
      this.land(this.next(), intent.said!, intent)
      intent.sunk = { before, after: this.base() }
    }
  }
}

/** A move, with the groups that its todo was in. */
function movedFrom(said: Said, ...known: readonly (Doc | undefined)[]): Said {
  const docs = known.filter(doc => doc !== undefined)
  return said.kind === 'move' && docs.length > 0 ? { ...said, from: docs.map(doc => doc.row(`Todo ${pkOf(said.todo)}`)?.['group']) } : said
}

/** The document after it; the same where it throws. */
export function after(doc: Doc, said: Said): Doc {
  const copy = doc.clone()
  try {
    say(copy, said)
    return copy
  } catch {
    return doc
  }
}
