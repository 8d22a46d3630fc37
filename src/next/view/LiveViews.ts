import { PatchcordError } from '../base/errors.ts'
import { canonical, createNames } from '../base/keys.ts'
import { detached, hasOwn, isObject, isPlain } from '../base/plain.ts'
import { attempt } from '../base/report.ts'
import { compile, isEntityClass } from '../schema/compile.ts'
import { isDeserialized } from '../schema/Deserializer.ts'
import { INVALID, isShown, type CollectionSource, type EntityClass, type Fields, type ViewHost } from '../schema/interface.ts'
import { defaultsOf, planOf } from '../schema/plan.ts'
import type { Cell } from '../store/cell.ts'
import { eachChange, eachDeletion } from '../store/changes.ts'
import { findByIndex, indexText } from '../store/SecondaryIndex.ts'
import type { Row, State } from '../store/State.ts'
import { deserializeOnce } from './Builder.ts'
import { keepView } from './keepView.ts'
import { LiveRow, ROW, type LiveTarget } from './LiveRow.ts'
import type { Source, Tracker } from './tracker.ts'
import type { ViewGraph } from './ViewGraph.ts'
import { WeakCache } from './WeakCache.ts'
import { WeakMemo, type BuiltLists } from './WeakMemo.ts'

/** The fields of live objects: of a class, or of a result that is a plain object. */
interface Shape {
  readonly label: string
  readonly schema: Fields
  readonly defaults: Fields
  /** Methods and accessors, which are not fields. */
  readonly members: ReadonlySet<string>
  readonly deserialized: WeakMap<object, Map<string, unknown>>
}

/**
 * Live objects of a store for one reactive library: one stable object per (class, pk) whose fields wake their own
 * readers. Schemas build them through the same methods as snapshots. Nothing is kept that nobody holds or reads.
 */
