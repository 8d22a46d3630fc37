import { canonical, createNames } from '../base/keys.ts'
import { replaceParts } from '../base/parts.ts'
import { hasOwn, isObject, isPlain } from '../base/plain.ts'
import { attempt } from '../base/report.ts'
import { compile, isEntityClass, traitsOf } from '../schema/compile.ts'
import { isDeserialized } from '../schema/Deserializer.ts'
import { INVALID, isVisible, type CollectionSource, type EntityClass, type Fields, type ViewHost } from '../schema/interface.ts'
import { defaultsOf, planOf } from '../schema/plan.ts'
import type { CellChange } from '../store/patches.ts'
import { findByIndex } from '../store/SecondaryIndex.ts'
import type { Cell, Row, State, Table } from '../store/State.ts'
import { deserializeOnce, keepView, withoutInvalid } from './Builder.ts'
import { LiveRow, makeHandler, makeObject, type LiveHandler, type Shape } from './LiveRow.ts'
import { indexName, namesOf } from './tableNames.ts'
import type { Source, Tracker } from './tracker.ts'
import type { ViewGraph } from './ViewGraph.ts'
import { obtain, WeakCache } from './WeakCache.ts'
import { WeakMemo, type BuiltLists } from './WeakMemo.ts'

/**
 * Live objects of a store for one reactive library: one stable object per (class, pk) whose fields wake their own
 * readers. Schemas build them through the same methods as snapshots. Objects that nobody references or reads are collected.
 */
