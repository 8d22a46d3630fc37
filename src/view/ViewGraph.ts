import { batch, untracked } from '@preact/signals-core'
import { canonical, createNames } from '../base/keys.ts'
import { replaceParts } from '../base/parts.ts'
import { asDepthError, identical, isObject } from '../base/plain.ts'
import { attempt } from '../base/report.ts'
import { changesBetween, type CellChange } from '../store/patches.ts'
import type { Cell, State, Table } from '../store/State.ts'
import { Builder, withoutInvalid } from './Builder.ts'
import { indexName, namesOf } from './tableNames.ts'
import { ViewNode, ViewRoot } from './ViewNode.ts'
import { obtain, onCollected } from './WeakCache.ts'

/** How many reads without a watcher stay memoized, until garbage is collected. */
const IDLE_LIMIT = 64
/** With more changed members than this, a list is rebuilt instead of patched. */
const PATCH_LIMIT = 64

/**
 * The memoized views of a store: a node per (schema, cell) and per read. A commit marks the nodes of changed cells and
 * everything above them dirty; a read rebuilds what is dirty below it. A signal exists only where somebody reads.
 */
export class ViewGraph extends Builder {
  /** Asked before a state is shown: with true it is not; for devtools. */
  declare guard: ((next: State, changes: readonly CellChange[]) => boolean) | undefined
  readonly #report: (error: unknown) => void
  /** Reads by schema and arguments. */
  readonly #reads = new Map<unknown, Map<string, ViewNode>>()
  readonly #nameOf = createNames()
  /** Nodes that depend on which rows a table has, or which have a value in a field. */
  readonly #tables = new Map<string, ViewNode>()
  /** Nodes that are read directly and have no watcher, the oldest first. */
  readonly #idle = new Set<ViewNode>()
  /** Watched reads whose last build threw: they are tried again with every commit. */
  readonly #failed = new Set<ViewNode>()
  /** Nodes that lost a parent during the read that is running. */
  readonly #orphans: ViewNode[] = []
  #commits = 0
  /** A commit that came while a view was being built: a view is made of one state. */
  #nextState: State | undefined

  constructor(state: State, report: (error: unknown) => void) {
    super(state)
    this.#report = report
  }

