import { denormalizeList, denormalizeWith } from '../schema/dispatch.ts'
import { fillView } from '../schema/entityView.ts'
import { INVALID, type EntityClass, type Fields, type ViewHost } from '../schema/interface.ts'
import type { Store } from '../store/store.ts'
import { reuse } from './alike.ts'
import { forEachOne } from './few.ts'
import { Frame } from './frame.ts'
import { Kinds, type Kind } from './kinds.ts'
import { fillSimple, findList, makeList, openList, restartList, type Members } from './listing.ts'
import { abandon, addParent, AGAIN, CLEAN, DIRTY, FILLED, FILLING, isEntityNode, ListNode, NEVER, PENDING, removeParent, RootNode, ViewNode, type EntityNode } from './node.ts'
import { addWatcher, entityNodeOf, Sources } from './sources.ts'
import { giveBack, mayBeUnchanged } from './unchanged.ts'

/**
 * Makes dirty nodes anew, in one pass that never recurses from entity to entity: each node that is reached is allocated
 * at once and filled from a queue, so that circles close by reference and no chain is too long. What must not be shown
 * spreads upwards by filling parents again.
 */
export class Builder implements ViewHost, Members {
  declare readonly sources: Sources
  /** Everything that this pass opened, in the order in which it came, which is that of the rows. What is pending stands at `#next` or after it. */
  #opened: ViewNode[] = []
  #next = 0
  #frame: Frame | undefined
  /** One that has been taken: filled nodes come by the thousand, one after the other. */
  #spare: Frame | undefined
  #passes = 0
  /** An error was thrown and caught within the pass, so that nothing that it made can be kept. */
  #broken = false
  /** Something was made anew that may be no different. */
  #doubt = false
  #kinds: Kinds | undefined
  readonly #later: (() => void)[] = []
  /** Told of each node that lost somebody who showed it. */
  readonly #lose: (node: ViewNode) => void

  constructor(store: Store, lose: (node: ViewNode) => void) {
    this.sources = new Sources(store.state)
    this.#lose = lose
  }

  /** Whether a pass is under way: a class or query is asking for another view, or writing. */
  get busy(): boolean {
    return this.#passes > 0
  }

  /** What `node` shows, made anew if it has to be. */
  settle(node: ViewNode): unknown {
    if (node.phase === CLEAN) return node.value
    this.#passes++
    let done = false
    try {
      // A query that reads, in its own making, what it is part of gets what that showed before.
      if (node.phase === DIRTY) this.#open(node)
      do this.#drain()
      while (this.#keepUnchanged())
      done = true
      return node.value
    } finally {
      if (!done) this.#broken = true
      if (--this.#passes === 0) this.#close()
    }
  }

  /** Runs `work` now, or, if a class or query commits while it is being shown, when the pass is over. */
  afterPass(work: () => void): void {
    if (this.#passes === 0) work()
    else this.#later.push(work)
  }

  get args(): readonly unknown[] {
    let node = this.#frame?.node
    while (node instanceof ListNode) node = node.parents as ViewNode
    // An entity's view is one for all who show it, so it cannot depend on anybody's arguments.
    return node instanceof RootNode ? node.args : []
  }

  visit(schema: unknown, stored: unknown): unknown {
    return denormalizeWith(schema, stored, this)
  }

  settled(schema: unknown, stored: unknown): unknown {
    for (;;) {
      const view = denormalizeWith(schema, stored, this)
      const spoiled = this.#drain()
      if (!this.#keepUnchanged() && !spoiled) return view
    }
  }

  entity(entity: EntityClass, pk: string): unknown {
    return this.#show(this.#nodeOf(this.#kindOf(entity), pk)!)
  }

  record(key: string, pk: string): object | undefined {
    return this.sources.record(key, pk)
  }

  all(key: string): readonly string[] | undefined {
    return this.sources.all(key)
  }

  list(element: unknown, stored: readonly unknown[]): unknown {
    const frame = this.#frame!
    return this.#show(findList(frame.links, element, stored) ?? findList(frame.node.children, element, stored) ?? makeList(frame, element, stored, this))
  }

  computed(by: object, entries: unknown, compute: () => unknown): unknown {
    return this.#frame!.computed(by, entries, compute)
  }

  link(children: unknown[], from: number, to: number, parent: ListNode): boolean {
    const kind = this.#kindOf(parent.schema as EntityClass)
    for (let i = from; i < to; i++) {
      const node = this.#nodeOf(kind, children[i])
      if (node === undefined) {
        while (--i >= from) this.unlink(children[i] as ViewNode, parent)
        return false
      }
      addParent((children[i] = node), parent)
    }
    return true
  }

  /** Of anything but a pk undefined. That it is one need not be asked where it is found: looking at each would take as long as finding it. */
  #nodeOf({ entity, plan, table }: Kind, pk: unknown): ViewNode | undefined {
    const cell = table?.find(pk as string) ?? (typeof pk === 'string' ? this.sources.table(plan.key).intern(pk) : undefined)
    if (cell === undefined) return undefined
    let node: ViewNode | undefined = entityNodeOf(cell, entity)
    if (node === undefined) addWatcher(cell, (node = new ViewNode(entity, cell)))
    return node
  }

  #kindOf(entity: EntityClass): Kind {
    return (this.#kinds ??= new Kinds(this.sources.state)).of(entity)
  }

  unlink(child: ViewNode, parent: ViewNode): void {
    removeParent(child, parent)
    this.#lose(child)
  }

  /** Makes the node of what is shown a child of the one that shows it, and gives its value, which may not be filled yet. */
  #show(node: ViewNode): unknown {
    const frame = this.#frame!
    frame.addLink(node)
    addParent(node, frame.node)
    if (node.phase === DIRTY) this.#open(node)
    return node.value
  }

  #open(node: ViewNode): void {
    if (isEntityNode(node)) return this.openEntity(node, this.#kindOf(node.schema))
    node.before = node.value
    if (node instanceof ListNode) openList(node)
    this.#await(node)
  }

  openEntity(node: EntityNode, kind: Kind): void {
    const before = node.value
    const value = this.#kinds!.allocate(kind, node.cell)
    node.value = value
    if (!kind.isLeaf) {
      node.before = before
      return this.#await(node)
    }
    // One with nothing nested is complete as it is, and if it is new nobody has to look at it again.
    if (typeof value === 'object') Object.freeze(value)
    node.phase = before === NEVER ? CLEAN : FILLED
    if (before === NEVER) return
    node.before = before
    this.#doubt ||= mayBeUnchanged(node)
    this.#opened.push(node)
  }

  #await(node: ViewNode): void {
    node.phase = PENDING
    const opened = this.#opened
    opened[opened.length] = node
  }

  /** Fills all that is pending; true when something turned out to be INVALID, so that what was made of it is wrong. */
  #drain(): boolean {
    let spoiled = false
    while (this.#next < this.#opened.length) {
      const node = this.#opened[this.#next++]!
      if (node.phase !== PENDING) continue
      node.phase = FILLING
      if (!this.#fill(node)) {
        node.value = INVALID
        spoiled = true
        forEachOne(node.parents, this.#refill)
      }
      this.#doubt ||= mayBeUnchanged(node)
      // Asked of the field, because filling it may have had to begin anew.
      if ((node.phase as number) === AGAIN) this.#requeue(node)
      else node.phase = FILLED
    }
    return spoiled
  }

  readonly #refill = (parent: ViewNode): void => {
    if (parent.value === INVALID) return
    if (parent.phase === FILLED) this.#requeue(parent)
    else if (parent.phase === FILLING) parent.phase = AGAIN
  }

