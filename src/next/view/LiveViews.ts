import { PatchcordError } from '../base/errors.ts'
import { canonical, createNames } from '../base/keys.ts'
import { detached, hasOwn, isObject } from '../base/plain.ts'
import { attempt } from '../base/report.ts'
import { compile } from '../schema/compile.ts'
import { Deserializer } from '../schema/Deserializer.ts'
import { INVALID, isShown, type CollectionSource, type EntityClass, type Fields, type ViewHost } from '../schema/interface.ts'
import { defaultsOf, planOf, type Plan } from '../schema/plan.ts'
import type { Cell, Table } from '../store/cell.ts'
import { eachChange, eachDeletion } from '../store/changes.ts'
import { findByIndex, indexText } from '../store/SecondaryIndex.ts'
import type { Row, State } from '../store/State.ts'
import { keepView } from './keepView.ts'
import { LiveRow, ROW, type LiveTarget } from './LiveRow.ts'
import type { Source, Tracker } from './tracker.ts'
import type { ViewGraph } from './ViewGraph.ts'
import { WeakCache } from './WeakCache.ts'

/** A table as live objects see it: sources that tell when rows come and go, or get another value in an indexed field. */
class LiveTable {
  readonly rows: Source
  readonly lookups: Map<string, Map<string, Source>> = new Map()
  readonly #tracker: Tracker

  constructor(tracker: Tracker) {
    this.#tracker = tracker
    this.rows = tracker.source(this)
  }

  lookup(field: string, text: string): Source {
    const byText = this.lookups.get(field) ?? new Map<string, Source>()
    const source = byText.get(text) ?? this.#tracker.source(this)
    this.lookups.set(field, byText.set(text, source))
    return source
  }

  change(before: Row | undefined, after: Row | undefined): void {
    if (before === undefined || after === undefined) this.rows.trigger()
    for (const [field, byText] of this.lookups) {
      const from = indexText(before, field)
      const to = indexText(after, field)
      if (from !== to) for (const text of [from, to]) if (text !== undefined) byText.get(text)?.trigger()
    }
  }
}

/** One read of a schema and arguments. Its memo refers to it, so it lives for as long as somebody depends on the memo. */
class LiveRead {
  readonly read: () => unknown
  #last: unknown

  constructor(tracker: Tracker, compute: () => unknown) {
    this.read = tracker.memo(() => (this.#last = keepView(this.#last, compute())))
  }
}

/**
 * Live objects of a store for one reactive library: one stable object per (class, pk) whose fields wake their own
 * readers. Schemas build them through the same methods as snapshots. Nothing is kept that nobody holds or reads.
 */
export class LiveViews implements ViewHost {
  readonly #graph: ViewGraph
  readonly #tracker: Tracker
  readonly #report: (error: unknown) => void
  readonly #rows = new WeakMap<Cell, WeakRef<LiveRow>>()
  readonly #tables = new WeakCache<Table, LiveTable>()
  readonly #reads = new WeakCache<string, LiveRead>()
  readonly #handlers = new Map<EntityClass, ProxyHandler<LiveTarget>>()
  readonly #nameOf = createNames()
  args: readonly unknown[] = []
  /** The tables of the members of the list that is being built: it tracks them, instead of each of its rows. */
  #listTables: Set<Table> | null = null

  constructor(graph: ViewGraph, tracker: Tracker, report: (error: unknown) => void) {
    this.#graph = graph
    this.#tracker = tracker
    this.#report = report
  }

  get state(): State {
    return this.#graph.state
  }

  query(schema: unknown, args: readonly unknown[]): unknown {
    return this.#read(schema, `?${canonical(args, this.#nameOf)}`, args, own => {
      const found = this.queryKey(schema, own)
      return found === undefined ? undefined : this.visit(schema, found)
    })
  }