  /** The view that the store has for these arguments. Tracked. */
  query(schema: unknown, args: readonly unknown[]): unknown {
    return this.read(this.#readNode(schema, `?${canonical(args, this.#nameOf)}`, args))
  }

  /** The view of the stored result of an endpoint. Tracked. */
  result(schema: unknown, endpointKey: string, args: readonly unknown[]): unknown {
    return this.read(this.#readNode(schema, endpointKey, args, this.state.directory!.results))
  }

  /** The snapshot of an entity; undefined when it may not be shown. */
  snapshotOf(entity: unknown, cell: Cell): unknown {
    const node = this.nodeOf(entity, cell)
    if (node.isDirty && !node.isBuilding) this.#refresh(node)
    const view = withoutInvalid(node.view)
    if (node.root) node.root.seen = view
    return view
  }

  /** Calls `listener` when the snapshot of an entity changes, for as long as somebody holds the listener. */
  watch(entity: unknown, cell: Cell, listener: () => void): void {
    const node = this.nodeOf(entity, cell)
    node.root ??= this.#rootOf(node, [], () => {})
    const { listeners } = node.root
    const ref = new WeakRef(listener)
    listeners.add(ref)
    onCollected(listener, () => {
      listeners.delete(ref)
      if (listeners.size === 0) this.#keepIdle(node)
    })
  }

  /** Shows the next state: marks what changed and wakes the readers of views that differ. */
  commit(next: State, changes: readonly CellChange[] = changesBetween(this.state, next)): void {
    if (this.guard?.(next, changes)) return
    if (this.owner) return void (this.#nextState = next)
    const roots = new Set<ViewNode>(this.#failed)
    this.state = next
    this.#commits++
    for (const change of changes) this.#markCell(change, roots)
    if (roots.size > 0) attempt(() => batch(() => untracked(() => roots.forEach(root => this.#wake(root)))), this.#report)
  }

  /** Moves nodes to the cells of a rebuilt table. */
  moveNodes(from: Cell, to: Cell): void {
    to.node = from.node
    from.node = null
    for (let node = to.node as ViewNode | null; node; node = node.next) node.cell = to
  }

  /** Calls `visit` for every read that somebody watches, with the cell of its result if it has one, and forgets the others, with the tables and values that only they looked up. */
  eachWatched(visit: (schema: unknown, cell: Cell | null, args: readonly unknown[]) => void): void {
    for (const node of [...this.#idle]) this.#release(node)
    for (const [name, { parents }] of this.#tables) if (!parents?.size) this.#tables.delete(name)
    for (const [schema, byKey] of this.#reads) for (const { cell, root } of byKey.values()) visit(schema, cell, root!.args)
  }

  /** Whether somebody depends on which rows a table has. */
  usesTable({ key }: Table): boolean {
    return !!this.#tables.get(key)?.parents?.size
  }

  protected read(node: ViewNode): unknown {
    const root = node.root!
    root.track()
    if (!root.isWatched) this.#keepIdle(node)
    // A query that reads itself gets what it showed before.
    if (node.isDirty && !node.isBuilding) this.#refresh(node)
    return (root.seen = withoutInvalid(node.view))
  }

  override has(key: string, pk: string): boolean {
    const cell = this.cellOf(key, pk)
    const node = this.nodeOf(null, cell)
    node.isDirty = false
    this.link(node)
    return this.state.read(cell) !== undefined
  }

  override all(key: string): readonly string[] | undefined {
    const node = this.#tableNode(key)
    if (node.isDirty) node.view = super.all(key)
    node.isDirty = false
    return node.view as readonly string[] | undefined
  }

  override lookup(key: string, field: string, value: unknown): string | undefined {
    const name = indexName(this.state.directory!.table(key), field, value)
    if (name !== undefined) this.#tableNode(name).isDirty = false
    return super.lookup(key, field, value)
  }

  #tableNode(name: string): ViewNode {
    const node = obtain(this.#tables, name, () => new ViewNode(null, null))
    this.link(node)
    return node
  }

  protected override cellOf(key: string, pk: string): Cell {
    return this.state.directory!.table(key).cell(pk)
  }

  protected override nodeOf(schema: unknown, cell: Cell): ViewNode {
    for (let node = cell.node as ViewNode | null; node; node = node.next) if (node.schema === schema) return node
    return this.#addNode(schema, cell)
  }

  #addNode(schema: unknown, cell: Cell | null): ViewNode {
    const node = new ViewNode(schema, cell)
    if (cell) {
      node.next = cell.node as ViewNode | null
      cell.node = node
    }
    return node
  }

  protected override link(child: ViewNode): void {
    const { owner } = this
    if (!owner) return
    ;(child.parents ??= new Set()).add(owner)
    ;(owner.children ??= []).push(child)
  }

  /** Rebuilds a node outside of any build: a read inside of user code must not count as part of the view being built. */
  #refresh(node: ViewNode): void {
    const { owner, args } = this
    this.owner = null
    try {
      untracked(() => this.build(node))
    } catch (error) {
      throw asDepthError(error)
    } finally {
      this.owner = owner
      this.args = args
      if (!owner) {
        this.endRead()
        if (this.#orphans.length > 0) this.#drop(this.#orphans.splice(0))
        const next = this.#nextState
        this.#nextState = undefined
        if (next) this.commit(next)
      }
    }
  }

  /** A list of which few members changed is copied and patched. */
  protected override patch(node: ViewNode): boolean {
    const { members, staleMembers } = node
    const { owner } = this
    if (!staleMembers || !members || !Array.isArray(node.view) || staleMembers.size > PATCH_LIMIT || this.rowOf(node) !== node.row) return false
    const list: unknown[] = [...(node.view as unknown[])]
    let changed = false
    for (const member of staleMembers) {
      let at = members.indexOf(member)
      if (at < 0) return false
      if (member.isBuilding) this.early.add(member)
      else if (member.isDirty) {
        this.owner = null
        try {
          this.build(member)
        } finally {
          this.owner = owner
        }
        // The member shows this list, and has patched it.
        if (!node.isDirty) return true
      }
      if (!isObject(member.view)) return false
      for (; at >= 0; at = members.indexOf(member, at + 1)) {
        changed ||= list[at] !== member.view
        list[at] = member.view
      }
    }
    node.staleMembers = null
    node.isDirty = false
    if (changed) node.view = Object.freeze(list)
    return true
  }

  #readNode(schema: unknown, key: string, args: readonly unknown[], results?: Table): ViewNode {
    const byKey = obtain(this.#reads, schema, () => new Map<string, ViewNode>())
    const known = byKey.get(key)
    if (known) return known
    const node = this.#addNode(schema, results?.cell(key) ?? null)
    byKey.set(key, node)
    node.root = this.#rootOf(node, replaceParts(args), () => {
      byKey.delete(key)
      if (byKey.size === 0) this.#reads.delete(schema)
    })
    return node
  }

  #rootOf(node: ViewNode, args: readonly unknown[], forget: () => void): ViewRoot {
    return new ViewRoot(args, forget, isWatched => {
      if (isWatched) this.#idle.delete(node)
      else this.#keepIdle(node)
    })
  }

  #keepIdle(node: ViewNode): void {
    this.#idle.add(node)
    if (this.#idle.size > IDLE_LIMIT) this.#release([...this.#idle][0]!)
  }

  /** Forgets a read, and the nodes that only it showed. */
  #release(node: ViewNode): void {
    this.#idle.delete(node)
    if (!node.root || node.root.isRead) return
    node.root.forget()
    // A computed that nobody watches has stored what it read, and hears of no change from now on.
    node.root.wake()
    node.root = null
    this.#drop([node])
  }

  /** Notes former children that are no longer shown. They may be used again before the read ends. */
  protected override unlink(node: ViewNode, former: readonly ViewNode[]): void {
    const current = new Set(node.children)
    for (const child of former) {
      if (current.has(child)) continue
      child.parents?.delete(node)
      this.#orphans.push(child)
    }
  }

  /** Drops the nodes below `nodes` that nothing else shows. Circles are dropped as a whole. */
  #drop(nodes: readonly ViewNode[]): void {
    const below = new Set(nodes)
    for (const node of below) node.children?.forEach(child => below.add(child))
    const isUsed = (node: ViewNode): boolean => {
      let found = !!node.root
      node.parents?.forEach(parent => (found ||= !below.has(parent)))
      return found
    }
    const used = [...below].filter(isUsed)
    for (const node of used) {
      if (!below.delete(node)) continue
      node.children?.forEach(child => below.has(child) && used.push(child))
    }
    for (const node of below) {
      const { cell } = node
      node.children?.forEach(child => child.parents?.delete(node))
      node.children = null
      node.isDirty = true
      if (!cell) continue
      // It was of use until now.
      cell.idleAt = 0
      if (cell.node === node) cell.node = node.next
      else for (let each = cell.node as ViewNode | null; each; each = each.next) if (each.next === node) each.next = node.next
    }
  }

  #markCell(change: CellChange, roots: Set<ViewNode>): void {
    for (let node = change.cell.node as ViewNode | null; node; node = node.next) mark(node, roots, this.#commits)
    if (this.#tables.size === 0) return
    for (const name of namesOf(change)) {
      const node = this.#tables.get(name)
      if (node) mark(node, roots, this.#commits)
    }
  }

  /** Wakes the readers of a view that differs. A view that nobody watches is rebuilt when it is read. */
  #wake(node: ViewNode): void {
    const { root } = node
    const hasFailed = this.#failed.delete(node)
    if (!root) return
    // Not the view before this commit: another root may have rebuilt the node already.
    const before = root.seen
    let isChanged = true
    if (root.isRead) {
      try {
        if (node.isDirty) this.#refresh(node)
        root.seen = withoutInvalid(node.view)
        isChanged = hasFailed || !identical(root.seen, before)
      } catch {
        // Its readers run once and meet the error.
        root.seen = undefined
        this.#failed.add(node)
        isChanged = !hasFailed
      }
    }
    if (!isChanged) return
    this.observer?.(node, true)
    root.wake()
  }
}

/** Marks a node and everything above it dirty, once a commit, and collects what is read directly. */
function mark(first: ViewNode, roots: Set<ViewNode>, commit: number): void {
  const stack = [first]
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.markedBy === commit) continue
    node.markedBy = commit
    const { root } = node
    if (root && (!node.isDirty || root.isRead)) roots.add(node)
    node.isDirty = true
    for (const parent of node.parents ?? []) {
      // A list that is dirty for another reason is rebuilt anyway.
      if (parent.members && (!parent.isDirty || parent.staleMembers)) (parent.staleMembers ??= new Set()).add(node)
      stack.push(parent)
    }
  }
}