  #requeue(node: ViewNode): void {
    if (node instanceof ListNode) restartList(node)
    this.#await(node)
  }

  /** True when something got its old object back; whatever is being filled right now may have taken the new one. */
  #keepUnchanged(): boolean {
    if (!this.#doubt) return false
    this.#doubt = false
    const again = giveBack(this.#opened)
    if (again === undefined) return false
    for (let frame = this.#frame; frame !== undefined; frame = frame.outer) frame.node.phase = AGAIN
    for (const node of again) this.#requeue(node)
    return true
  }

  /** False when the node must not be shown. */
  #fill(node: ViewNode): boolean {
    if (!isEntityNode(node) && node instanceof ListNode && node.simple && fillSimple(node, this.#kindOf(node.schema as EntityClass), this)) return true
    const frame = this.#spare ?? new Frame(node)
    this.#spare = undefined
    frame.node = node
    frame.outer = this.#frame
    this.#frame = this.sources.reader = frame
    let done = false
    try {
      let valid = true
      if (isEntityNode(node)) valid = this.#fillEntity(node, frame)
      else if (node instanceof RootNode) this.#fillRoot(node, frame)
      else this.#fillList(node as ListNode, frame)
      done = true
      return valid
    } finally {
      this.#frame = this.sources.reader = frame.outer
      if (done) (this.#spare = frame).take(this)
      else frame.takePart()
    }
  }

  #fillEntity(node: EntityNode, frame: Frame): boolean {
    const { before, schema: entity, value } = node
    if (typeof value !== 'object') return true
    const { plan, records } = this.#kindOf(entity)
    const record = records!.get(node.cell.slot) as Fields
    frame.data = record
    if (!fillView(value!, record, this, plan)) return false
    if (typeof before !== 'object') return true
    const view = value as { [field: string]: unknown }
    for (const [field] of plan.shown) if (Object.hasOwn(view, field)) view[field] = reuse((before as Fields)[field], view[field])
    return true
  }

  #fillRoot(node: RootNode, frame: Frame): void {
    const stored = (frame.data = node.find(node.args))
    node.value = reuse(node.before, stored === undefined ? undefined : denormalizeWith(node.schema, stored, this))
  }

  #fillList(node: ListNode, frame: Frame): void {
    frame.data = node.stored
    const view = node.value as unknown[]
    const old = node.before === NEVER ? [] : (node.before as readonly unknown[])
    const members = denormalizeList(node.schema, node.stored, this)
    const left = new Set(old)
    for (let i = 0; i < members.length; i++) {
      let member = members[i]
      // Objects among them stand where they stood, or have moved together.
      for (const at of [i, i + old.length - members.length]) if (left.has(old[at]) && !left.has(member)) member = reuse(old[at], member)
      left.delete(member)
      view.push(member)
    }
  }

  #close(): void {
    const opened = this.#opened
    const broken = this.#broken
    this.#opened = []
    this.#next = 0
    this.#frame = this.#spare = this.sources.reader = this.#kinds = undefined
    this.#broken = this.#doubt = false
    for (const node of opened) {
      // Once only: what was filled again stands here twice.
      if (node.phase === CLEAN || node.phase === DIRTY) continue
      if (broken) abandon(node)
      else {
        node.phase = CLEAN
        node.told = false
        if (typeof node.value === 'object' && !(node instanceof RootNode)) Object.freeze(node.value)
      }
      node.before = NEVER
    }
    for (let work = this.#later.shift(); work !== undefined; work = this.#later.shift()) work()
  }
}
