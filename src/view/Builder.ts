import { DEPTH_LIMIT, hasOwn, identical, isObject, keep, tooDeep, type Plain } from '../base/plain.ts'
import { compile, isEntityClass, traitsOf } from '../schema/compile.ts'
import { INVALID, isVisible, type CollectionSource, type EntityClass, type Fields, type ViewHost } from '../schema/interface.ts'
import { defaultsOf, hasOnlyData, planOf, sharedDefaults, warnMember, type Plan } from '../schema/plan.ts'
import { findByIndex } from '../store/SecondaryIndex.ts'
import type { Cell, Row, State } from '../store/State.ts'
import { ViewNode } from './ViewNode.ts'

/** Views are compared this deep: lists and objects that schemas build are rarely nested deeper, and user values may contain themselves. */
const LEVELS = 6

/** `next`, with lists and plain objects that show the same as in `old` replaced by those. */
export function keepView<T>(old: unknown, next: T): T {
  return keep(old, next, LEVELS)
}

/** Whether two instances of one class have the same fields: a default may give way to an equal value. */
export function sameFields(old: unknown, next: unknown): boolean {
  if (!isObject(old) || !isObject(next) || Object.getPrototypeOf(old) !== Object.getPrototypeOf(next)) return false
  const names = Object.keys(next)
  const [a, b] = [old, next] as Plain[]
  return names.length === Object.keys(old).length && names.every(name => Object.hasOwn(old, name) && identical(a![name], keepView(a![name], b![name])))
}

/**
 * Builds snapshots: frozen instances of entity classes, nested fields resolved. Objects are allocated before they are
 * filled, so that entities which refer to each other in circles close. Without memory this is pure `denormalize`; the
 * graph adds memory by overriding `nodeOf`, `link` and the lookups.
 */
export class Builder implements ViewHost {
  declare state: State
  declare args: readonly unknown[]
  /** Called with every view that is rebuilt, and with every read that wakes its readers; for devtools. */
  declare observer: ((node: ViewNode, isWoken?: boolean) => void) | undefined
  /** The node that is being built. */
  protected owner: ViewNode | null = null
  /** The node that was used last. */
  #last: ViewNode | null = null
  #depth = 0
  /** Nodes in a circle: they are still being built, and a node below them has used their unfinished views. */
  protected readonly early: Set<ViewNode> = new Set()
  /** Nodes that were built while `early` had members. If one of those fails or becomes INVALID, they have to be built again. */
  readonly #built: ViewNode[] = []
  /** By table and slot. A map by cell would take a tenth of the time of a build. */
  readonly #nodes: ViewNode[][] = []
  readonly #plans = new Map<EntityClass, Plan>()

  constructor(state: State, args: readonly unknown[] = []) {
    this.state = state
    this.args = args
  }

  visit(schema: unknown, stored: unknown): unknown {
    if (stored === null || stored === undefined) return stored
    const handler = compile(schema)
    return handler ? handler.denormalize(stored, this) : stored
  }

  entity(entity: EntityClass, stored: unknown): unknown {
    if (isObject(stored)) return this.#fill(entity, stored, new ViewNode(entity, null), undefined)
    return typeof stored === 'boolean' ? stored : this.#find(entity, entity.key, `${stored as string}`)
  }

  collection(collection: CollectionSource, pk: string): unknown {
    return this.#find(collection, collection.key, pk)
  }

  list(element: unknown, members: readonly unknown[]): readonly unknown[] {
    const handler = compile(element)
    const { owner } = this
    const list: unknown[] = []
    // Only a view that is a list itself can be patched.
    const nodes: (ViewNode | null)[] | null = owner && owner.row === members ? [] : null
    // Its members may lead back to it.
    if (nodes && !owner!.root) owner!.view = list
    for (let i = 0; i < members.length; i++) {
      const member = members[i]
      this.#last = null
      const view = !handler || member == null ? member : handler.denormalize(member, this)
      if (!isVisible(view)) continue
      list.push(view)
      const last = this.#last as ViewNode | null
      nodes?.push(last?.view === view ? last : null)
    }
    if (nodes) owner!.members = nodes
    return Object.freeze(list)
  }

  queryKey(schema: unknown, args: readonly unknown[]): unknown {
    return compile(schema)?.queryKey(args, this)
  }

  computed(by: object, inputs: unknown, compute: () => unknown): unknown {
    const { owner } = this
    const known = owner?.memos?.find(memo => memo.by === by && keepView(memo.inputs, inputs) === memo.inputs)
    // With one query in a view, its last result is the one to compare with.
    const value = known ? known.value : keep(owner?.memos?.find(memo => memo.by === by)?.value, compute(), 1)
    if (owner) (owner.nextMemos ??= []).push({ by, inputs: known?.inputs ?? inputs, value })
    return value
  }

  has(key: string, pk: string): boolean {
    return this.state.row(key, pk) !== undefined
  }

  all(key: string): readonly string[] | undefined {
    return this.state.all(key)?.map(cell => cell.pk)
  }

  lookup(key: string, field: string, value: unknown): string | undefined {
    return findByIndex(this.state, key, field, value)?.pk
  }

  protected cellOf(key: string, pk: string): Cell | undefined {
    return this.state.cell(key, pk)
  }

  protected nodeOf(schema: unknown, cell: Cell): ViewNode {
    const nodes = (this.#nodes[cell.table.ordinal] ??= [])
    const first = nodes[cell.slot] ?? null
    for (let node = first; node; node = node.next) if (node.schema === schema) return node
    const node = (nodes[cell.slot] = new ViewNode(schema, cell))
    node.next = first
    return node
  }

  /** Notes that the node being built shows `child`. */
  protected link(_child: ViewNode): void {}

  #find(schema: unknown, key: string, pk: string): unknown {
    const cell = this.cellOf(key, pk)
    return cell && this.use(schema, cell)
  }