  /** The live view of a stored result. A plain object is one live object whose fields are tracked one by one. */
  result(schema: unknown, endpointKey: string, args: readonly unknown[]): unknown {
    return this.#read(schema, endpointKey, args, () => {
      const row = this.#row(this.state.directory!.results.cell(endpointKey))
      const { shape = schema ? undefined : {} } = (compile(schema) ?? {}) as { readonly shape?: Fields }
      if (shape === undefined || !row.isPlain) return this.visit(schema, row.record)
      const isHidden = Object.keys(shape).some(name => canBeInvalid(shape[name]) && this.visit(shape[name], row.field(name)) === INVALID)
      return isHidden ? INVALID : row.once(shape, () => this.#proxy(row, Object.prototype, this.#handlerOf('result', shape, {}, new Set())))
    })
  }

  /** Tells live objects what changed between two states. */
  commit(before: State, after: State): void {
    this.batch(() =>
      eachChange(before, after, (cell, old, row) => {
        this.#rows.get(cell)?.deref()?.change(row)
        this.#tables.get(cell.table)?.change(old, row)
      }),
    )
    this.batch(() => eachDeletion(before, after, ({ table }) => this.#tables.get(table)?.rows.trigger()))
  }

  batch(work: () => void): void {
    attempt(() => this.#tracker.batch(work), this.#report)
  }

  /** A temporary pk became real: its live objects show the real row. If that has live objects already, the temporary ones forward to them. */
  rename(from: Cell, to: Cell): void {
    const row = this.#rows.get(from)?.deref()
    const real = this.#rows.get(to)?.deref()
    if (row === undefined) return
    if (real !== undefined) return this.batch(() => row.follow(real))
    this.moveRow(from, to)
  }

  /** Moves a live row to another cell: a rebuilt table, or the real pk. */
  moveRow(from: Cell, to: Cell): void {
    const ref = this.#rows.get(from)
    const row = ref?.deref()
    if (row === undefined) return
    row.cell = to
    this.#rows.set(to, ref!)
    this.#rows.delete(from)
  }

  moveTable(from: Table, to: Table): void {
    const table = this.#tables.get(from)
    if (table !== undefined) this.#tables.obtain(to, () => table)
  }

  /** Whether somebody holds or reads a live object of this cell. */
  uses(cell: Cell): boolean {
    return this.#rows.get(cell)?.deref() !== undefined
  }

  visit(schema: unknown, stored: unknown): unknown {
    if (stored === null || stored === undefined) return stored
    const handler = compile(schema)
    return handler === undefined ? stored : handler.denormalize(stored, this)
  }

  entity(entity: EntityClass, stored: unknown): unknown {
    if (isObject(stored)) return this.#inPlace(entity, stored)
    if (typeof stored !== 'string') return stored
    const cell = this.state.directory!.table(entity.key).cell(stored)
    const row = this.#row(cell)
    this.#listTables?.add(cell.table)
    if (this.#listTables ? this.state.read(cell) === undefined : !row.isPresent) return this.state.stamp(cell)?.deleted ? INVALID : undefined
    const plan = planOf(entity)
    if (this.#hasConditions(entity, plan) && !this.#isValid(entity, row)) return INVALID
    return row.once(entity, () => this.#proxy(row, entity.prototype, this.#handler(entity, plan)))
  }

  #proxy(row: LiveRow, proto: object, handler: ProxyHandler<LiveTarget>): object {
    return new Proxy<LiveTarget>(Object.defineProperty(Object.create(proto) as LiveTarget, ROW, { value: row, configurable: true }), handler)
  }

  /** An object where a pk is expected. */
  #inPlace(entity: EntityClass, record: object): unknown {
    const props: { [field: string]: unknown } = { ...record }
    for (const [name, schema] of planOf(entity).fields) {
      if (!hasOwn(record, name)) continue
      const view = this.visit(schema, props[name])
      if (view === INVALID && defaultsOf(entity)[name]) return INVALID
      props[name] = view === INVALID ? undefined : view
    }
    return entity.createIfValid(props) ?? INVALID
  }

  collection(collection: CollectionSource, pk: string): unknown {
    const row = this.#row(this.state.directory!.table(collection.key).cell(pk))
    if (!row.isPresent) return this.state.stamp(row.cell)?.deleted ? INVALID : undefined
    return row.once(collection, () => this.#memo(() => this.#outside(() => this.visit(collection.definition, row.record))))()
  }

  list(element: unknown, members: readonly unknown[]): readonly unknown[] {
    const handler = compile(element)
    if (handler === undefined) return members
    const outer = this.#listTables
    const tables = (this.#listTables = new Set<Table>())
    try {
      const list: unknown[] = []
      for (const member of members) {
        const view = member === null || member === undefined ? member : handler.denormalize(member, this)
        if (isShown(view)) list.push(view)
      }
      return Object.freeze(list)
    } finally {
      this.#listTables = outer
      for (const table of tables) this.#trackTable(table)
    }
  }

  queryKey(schema: unknown, args: readonly unknown[]): unknown {
    return compile(schema)?.queryKey(args, this)
  }

  /** Computed inside of the memo of a read, which tracks what it looks at. */
  computed(_by: object, _inputs: unknown, compute: () => unknown): unknown {
    return compute()
  }

  has(key: string, pk: string): boolean {
    return this.#row(this.state.directory!.table(key).cell(pk)).isPresent
  }

  record(key: string, pk: string): object | undefined {
    return this.#row(this.state.directory!.table(key).cell(pk)).record
  }

  all(key: string): readonly string[] | undefined {
    this.#trackTable(this.state.directory!.table(key))
    return this.state.all(key)?.map(cell => cell.pk)
  }

  lookup(key: string, field: string, value: unknown): string | undefined {
    const text = indexText({ value }, 'value')
    if (text !== undefined && this.#tracker.isTracking()) this.#tableOf(this.state.directory!.table(key)).lookup(field, text).track()
    return findByIndex(this.state, key, field, value)?.pk
  }

  /** Whether a class can refuse a record: then a snapshot of it tells. */
  #hasConditions(entity: EntityClass, { custom, fields }: Plan): boolean {
    if (custom.validate || custom.create) return true
    return fields.some(([name, schema]) => defaultsOf(entity)[name] && canBeInvalid(schema))
  }

  #isValid(entity: EntityClass, row: LiveRow): boolean {
    const watch = row.once(`valid ${this.#nameOf(entity)}`, () => {
      const source = this.#tracker.source(row)
      const listener = (): void => source.trigger()
      this.#graph.watchValidity(entity, row.cell, listener)
      return { source, listener }
    })
    if (this.#tracker.isTracking()) watch.source.track()
    return this.#snapshotOf(entity, row) !== undefined
  }

  /** What a class throws is reported, and its row is not shown. */
  #snapshotOf(entity: EntityClass, row: LiveRow): Fields | undefined {
    try {
      return this.#graph.snapshotOf(entity, row.cell) as Fields | undefined
    } catch (error) {
      this.#report(error)
      return undefined
    }
  }

  #row(cell: Cell): LiveRow {
    const known = this.#rows.get(cell)?.deref()
    if (known !== undefined) return known
    const row = new LiveRow(this.#tracker, cell, this.state.read(cell))
    this.#rows.set(cell, new WeakRef(row))
    return row
  }

  #trackTable(table: Table): void {
    if (this.#tracker.isTracking()) this.#tableOf(table).rows.track()
  }

  #tableOf(table: Table): LiveTable {
    return this.#tables.obtain(table, () => new LiveTable(this.#tracker))
  }

  #read(schema: unknown, key: string, args: readonly unknown[], compute: (args: readonly unknown[]) => unknown): unknown {
    const name = `${isObject(schema) || typeof schema === 'function' ? this.#nameOf(schema) : ''} ${key}`
    const own = detached(args)
    const make = (): LiveRead =>
      new LiveRead(this.#tracker, () => {
        const outer = this.args
        this.args = own
        try {
          const view = this.#outside(() => compute(own))
          return view === INVALID ? undefined : view
        } finally {
          this.args = outer
        }
      })
    return this.#reads.obtain(name, make).read()
  }

  /** A memo whose lists and objects keep their references while their members are the same. */
  #memo(compute: () => unknown): () => unknown {
    return new LiveRead(this.#tracker, compute).read
  }

  /** How the live objects of a class are read. */
  #handler(entity: EntityClass, plan: Plan): ProxyHandler<LiveTarget> {
    let handler = this.#handlers.get(entity)
    if (handler === undefined) {
      // A class that makes its instances itself is shown as it makes them.
      const make = plan.custom.create ? (row: LiveRow, name: string) => (void row.record, this.#snapshotOf(entity, row)?.[name]) : undefined
      handler = this.#handlerOf(plan.key, entity.schema, defaultsOf(entity), plan.members, make)
      this.#handlers.set(entity, handler)
    }
    return handler
  }

  #handlerOf(label: string, schemas: Fields, defaults: Fields, members: ReadonlySet<string>, make?: (row: LiveRow, name: string) => unknown): ProxyHandler<LiveTarget> {
    const isField = (name: string | symbol): name is string => typeof name === 'string' && !members.has(name)
    const names = (row: LiveRow): string[] => [...new Set([...Object.keys(defaults), ...row.names])].filter(isField)
    const key = this.#nameOf(schemas)
    const read = (row: LiveRow, name: string): unknown => {
      if (make) return make(row, name)
      if (!schemas[name] || !hasOwn(schemas, name)) return row.field(name) ?? (row.field(name) === null ? null : defaults[name])
      const memo = row.once(`${key} ${name}`, () =>
        this.#memo(() => {
          const stored = row.field(name)
          const view = stored === undefined ? defaults[name] : this.#outside(() => this.visit(schemas[name], stored))
          return view === INVALID ? undefined : view
        }),
      )
      return memo()
    }
    const refuse = (): never => {
      throw new PatchcordError('READ_ONLY', `A live ${label} is read only. Write with controller.set.`)
    }
    return {
      get: (target, name, receiver) => (isField(name) ? read(target[ROW], name) : Reflect.get(Object.getPrototypeOf(target) as object, name, receiver)),
      has: (target, name) => name in (Object.getPrototypeOf(target) as object) || names(target[ROW]).includes(name as string),
      ownKeys: target => names(target[ROW]),
      getOwnPropertyDescriptor: (target, name) =>
        isField(name) && names(target[ROW]).includes(name) ? { value: this.#tracker.untracked(() => read(target[ROW], name)), enumerable: true, configurable: true, writable: false } : undefined,
      set: refuse,
      defineProperty: refuse,
      deleteProperty: refuse,
      preventExtensions: refuse,
      setPrototypeOf: refuse,
    }
  }

  /** Runs `work` outside of any list. */
  #outside<T>(work: () => T): T {
    const outer = this.#listTables
    this.#listTables = null
    try {
      return work()
    } finally {
      this.#listTables = outer
    }
  }
}

/** Lists and deserialized values are never INVALID as a whole. */
function canBeInvalid(schema: unknown): boolean {
  const handler = compile(schema) as { readonly brackets?: string } | undefined
  return handler !== undefined && !(handler instanceof Deserializer) && handler.brackets === undefined
}