export class LiveViews implements ViewHost {
  readonly #graph: ViewGraph
  readonly #tracker: Tracker
  readonly #report: (error: unknown) => void
  readonly #rows = new WeakCache<Cell, LiveRow>()
  readonly #reads = new WeakCache<string, WeakMemo>()
  /** Never read: it keeps the read of a list or object alive, and so to be found in `#reads`, while somebody holds its view. */
  readonly #readOf = new WeakMap<object, WeakMemo>()
  /** Wake when rows of a table come and go, or get another value in a field that was looked up. */
  readonly #tables = new WeakCache<string, Source>()
  readonly #handlers = new WeakMap<EntityClass, LiveHandler>()
  readonly #nameOf = createNames()
  /** Rows that moved to a real pk since the last commit. */
  readonly #renamed: LiveRow[] = []
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
    return this.#read(schema, `?${canonical(args, this.#nameOf)}`, args, () => this.visit(schema, this.queryKey(schema, this.args)))
  }

  /** The live view of a stored result. A plain object is one live object whose fields are tracked one by one. */
  result(schema: unknown, endpointKey: string, args: readonly unknown[]): unknown {
    return this.#read(schema, endpointKey, args, () => {
      const row = this.#row(this.state.directory!.results.cell(endpointKey))
      if (!row.isVisible) return undefined
      const { shape = schema ? undefined : {} } = traitsOf(schema)
      if (shape === undefined || !isPlain(row.last)) return this.visit(schema, row.record)
      if (Object.keys(shape).some(name => canBeInvalid(shape[name]) && this.visit(shape[name], row.field(name)) === INVALID)) return INVALID
      return row.once(shape, () => makeObject(row, Object.prototype, this.#handlerOf({ label: 'result', schema: shape, defaults: {}, members: new Set(), deserialized: new WeakMap() })))
    })
  }

  /** Tells live objects what changed. */
  commit(changes: readonly CellChange[], state: State): void {
    this.batch(() => {
      for (const change of changes) {
        const { cell, before, after } = change
        const row = this.#rows.get(cell)
        // Without a row before and after, only the mark "deleted" differs.
        if (before === after) row?.wakePresence()
        else row?.change(after)
        for (const name of namesOf(change)) this.#tables.get(name)?.trigger()
      }
      // Where a later call has deleted the real row already, nothing says that it changed.
      for (const row of this.#renamed.splice(0)) row.change(state.read(row.cell))
    })
  }

  batch(work: () => void): void {
    attempt(() => this.#tracker.batch(work), this.#report)
  }

  /** A temporary pk became real: its live objects show the real row. If that has live objects already, both do. */
  rename(from: Cell, to: Cell): void {
    const row = this.#rows.get(from)
    const real = this.#rows.get(to)
    if (!row) return
    this.moveRow(from, to)
    this.#renamed.push(row)
    this.batch(() => {
      if (real) this.#rows.set(to, real).lead(row)
      row.byClass?.forEach((classRow, entity) => this.#watch(entity, classRow))
    })
  }

  /** Moves a live row to another cell: a rebuilt table, or the real pk. Without one the cell is gone, and nobody holds the row. */
  moveRow(from: Cell, to?: Cell): void {
    const row = this.#rows.get(from)
    this.#rows.move(from, to)
    if (to) row?.moveTo(to)
  }

  /** The classes and collections that show this cell in live objects, among other keys, which lead to nothing; undefined when nobody holds or reads one. */
  classes(cell: Cell): readonly unknown[] | undefined {
    return this.#rows.get(cell)?.classes
  }

  /** Whether somebody depends on which rows a table has. */
  usesTable({ key }: Table): boolean {
    return this.#tables.get(key) !== undefined
  }

  /** Live objects keep what they show. */
  dispose(): void {
    this.#isDisposed = true
  }

  visit(schema: unknown, stored: unknown): unknown {
    if (stored === null || stored === undefined) return stored
    const handler = compile(schema)
    return handler ? handler.denormalize(stored, this) : stored
  }

  entity(entity: EntityClass, stored: unknown): unknown {
    if (isObject(stored)) return this.#nested(entity, stored)
    if (typeof stored === 'boolean') return stored
    const row = this.#finderOf(entity)(`${stored as string}`)
    return row.isVisible ? this.#objectOf(entity, row) : this.#hidden(row.origin ?? row)
  }

  collection(collection: CollectionSource, pk: string): unknown {
    const row = this.#rowOf(collection.key, pk)
    return row.isVisible ? row.once(collection, () => this.#memo([], () => this.visit(collection.definition, row.record))).read() : this.#hidden(row)
  }

  list(element: unknown, members: readonly unknown[]): readonly unknown[] {
    if (compile(element) === undefined) return members
    if (isEntityClass(element) && members.every(member => typeof member === 'string')) return this.#listOf(element, members)
    return Object.freeze(members.map(member => this.visit(element, member)).filter(isVisible))
  }

  queryKey(schema: unknown, args: readonly unknown[]): unknown {
    return compile(schema)?.queryKey(args, this)
  }

  /** Computed inside of the memo of a read or of a field, which tracks what it looks at. */
  computed(_by: object, _inputs: unknown, compute: () => unknown): unknown {
    return compute()
  }

  has(key: string, pk: string): boolean {
    return this.#rowOf(key, pk).isVisible
  }

  all(key: string): readonly string[] | undefined {
    this.#trackTable(key)
    return this.state.all(key)?.map(cell => cell.pk)
  }

  lookup(key: string, field: string, value: unknown): string | undefined {
    this.#trackTable(indexName(this.state.directory!.table(key), field, value) ?? '')
    return findByIndex(this.state, key, field, value)?.pk
  }

  #trackTable(name: string): void {
    if (this.#tracker.isTracking()) obtain(this.#tables, name, () => this.#tracker.source()).track()
  }

  #rowOf(key: string, pk: string): LiveRow {
    return this.#row(this.state.directory!.table(key).cell(pk))
  }

  #row(cell: Cell): LiveRow {
    return obtain(this.#rows, cell, () => new LiveRow(this.#tracker, cell, this.state.read(cell)))
  }

  /** The value for a row that is not visible: refused or deleted rows are INVALID, others are missing. */
  #hidden(row: LiveRow): unknown {
    return row.isVisible || this.state.stamp(row.cell)?.deleted ? INVALID : undefined
  }

  /** Rows of one class. Reading a WeakRef costs 0.5 us, so the rows of unchanged members come from the last build. */
  #listOf(entity: EntityClass, members: readonly string[]): readonly unknown[] {
    const known = this.#lists?.get(entity)
    const shift = (known?.members.length ?? 0) - members.length
    const find = this.#finderOf(entity)
    const rows = members.map((pk, i) => (known?.members[i] === pk ? known.rows[i]! : known?.members[i + shift] === pk ? known.rows[i + shift]! : find(pk)))
    this.#lists?.set(entity, { members, rows })
    return Object.freeze(rows.filter(row => row.isVisible).map(row => this.#objectOf(entity, row)))
  }

  /** Finds rows as a class shows them. */
  #finderOf(entity: EntityClass): (pk: string) => LiveRow {
    const table = this.state.directory!.table(entity.key)
    return hasConditions(entity) ? pk => this.#classRow(entity, this.#row(table.cell(pk))) : pk => this.#row(table.cell(pk))
  }

  /** A row without the records that the class refuses; as the class makes it, if it makes its instances itself. */
  #classRow(entity: EntityClass, base: LiveRow): LiveRow {
    return obtain((base.byClass ??= new Map()), entity, () => this.#watch(entity, new LiveRow(this.#tracker, base.cell, undefined, base)))
  }

  #watch(entity: EntityClass, row: LiveRow): LiveRow {
    row.listener = () => {
      if (!this.#isDisposed) row.change(this.#recordFor(entity, row))
    }
    this.#graph.watch(entity, row.cell, row.listener)
    row.listener()
    return row
  }

  /** An error of a class is reported, and its row is not visible. */
  #recordFor(entity: EntityClass, { cell, last }: LiveRow): Row | undefined {
    const view = attempt(() => this.#graph.snapshotOf(entity, cell) as Row | undefined, this.#report)
    return view && (planOf(entity).custom.create ? keepView(last, { ...view }) : this.state.read(cell))
  }

  /** An object where a pk is expected. */
  #nested(entity: EntityClass, record: object): unknown {
    const props: { [field: string]: unknown } = { ...record }
    for (const { name, schema } of planOf(entity).fields) {
      if (!hasOwn(record, name)) continue
      const view = this.visit(schema, props[name])
      if (view === INVALID && defaultsOf(entity)[name]) return INVALID
      props[name] = withoutInvalid(view)
    }
    return entity.createIfValid(props) ?? INVALID
  }

  #read(schema: unknown, key: string, args: readonly unknown[], compute: () => unknown): unknown {
    const name = isObject(schema) || typeof schema === 'function' ? this.#nameOf(schema) : ''
    const read = obtain(this.#reads, `${name} ${key}`, () => this.#memo(replaceParts(args), compute))
    const view = read.read()
    if (isObject(view)) this.#readOf.set(view, read)
    return view
  }

  #memo(args: readonly unknown[], compute: () => unknown): WeakMemo {
    return new WeakMemo(this.#tracker, lists => {
      const outer = [this.args, this.#lists] as const
      ;[this.args, this.#lists] = [args, lists]
      try {
        return withoutInvalid(compute())
      } finally {
        ;[this.args, this.#lists] = outer
      }
    })
  }

  #objectOf(entity: EntityClass, row: LiveRow): object {
    return row.once(entity, () => makeObject(row, entity.prototype, obtain(this.#handlers, entity, () => this.#handlerOf(shapeOf(entity)))))
  }

  #handlerOf(shape: Shape): LiveHandler {
    return makeHandler(shape, this.#tracker, (row, name) => this.#field(shape, row, name))
  }

  #field(shape: Shape, row: LiveRow, name: string): unknown {
    const schema = hasOwn(shape.schema, name) ? shape.schema[name] : undefined
    const read = (show: (stored: unknown) => unknown): unknown => {
      const stored = row.field(name)
      return stored === undefined ? shape.defaults[name] : withoutInvalid(show(stored))
    }
    const visit = (stored: unknown): unknown => this.visit(schema, stored)
    // Only what is made anew each time needs a memo, not the live object of a row.
    if (compile(schema) === undefined || (isEntityClass(schema) && !isObject((row.last as Fields | undefined)?.[name]))) return read(visit)
    const show = isDeserialized(schema) ? (stored: unknown) => deserializeOnce(shape.deserialized, row.last!, name, () => visit(stored)) : visit
    return obtain(row.once(shape, () => new Map<string, WeakMemo>()), name, () => this.#memo([], () => read(show))).read()
  }
}

function shapeOf(entity: EntityClass): Shape {
  const { key, members, deserialized, custom } = planOf(entity)
  const shape = { label: key, members, deserialized }
  if (custom.create) return { ...shape, defaults: {}, schema: {} }
  // The schema is read each time: a class may get its relations later.
  return { ...shape, defaults: defaultsOf(entity), get schema() { return entity.schema } }
}

/** Whether a class may refuse a record, or makes its instances itself: then the snapshot of a row decides. */
function hasConditions(entity: EntityClass): boolean {
  const { custom, fields } = planOf(entity)
  return custom.validate || custom.create || fields.some(({ name, schema }) => defaultsOf(entity)[name] && canBeInvalid(schema))
}

/** Lists, deserialized values and queries are never INVALID as a whole. */
function canBeInvalid(schema: unknown): boolean {
  const { brackets, computes } = traitsOf(schema)
  return compile(schema) !== undefined && !(isDeserialized(schema) || brackets || computes)
}