export class LiveViews implements ViewHost {
  readonly #graph: ViewGraph
  readonly #tracker: Tracker
  readonly #report: (error: unknown) => void
  readonly #rows = new WeakCache<Cell, LiveRow>()
  readonly #reads = new WeakCache<string, WeakMemo>()
  /** The read of a list or object: whoever holds that finds it again. */
  readonly #readOf = new WeakMap<object, WeakMemo>()
  /** Wake when rows of a table come and go, or get another value in an indexed field. */
  readonly #tables = new WeakCache<string, Source>()
  readonly #indexedFields = new Map<string, Set<string>>()
  readonly #handlers = new WeakMap<EntityClass, ProxyHandler<LiveTarget>>()
  readonly #nameOf = createNames()
  #isDisposed = false
  args: readonly unknown[] = []
  /** Of the memo that is being computed. */
  #lists: BuiltLists | undefined

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
      if (!row.isShown) return undefined
      const { shape = schema ? undefined : {} } = (compile(schema) ?? {}) as { readonly shape?: Fields }
      if (shape === undefined || !isPlain(row.last)) return this.visit(schema, row.record)
      if (Object.keys(shape).some(name => canBeInvalid(shape[name]) && this.visit(shape[name], row.field(name)) === INVALID)) return INVALID
      return row.once(shape, () => makeObject(row, Object.prototype, this.#handlerOf({ label: 'result', schema: shape, defaults: {}, members: new Set(), deserialized: new WeakMap() })))
    })
  }

  /** Tells live objects what changed between two states. */
  commit(before: State, after: State): void {
    this.batch(() => {
      eachChange(before, after, (cell, old, row) => {
        this.#rows.get(cell)?.change(row)
        this.#changeTable(cell.table.key, old, row)
      })
      eachDeletion(before, after, cell => {
        this.#rows.get(cell)?.wakePresence()
        this.#tables.get(cell.table.key)?.trigger()
      })
    })
  }

  batch(work: () => void): void {
    attempt(() => this.#tracker.batch(work), this.#report)
  }

  /** A temporary pk became real: its live objects show the real row. If that has live objects already, both do. */
  rename(from: Cell, to: Cell): void {
    const real = this.#rows.get(to)
    const row = this.#rows.get(from)
    if (row === undefined) return
    this.moveRow(from, to)
    this.batch(() => {
      if (real !== undefined) {
        this.#rows.set(to, real)
        row.follow(real)
      }
      row.byClass?.forEach((classRow, entity) => this.#watch(entity, classRow))
    })
  }

  /** Moves a live row to another cell: a rebuilt table, or the real pk. */
  moveRow(from: Cell, to: Cell): void {
    const row = this.#rows.get(from)
    if (row === undefined) return
    for (const each of [row, ...(row.byClass?.values() ?? [])]) each.cell = to
    this.#rows.set(to, row)
    this.#rows.delete(from)
  }

  /** Whether somebody holds or reads a live object of this cell. */
  uses(cell: Cell): boolean {
    return this.#rows.get(cell) !== undefined
  }

  /** Live objects keep what they show. */
  dispose(): void {
    this.#isDisposed = true
  }

  visit(schema: unknown, stored: unknown): unknown {
    if (stored === null || stored === undefined) return stored
    const handler = compile(schema)
    return handler === undefined ? stored : handler.denormalize(stored, this)
  }

  entity(entity: EntityClass, stored: unknown): unknown {
    if (isObject(stored)) return this.#inPlace(entity, stored)
    if (typeof stored === 'boolean') return stored
    const row = this.#finderOf(entity)(`${stored as string}`)
    if (row.isShown) return this.#objectOf(entity, row)
    const base = row.origin ?? row
    return base.isShown || this.state.stamp(base.cell)?.deleted ? INVALID : undefined
  }

  collection(collection: CollectionSource, pk: string): unknown {
    const row = this.#rowOf(collection.key, pk)
    if (!row.isShown) return this.state.stamp(row.cell)?.deleted ? INVALID : undefined
    return row.once(collection, () => this.#memo([], () => this.visit(collection.definition, row.record))).read()
  }

  list(element: unknown, members: readonly unknown[]): readonly unknown[] {
    const handler = compile(element)
    if (handler === undefined) return members
    if (isEntityClass(element) && members.every(member => typeof member === 'string')) return this.#listOf(element, members)
    const list = members.map(member => (member === null || member === undefined ? member : handler.denormalize(member, this)))
    return Object.freeze(list.filter(isShown))
  }

  queryKey(schema: unknown, args: readonly unknown[]): unknown {
    return compile(schema)?.queryKey(args, this)
  }

  /** Computed inside of the memo of a read or of a field, which tracks what it looks at. */
  computed(_by: object, _inputs: unknown, compute: () => unknown): unknown {
    return compute()
  }

  has(key: string, pk: string): boolean {
    return this.#rowOf(key, pk).isShown
  }

  record(key: string, pk: string): object | undefined {
    const row = this.#rowOf(key, pk)
    return row.isShown ? row.record : undefined
  }

  all(key: string): readonly string[] | undefined {
    this.#trackTable(key)
    return this.state.all(key)?.map(cell => cell.pk)
  }

  lookup(key: string, field: string, value: unknown): string | undefined {
    const text = indexText({ value }, 'value')
    if (text !== undefined) {
      this.#indexedFields.set(key, (this.#indexedFields.get(key) ?? new Set()).add(field))
      this.#trackTable(JSON.stringify([key, field, text]))
    }
    return findByIndex(this.state, key, field, value)?.pk
  }

  /** Rows of one class. Looking a row up costs more than all the rest: those of unchanged members are known. */
  #listOf(entity: EntityClass, members: readonly string[]): readonly unknown[] {
    const known = this.#lists?.get(entity)
    const shift = (known?.members.length ?? 0) - members.length
    const find = this.#finderOf(entity)
    const rows: LiveRow[] = []
    const list: object[] = []
    for (let i = 0; i < members.length; i++) {
      const pk = members[i]!
      const row = known?.members[i] === pk ? known.rows[i]! : known?.members[i + shift] === pk ? known.rows[i + shift]! : find(pk)
      rows.push(row)
      if (row.isShown) list.push(this.#objectOf(entity, row))
    }
    this.#lists?.set(entity, { members, rows })
    return Object.freeze(list)
  }

  #finderOf(entity: EntityClass): (pk: string) => LiveRow {
    const table = this.state.directory!.table(entity.key)
    return hasConditions(entity) ? pk => this.#classRow(entity, this.#row(table.cell(pk))) : pk => this.#row(table.cell(pk))
  }

  #objectOf(entity: EntityClass, row: LiveRow): object {
    return row.once(entity, () => makeObject(row, entity.prototype, this.#handler(entity)))
  }

  #trackTable(name: string): void {
    if (this.#tracker.isTracking()) this.#tables.obtain(name, () => this.#tracker.source()).track()
  }

  #changeTable(key: string, before: Row | undefined, after: Row | undefined): void {
    if (before === undefined || after === undefined) this.#tables.get(key)?.trigger()
    this.#indexedFields.get(key)?.forEach(field => {
      const [from, to] = [indexText(before, field), indexText(after, field)]
      if (from !== to) for (const text of [from, to]) if (text !== undefined) this.#tables.get(JSON.stringify([key, field, text]))?.trigger()
    })
  }

  #rowOf(key: string, pk: string): LiveRow {
    return this.#row(this.state.directory!.table(key).cell(pk))
  }

  #row(cell: Cell): LiveRow {
    return this.#rows.get(cell) ?? this.#rows.set(cell, new LiveRow(this.#tracker, cell, this.state.read(cell)))
  }

  /** A row without the records that the class refuses; as the class makes it, if it makes its instances itself. */
  #classRow(entity: EntityClass, base: LiveRow): LiveRow {
    base.byClass ??= new Map()
    let row = base.byClass.get(entity)
    if (row === undefined) {
      base.byClass.set(entity, (row = new LiveRow(this.#tracker, base.cell)))
      row.origin = base
      this.#watch(entity, row)
    }
    return row
  }

  #watch(entity: EntityClass, row: LiveRow): void {
    row.listener = () => {
      if (!this.#isDisposed) row.change(this.#recordFor(entity, row))
    }
    this.#graph.watch(entity, row.cell, row.listener)
    row.listener()
  }

  /** What a class throws is reported, and its row is not shown. */
  #recordFor(entity: EntityClass, { cell, last }: LiveRow): Row | undefined {
    try {
      const view = this.#graph.snapshotOf(entity, cell)
      if (view === undefined) return undefined
      return planOf(entity).custom.create ? keepView(last, { ...(view as Row) }) : this.state.read(cell)
    } catch (error) {
      this.#report(error)
      return undefined
    }
  }

  /** An object where a pk is expected. */
  #inPlace(entity: EntityClass, record: object): unknown {
    const props: { [field: string]: unknown } = { ...record }
    for (const [name, schema] of planOf(entity).fields) {
      if (!hasOwn(record, name)) continue
      const view = this.visit(schema, props[name])
      if (view === INVALID && defaultsOf(entity)[name]) return INVALID
      props[name] = shown(view)
    }
    return entity.createIfValid(props) ?? INVALID
  }

  #read(schema: unknown, key: string, args: readonly unknown[], compute: (args: readonly unknown[]) => unknown): unknown {
    const read = this.#reads.obtain(`${isObject(schema) || typeof schema === 'function' ? this.#nameOf(schema) : ''} ${key}`, () => {
      const own = detached(args)
      return this.#memo(own, () => compute(own))
    })
    const view = read.read()
    if (isObject(view)) this.#readOf.set(view, read)
    return view
  }

  #memo(args: readonly unknown[], compute: () => unknown): WeakMemo {
    return new WeakMemo(this.#tracker, lists => {
      const outer = [this.args, this.#lists] as const
      this.args = args
      this.#lists = lists
      try {
        return shown(compute())
      } finally {
        ;[this.args, this.#lists] = outer
      }
    })
  }

  /** How the live objects of a class are read. */
  #handler(entity: EntityClass): ProxyHandler<LiveTarget> {
    let handler = this.#handlers.get(entity)
    if (handler === undefined) {
      const { key, members, deserialized, custom } = planOf(entity)
      const shape: Shape = {
        label: key,
        // Asked anew each time: a class may be told of its relations later.
        get schema() {
          return custom.create ? {} : entity.schema
        },
        defaults: custom.create ? {} : defaultsOf(entity),
        members,
        deserialized,
      }
      this.#handlers.set(entity, (handler = this.#handlerOf(shape)))
    }
    return handler
  }

  #handlerOf(shape: Shape): ProxyHandler<LiveTarget> {
    const { label, defaults, members } = shape
    const isField = (name: string | symbol): name is string => typeof name === 'string' && !members.has(name)
    const names = (row: LiveRow): string[] => [...new Set([...Object.keys(defaults), ...row.names])].filter(isField)
    const refuse = (): never => {
      throw new PatchcordError('READ_ONLY', `A live ${label} is read only. Write with controller.set.`)
    }
    return {
      get: (target, name, receiver) => (isField(name) ? this.#field(shape, target[ROW], name) : Reflect.get(Object.getPrototypeOf(target) as object, name, receiver)),
      has: (target, name) => name in (Object.getPrototypeOf(target) as object) || names(target[ROW]).includes(name as string),
      ownKeys: target => names(target[ROW]),
      getOwnPropertyDescriptor: (target, name) =>
        isField(name) && names(target[ROW]).includes(name) ? { value: this.#tracker.untracked(() => this.#field(shape, target[ROW], name)), enumerable: true, configurable: true, writable: false } : undefined,
      set: refuse,
      defineProperty: refuse,
      deleteProperty: refuse,
      preventExtensions: refuse,
      setPrototypeOf: refuse,
    }
  }

  #field(shape: Shape, row: LiveRow, name: string): unknown {
    const { defaults, schema: schemas, deserialized } = shape
    const schema = hasOwn(schemas, name) ? schemas[name] : undefined
    const look = (show: (stored: unknown) => unknown): unknown => {
      const stored = row.field(name)
      return stored === undefined ? defaults[name] : shown(show(stored))
    }
    if (compile(schema) === undefined) return look(stored => stored)
    // The live object of a row is the same each time without a memo; one that is made in place is not.
    if (isEntityClass(schema) && !isObject((row.last as Fields | undefined)?.[name])) return look(stored => this.visit(schema, stored))
    const memos = row.once(shape, () => new Map<string, WeakMemo>())
    let memo = memos.get(name)
    if (memo === undefined) {
      const show = (stored: unknown): unknown => (isDeserialized(schema) ? deserializeOnce(deserialized, row.last!, name, () => this.visit(schema, stored)) : this.visit(schema, stored))
      memos.set(name, (memo = this.#memo([], () => look(show))))
    }
    return memo.read()
  }
}

function shown(view: unknown): unknown {
  return view === INVALID ? undefined : view
}

function makeObject(row: LiveRow, proto: object, handler: ProxyHandler<LiveTarget>): object {
  return new Proxy<LiveTarget>(Object.defineProperty(Object.create(proto) as LiveTarget, ROW, { value: row, configurable: true }), handler)
}

/** Whether a class may refuse a record, or makes its instances itself: then the snapshot of a row decides. */
function hasConditions(entity: EntityClass): boolean {
  const { custom, fields } = planOf(entity)
  return custom.validate || custom.create || fields.some(([name, schema]) => defaultsOf(entity)[name] && canBeInvalid(schema))
}

/** Lists, deserialized values and queries are never INVALID as a whole. */
function canBeInvalid(schema: unknown): boolean {
  const handler = compile(schema) as { readonly brackets?: string; readonly computes?: boolean } | undefined
  return handler !== undefined && !isDeserialized(schema) && handler.brackets === undefined && !handler.computes
}