  protected use(schema: unknown, cell: Cell): unknown {
    const node = this.nodeOf(schema, cell)
    this.link(node)
    if (node.isBuilding) {
      this.early.add(node)
      if (this.owner && typeof schema !== 'function') this.owner.hasUnfinished = true
    } else if (node.isDirty) this.build(node)
    this.#last = node
    return node.view
  }

  /** Brings the view of a node up to date. */
  protected build(node: ViewNode): void {
    this.observer?.(node)
    if (this.patch(node)) return void (this.early.size && this.#built.push(node))
    if (this.#depth >= DEPTH_LIMIT) throw tooDeep()
    const { owner } = this
    const { children, view: before } = node
    const mark = this.#built.length
    node.children = node.members = node.staleMembers = null
    node.isBuilding = true
    this.owner = node
    this.#depth++
    try {
      node.view = this.#reuse(node, before, this.#make(node, before))
      node.memos = node.nextMemos
      node.isDirty = false
    } catch (error) {
      node.view = before
      throw error
    } finally {
      // What was built since has used a view that is not there: see `early`.
      if (this.early.size && this.early.delete(node) && (node.isDirty || node.view === INVALID)) for (let i = mark; i < this.#built.length; i++) this.#built[i]!.isDirty = true
      node.isBuilding = node.hasUnfinished = false
      node.nextMemos = null
      this.owner = owner
      this.#depth--
      if (this.early.size) this.#built.push(node)
      else if (this.#built.length) this.#built.length = 0
      if (children) this.unlink(node, children)
    }
  }

  /** What a node shows: the same object as before, if nothing that it shows differs. A view that others used early stays. */
  #reuse(node: ViewNode, before: unknown, made: unknown): unknown {
    const { schema, cell } = node
    if (before === undefined || this.early.has(node) || node.hasUnfinished || traitsOf(schema).computes) return made
    // Not for a read of one entity: it shows the object that the node of the entity has.
    const isEntity = typeof schema === 'function' && cell?.isEntity
    return isEntity && sameFields(before, made) ? before : keepView(before, made)
  }

  /** Brings a list up to date of which few members changed; false when it must be built. */
  protected patch(_node: ViewNode): boolean {
    return false
  }

  /** Removes the edges to former children that are no longer shown. */
  protected unlink(_node: ViewNode, _former: readonly ViewNode[]): void {}

  /** What a node shows, as stored. */
  protected rowOf({ cell, schema, root }: ViewNode): unknown {
    return cell ? this.state.read(cell) : this.queryKey(schema, root!.args)
  }

  /** The view of a row, or of a read. */
  #make(node: ViewNode, before: unknown): unknown {
    const { schema, cell, root } = node
    const row = this.rowOf(node)
    if (root && !cell?.isEntity) {
      this.args = root.args
      return this.visit(schema, (node.row = row))
    }
    if (row === undefined) {
      node.row = undefined
      return this.state.stamp(cell!)?.deleted ? INVALID : undefined
    }
    if (typeof schema === 'function') return this.#fill(schema as unknown as EntityClass, row as Row, node, before)
    node.row = row
    return this.visit((schema as CollectionSource).definition, row)
  }

  #fill(entity: EntityClass, record: object, node: ViewNode, before: unknown): unknown {
    const plan = this.#planOf(entity)
    const { custom, fields } = plan
    const old = isObject(before) ? (before as Fields) : undefined
    const oldRow = node.row as Fields | undefined
    node.row = record
    if (custom.validate && entity.validate(Object.freeze(record))) return INVALID
    const view = (custom.create ? {} : new entity()) as Plain
    if (!custom.create) {
      node.view = view
      for (const name of sharedDefaults(entity, plan)) if (!hasOwn(record, name)) view[name] = defaultsOf(entity)[name]
    }
    if (hasOnlyData(plan, record)) Object.assign(view, record)
    else {
      for (const name of Object.keys(record)) {
        if (!plan.members.has(name)) view[name] = (record as Fields)[name]
        else warnMember(plan, name)
      }
    }
    for (const { name, schema, isDeserialized } of fields) {
      if (!Object.hasOwn(record, name) || plan.members.has(name)) continue
      const stored = (record as Fields)[name]
      let member = isDeserialized ? deserializeOnce(plan.deserialized, record, name, () => (old !== undefined && oldRow?.[name] === stored ? old[name] : keepView(old?.[name], this.visit(schema, stored)))) : isEntityClass(schema) && stored !== null ? this.entity(schema, stored) : this.visit(schema, stored)
      if (!isDeserialized && !node.hasUnfinished) member = keepView(old?.[name], member)
      if (member === INVALID && defaultsOf(entity)[name]) return INVALID
      view[name] = member === INVALID ? undefined : member
    }
    if (!custom.create) return Object.freeze(view)
    const made = entity.createIfValid(view)
    return made === undefined ? INVALID : Object.freeze(made)
  }

  /** Forgets what was only worth knowing during one read. */
  protected endRead(): void {
    this.#last = null
    this.#plans.clear()
  }

  #planOf(entity: EntityClass): Plan {
    let plan = this.#plans.get(entity)
    if (!plan) this.#plans.set(entity, (plan = planOf(entity)))
    return plan
  }
}

export function withoutInvalid(view: unknown): unknown {
  return view === INVALID ? undefined : view
}

/** An unchanged text shows the same Date, in every view of the record. */
export function deserializeOnce(made: WeakMap<object, Map<string, unknown>>, record: object, name: string, make: () => unknown): unknown {
  let known = made.get(record)
  if (!known) made.set(record, (known = new Map()))
  if (!known.has(name)) known.set(name, make())
  return known.get(name)
}
