import { signal, type Signal } from '@preact/signals-core'
import type { Cell } from '../store/State.ts'

/** The result of a computed schema for its inputs. */
interface Memo {
  readonly by: object
  readonly inputs: unknown
  readonly value: unknown
}

/** The view of one (schema, cell), or of one read, and its edges in the graph of views. */
export class ViewNode {
  /** An entity class, a collection, or the schema of a read; null for a node that only tells of changes. */
  declare readonly schema: unknown
  declare cell: Cell | null
  /** Another node of the same cell. */
  next: ViewNode | null = null
  view: unknown = undefined
  /** The row that the view was made of. */
  row: unknown = undefined
  isDirty = true
  /** The commit that last marked it. */
  markedBy = 0
  isBuilding = false
  /** It shows a list that is still being built, which cannot be compared yet. */
  hasUnfinished = false
  /** Nodes that show this one. */
  parents: Set<ViewNode> | null = null
  /** Nodes that this one shows. */
  children: ViewNode[] | null = null
  /** For a list: the node of each member, by index. */
  members: (ViewNode | null)[] | null = null
  /** For a list: members that changed since it was built. */
  staleMembers: Set<ViewNode> | null = null
  /** Results of computed schemas, of the last build and of the one that is running. */
  memos: Memo[] | null = null
  nextMemos: Memo[] | null = null
  /** Present when the node is read directly. */
  root: ViewRoot | null = null

  constructor(schema: unknown, cell: Cell | null) {
    this.schema = schema
    this.cell = cell
  }
}

/** The part of a node that is read directly. */
export class ViewRoot {
  declare readonly args: readonly unknown[]
  isWatched = false
  /** The view that readers were shown last. */
  seen: unknown = undefined
  /** Removes the node from where reads find it. */
  declare readonly forget: () => void
  /** Called when the view has changed; for live objects. */
  readonly listeners: Set<WeakRef<() => void>> = new Set()
  readonly #onWatched: (isWatched: boolean) => void
  /** Counts the changes of the view. */
  #version: Signal<number> | undefined

  constructor(args: readonly unknown[], forget: () => void, onWatched: (isWatched: boolean) => void) {
    this.args = args
    this.forget = forget
    this.#onWatched = onWatched
  }

  /** Whether somebody is notified of changes. */
  get isRead(): boolean {
    return this.isWatched || this.listeners.size > 0
  }

  /** Makes whoever is running depend on the view. */
  track(): void {
    this.#version ??= signal(0, { name: 'patchcord view', watched: () => this.#watch(true), unwatched: () => this.#watch(false) })
    void this.#version.value
  }

  /** Wakes whoever depends on the view. */
  wake(): void {
    if (this.#version) this.#version.value = this.#version.peek() + 1
    for (const ref of [...this.listeners]) ref.deref()?.()
  }

  #watch(isWatched: boolean): void {
    this.isWatched = isWatched
    this.#onWatched(isWatched)
  }
}

