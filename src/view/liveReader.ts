import { denormalizeWith, isEntityClass } from '../schema/dispatch.ts'
import { Schema, type EntityClass, type Fields } from '../schema/interface.ts'
import { resolved } from '../schema/member.ts'
import type { Cell } from '../store/cell.ts'
import { cellOf, rowOf, stampOf, type State } from '../store/state.ts'
import type { Commit } from '../store/store.ts'
import { LiveEntity } from './liveEntity.ts'
import type { LiveHost, Member, Surroundings } from './liveHost.ts'
import { LiveIndex } from './liveIndex.ts'
import { LiveSources } from './liveSources.ts'
import type { LiveObjects } from './liveTable.ts'
import { LiveType } from './liveType.ts'
import { validityOf } from './liveValidity.ts'
import type { Tracker } from './tracker.ts'
import type { Use } from './use.ts'

/** Finds the live object of everything, and tells each what a commit did to it. */
export class LiveReader extends LiveSources implements LiveHost {
  place: Surroundings | undefined
  readonly origins: WeakMap<object, object> = new WeakMap()
  declare readonly report: (error: unknown) => void
  readonly #objects = new Map<EntityClass, LiveObjects>()
  readonly #validity = validityOf((entity, pk) => this.node(entity, pk))

  constructor(state: State, tracker: Tracker, report: (error: unknown) => void) {
    super(state, tracker)
    this.report = report
  }

  get args(): readonly unknown[] {
    return this.place?.args ?? []
  }

  visit(schema: unknown, stored: unknown): unknown {
    if (stored === null || stored === undefined) return stored
    if (schema instanceof Schema && schema.computes) return this.place!.query(this, schema, stored)
    if (typeof stored === 'object' && isEntityClass(schema)) return this.place!.inPlace(this, schema, stored as Fields)
    return denormalizeWith(schema, stored, this)
  }

  /** Live objects are always complete. */
  settled(schema: unknown, stored: unknown): unknown {
    return this.visit(schema, stored)
  }

  /** Runs inside the memo of its query. */
  computed(_by: object, _entries: unknown, compute: () => unknown): unknown {
    return compute()
  }

  list(element: unknown, stored: readonly unknown[]): unknown {
    return this.place!.list(this, element, stored)
  }

  entity(entity: EntityClass, pk: string): unknown {
    return this.node(entity, pk).look()
  }

  member(schema: unknown, stored: unknown): LiveEntity | null | undefined {
    if (stored === null) return null
    const [type, pk] = resolved(schema, stored) ?? []
    return typeof pk === 'string' && isEntityClass(type) ? this.node(type, pk) : undefined
  }

  node(entity: EntityClass, pk: string): LiveEntity {
    const { byPk, type } = this.#objectsOf(entity)
    const known = byPk.get(pk)
    if (known !== undefined) return known
    const node = new LiveEntity(type.refresh(), this)
    byPk.set(pk, node, node.ref)
    this.#take(node, cellOf(this.state, entity.key, pk))
    this.#validity.add(node)
    return node
  }

  rowless(entity: EntityClass, record: Fields): Member {
    const node = new LiveEntity(this.#objectsOf(entity).type.refresh(), this)
    node.take(record, false)
    this.#validity.add(node)
    return node
  }

  /** Shows the version that a commit made. Triggers are for the caller to batch. */
  tell(commit: Commit): void {
    this.state = commit.after
    const asked: LiveEntity[] = []
    commit.forEachRow((cell, before, after) => {
      const live = this.tables.get(cell.table.key)
      if (live === undefined) return
      for (const { byPk } of live.objects) {
        const node = byPk.get(cell.pk)
        // Told of no row, it may have one all the same: then only its place among the others is another.
        if (node !== undefined && (after === undefined ? this.#take(node, cell) : node.take(after as Fields, false))) asked.push(node)
      }
      live.tell(cell.pk, before, after, before === after && rowOf(this.state, cell) !== undefined)
    })
    commit.forEachResult(({ pk }) => this.results.get(pk)?.trigger())
    this.#ask(asked)
  }

  /** Tells what somebody reads or holds. */
  forEachUse(use: Use): void {
    for (const [{ key }, { byPk, type }] of this.#objects) byPk.forEach(pk => use.row(key, pk, type.entity))
    for (const [key, table] of this.tables) table.forEachUse(key, use)
    this.results.forEach(key => use.result(undefined, key, []))
  }

  /** Lets the live objects of one row show another. Triggers are for the caller to batch. */
  move(key: string, from: string, to: string): void {
    const asked: LiveEntity[] = []
    for (const { byPk } of this.table(key).objects) {
      const node = byPk.get(from)
      if (node === undefined || byPk.get(to) !== undefined) continue
      byPk.delete(from)
      byPk.set(to, node, node.ref)
      if (this.#take(node, cellOf(this.state, key, to))) asked.push(node)
    }
    this.#ask(asked)
  }

  #objectsOf(entity: EntityClass): LiveObjects {
    let objects = this.#objects.get(entity)
    if (objects === undefined) {
      this.#objects.set(entity, (objects = { type: new LiveType(entity), byPk: new LiveIndex() }))
      this.table(entity.key).objects.push(objects)
    }
    return objects
  }

  /** Tells those of whom the answer is another whether they may be shown. */
  #ask(entities: readonly LiveEntity[]): void {
    if (entities.length > 0) for (const node of this.#validity.ask(entities)) node.changed()
  }

  #take(node: LiveEntity, cell: Cell | undefined): boolean {
    const row = cell && (rowOf(this.state, cell) as Fields | undefined)
    return node.take(row, cell !== undefined && row === undefined && stampOf(this.state, cell)?.deleted === true)
  }
}
