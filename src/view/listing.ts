import { middleOf } from '../base/middle.ts'
import { obtain } from '../base/obtain.ts'
import { isPlain } from '../base/plain.ts'
import { isEntityClass } from '../schema/dispatch.ts'
import { INVALID } from '../schema/interface.ts'
import { gather } from '../store/gather.ts'
import type { Frame } from './frame.ts'
import type { Kind } from './kinds.ts'
import { DIRTY, ListNode, type EntityNode, type ViewNode } from './node.ts'
import type { Sources } from './sources.ts'

/** Nobody goes through more lists than this to find one that could be made use of. */
const MANY = 16

/** Which of `nodes` is the view of `stored`. */
export function findList(nodes: readonly ViewNode[], element: unknown, stored: readonly unknown[]): ListNode | undefined {
  const among = nodes.length > MANY ? indexOf(nodes).get(stored) : nodes
  if (among === undefined) return undefined
  for (let i = 0; i < among.length; i++) {
    const node = among[i]!
    if (node instanceof ListNode && node.stored === stored && node.schema === element) return node
  }
  return undefined
}

const indexes = /* @__PURE__ */ new WeakMap<readonly ViewNode[], { size: number; by: Map<unknown, ListNode[]> }>()

/** An owner of many lists would otherwise look through all of them for each. */
function indexOf(nodes: readonly ViewNode[]): Map<unknown, ListNode[]> {
  const index = obtain(indexes, nodes, () => ({ size: 0, by: new Map<unknown, ListNode[]>() }))
  for (; index.size < nodes.length; index.size++) {
    const list = nodes[index.size]!
    if (list instanceof ListNode) gather(index.by, list.stored, list)
  }
  return index.by
}

/** The node of a list that its owner did not show before, made of one that it did show if there is one to spare. */
export function makeList(frame: Frame, element: unknown, stored: readonly unknown[], members: Members): ListNode {
  const simple = isEntityClass(element)
  const spare = frame.node.children.length > 0 ? spareList(frame, element, simple && isSimple(stored), members.sources) : undefined
  const node = spare ?? new ListNode(element, simple)
  if (spare?.simple) place(spare, stored, members)
  renew(node, stored)
  return node
}

/** A list that the node showed and will not be asked for any more: its members are mostly those of the list that took its place. */
function spareList({ data, links, node }: Frame, element: unknown, simple: boolean, sources: Sources): ListNode | undefined {
  const old: ListNode[] = []
  for (const child of node.children) if (child instanceof ListNode && old.push(child) > MANY) return undefined
  const isShown = (stored: readonly unknown[]): boolean => holds(data, stored) || sources.stillHas(node, each => holds(each, stored))
  return old.find(list => list.schema === element && list.simple === simple && !links.includes(list) && !isShown(list.stored))
}

/** Whether every member is a pk. */
export function isSimple(stored: readonly unknown[]): boolean {
  for (let i = 0; i < stored.length; i++) if (typeof stored[i] !== 'string') return false
  return true
}

/** Whether `list` stands somewhere in `data`, not counting what is in lists of lists: those have nodes of their own. */
function holds(data: unknown, list: readonly unknown[]): boolean {
  const isHere = (each: unknown): boolean => each === list || (isPlain(each) && Object.values(each).some(isHere))
  return isHere(data) || (Array.isArray(data) && data.some(isHere))
}

/** Finds the nodes of members, and lets go of those that are none any more. */
export interface Members {
  readonly sources: Sources
  /** Puts the nodes of members in the place of their pks; false, and nothing linked, when one of them is none. */
  link(children: unknown[], from: number, to: number, parent: ListNode): boolean
  unlink(child: ViewNode, parent: ViewNode): void
  /** Begins to make a dirty one anew. */
  openEntity(node: EntityNode, kind: Kind): void
}

/** Gives a list other members. Most stay where they were, or move together: their nodes need not be looked up. */
function place(node: ListNode, stored: readonly unknown[], members: Members): void {
  const { children: old } = node
  const { start, end, shift } = middleOf(node.stored, stored, old.length)
  // A copy has exactly the room it needs; a list that is pushed to has room for seventeen.
  const children = [...stored] as ViewNode[]
  for (let i = 0; i < start; i++) children[i] = old[i]!
  members.link(children, start, end, node)
  for (let i = end; i < stored.length; i++) children[i] = old[i - shift]!
  if (end - shift > start) {
    const gone = new Set(old.slice(start, end - shift))
    for (const child of children) gone.delete(child)
    for (const child of gone) members.unlink(child, node)
  }
  node.children = children
}

/** Says that a list shows other members from now on. */
function renew(node: ListNode, stored: readonly unknown[]): void {
  node.stored = stored
  node.complete = false
  node.told = true
  node.phase = DIRTY
}

/** Begins a list anew, or, when few members changed, from what it was. */
export function openList(node: ListNode): void {
  const patched = node.complete && node.changed !== undefined
  if (!patched) node.changed = undefined
  node.value = patched ? [...(node.value as unknown[])] : node.simple ? [...node.stored] : []
}

export function restartList(list: ListNode): void {
  list.changed = undefined
  ;(list.value as unknown[]).length = 0
}

/**
 * Fills a list of entities: one changed member is put in its place, many are gone over from end to end.
 * False, and begun anew, when it proves to be none.
 */
export function fillSimple(node: ListNode, kind: Kind, members: Members): boolean {
  const view = node.value as unknown[]
  if (node.changed !== undefined && patchSimple(node, node.changed, kind, members)) {
    node.changed = undefined
    return true
  }
  // A list that is new has its members linked now, and not when it was met: going from list to list is quicker than in turns with their owners.
  if (node.children.length !== node.stored.length) {
    const linked = [...node.stored] as ViewNode[]
    if (!members.link(linked, 0, linked.length, node)) {
      node.simple = false
      restartList(node)
      return false
    }
    node.children = linked
  }
  const { children } = node
  let shown = 0
  for (let i = 0; i < children.length; i++) {
    const child = children[i]!
    if (child.phase === DIRTY) members.openEntity(child as EntityNode, kind)
    const { value } = child
    if (value !== undefined && value !== INVALID) view[shown++] = value
  }
  // Assigning a length is a slow call, also when it stays the same.
  if (view.length !== shown) view.length = shown
  node.complete = shown === children.length
  return true
}

/** Puts changed members in their places; false, and the list begun anew, when one of them is not shown any more. */
function patchSimple(node: ListNode, changed: readonly ViewNode[], kind: Kind, members: Members): boolean {
  const view = node.value as unknown[]
  const { children } = node
  for (const member of changed) {
    if (member.phase === DIRTY) members.openEntity(member as EntityNode, kind)
    if (member.value === undefined || member.value === INVALID) {
      restartList(node)
      return false
    }
    for (let at = children.indexOf(member); at >= 0; at = children.indexOf(member, at + 1)) view[at] = member.value
  }
  return true
}
