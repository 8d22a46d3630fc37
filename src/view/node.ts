import type { Signal } from '@preact/signals-core'
import { detached } from '../base/plain.ts'
import type { EntityClass } from '../schema/interface.ts'
import type { Cell } from '../store/cell.ts'
import { withOne, withoutOne, type Few } from './few.ts'

/** Where a node stands. Between two passes every node is CLEAN or DIRTY. */
export const CLEAN = 0
/** Something that it shows has changed. Whoever shows a dirty node is dirty too. */
export const DIRTY = 1
/** Allocated in this pass, and waiting to be filled. */
export const PENDING = 2
/** Being filled. */
export const FILLING = 3
/** Being filled with something that has changed in the meantime, and so to be filled once more. */
export const AGAIN = 4
/** Filled in this pass, and open until its end. */
export const FILLED = 5

/** What a node shows that was never made. */
export const NEVER: unique symbol = Symbol('never')

/**
 * One place in the graph of views:
 *
 *      root ──► list ──► entity ──► entity        children: what it shows
 *           ◄──      ◄──        ◄──               parents: who shows it
 *
 * A change goes up by parents and makes nodes dirty; a read goes down by children and makes the dirty ones anew.
 */
export class ViewNode {
  /** Of the node of an entity its class, of a list that of its members, of a root what was asked for. */
  declare readonly schema: unknown
  /** Of the node of an entity, and of no other. */
  declare readonly cell: Cell | undefined
  /** What it shows, or showed until it became dirty. */
  value: unknown = NEVER
  /** Within a pass: what it showed when the pass began. */
  before: unknown = NEVER
  phase: number = DIRTY
  /** Something that it looks at itself has changed, and not only something below it. */
  told: boolean = false
  /** Most entities are shown in one place. */
  parents: Few<ViewNode> = undefined
  /** Among them one for each stored list that it shows. */
  children: readonly ViewNode[] = NONE
  /** What else it looked at or computed; one field, because few nodes do and there are thousands. */
  findings: Findings | undefined = undefined

  constructor(schema: unknown, cell: Cell | undefined) {
    this.schema = schema
    this.cell = cell
  }
}

const NONE: readonly ViewNode[] = []

/** What a node shows, besides its children. */
export interface Findings {
  /** Cells and tables that it looked at. */
  readonly sources: readonly (Cell | Readers)[]
  /** What queries in it were computed from, and gave. */
  readonly memos: readonly Memo[]
}

/** What a query made of what. */
export interface Memo {
  readonly by: object
  readonly entries: unknown
  readonly result: unknown
}

/** The view of one entity by one class. No class of its own: there are thousands, and one that extends another is slower to make. */
export interface EntityNode extends ViewNode {
  readonly schema: EntityClass
  readonly cell: Cell
}

export function isEntityNode(node: ViewNode): node is EntityNode {
  return node.cell !== undefined
}

/** The view of one stored list; it belongs to the one node that shows it. Says all by itself: one that extends another is three times slower to make. */
export class ListNode implements ViewNode {
  declare readonly schema: unknown
  readonly cell: undefined = undefined
  value: unknown = NEVER
  before: unknown = NEVER
  phase: number = DIRTY
  told: boolean = false
  parents: Few<ViewNode> = undefined
  children: readonly ViewNode[] = NONE
  findings: Findings | undefined = undefined
  stored: readonly unknown[] = NONE
  /** Members are pks of one entity class: then children stand in the order of `stored`. Of a list that was never filled only believed. */
  declare simple: boolean
  /** Children that changed since the list was last made; undefined when too many to be worth telling apart. */
  changed: ViewNode[] | undefined = undefined
  /** All of `stored` is shown, so that places in it are places in the view. */
  complete: boolean = false

  constructor(element: unknown, simple: boolean) {
    this.schema = element
    this.simple = simple
  }
}

/** What somebody asked for: a schema with arguments, or an endpoint's result. */
export class RootNode extends ViewNode {
  declare readonly args: readonly unknown[]
  /** Names it among the roots of its schema. */
  declare readonly key: string
  /** Finds what the schema is to make a view of; looks at the store through the graph, and so is told of changes. */
  declare readonly find: (args: readonly unknown[]) => unknown
  /** Counts changes; made when somebody reads this very node. */
  signal: Signal<number> | undefined = undefined
  /** Somebody is subscribed to the signal. */
  watched: boolean = false
  /** Somebody has read it outside of effects, a while ago at most. */
  kept: boolean = false

  constructor(schema: unknown, args: readonly unknown[], key: string, find: RootNode['find']) {
    super(schema, undefined)
    // Who asked may change theirs, and others ask by the same key.
    this.args = detached(args) as readonly unknown[]
    this.key = key
    this.find = find
  }
}

/** Whether somebody is subscribed to this very node, or may come back for it. */
export function isWatched(node: ViewNode): boolean {
  return node instanceof RootNode && (node.watched || node.kept)
}

/** The nodes that look at the same thing. */
export class Readers extends Set<ViewNode> {
  /** Of those who look at all rows of a table: the pks in order of arrival, until a row comes or goes. */
  pks: readonly string[] | undefined = undefined
  readonly #whenEmpty: (() => void) | undefined

  constructor(whenEmpty?: () => void) {
    super()
    this.#whenEmpty = whenEmpty
  }

  leave(node: ViewNode): void {
    this.delete(node)
    if (this.size > 0) return
    this.pks = undefined
    this.#whenEmpty?.()
  }
}

export function addParent(child: ViewNode, parent: ViewNode): void {
  const { parents } = child
  // What is shown in many places is met at each of them: only a first or second place is worth writing down.
  if (parents instanceof Set) parents.add(parent)
  else if (parents !== parent) child.parents = parents === undefined ? parent : withOne(parents, parent)
}

export function removeParent(child: ViewNode, parent: ViewNode): void {
  child.parents = withoutOne(child.parents, parent)
}

/** A callback of the user threw: the node is dirty again, and the next read tries again. */
export function abandon(node: ViewNode): void {
  node.value = node.before
  node.phase = DIRTY
  if (node instanceof ListNode) node.complete = false
}
