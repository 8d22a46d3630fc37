import { isPlain } from '../base/plain.ts'
import { handlerOf } from '../schema/dispatch.ts'
import { INVALID, type EntityClass } from '../schema/interface.ts'
import type { Frame } from './frame.ts'
import { addParent, DIRTY, type ListNode, type ViewNode } from './node.ts'
import type { Sources } from './sources.ts'

/** Nobody goes through more lists than this to find one that could be made use of. */
const MANY = 16

/** Which of `lists` is the view of `stored`. */
export function findList(lists: readonly ListNode[], element: unknown, stored: readonly unknown[]): ListNode | undefined {
  if (lists.length > MANY) return indexOf(lists).get(stored)?.find(list => list.element === element)
  for (let i = 0; i < lists.length; i++) if (lists[i]!.stored === stored && lists[i]!.element === element) return lists[i]
  return undefined
}

const indexes = /* @__PURE__ */ new WeakMap<readonly ListNode[], { size: number; by: Map<unknown, ListNode[]> }>()

/** An owner of many lists would otherwise look through all of them for each. */
function indexOf(lists: readonly ListNode[]): Map<unknown, ListNode[]> {
  let index = indexes.get(lists)
  if (index === undefined) indexes.set(lists, (index = { size: 0, by: new Map<unknown, ListNode[]>() }))
  for (; index.size < lists.length; index.size++) {
    const list = lists[index.size]!
    const others = index.by.get(list.stored)
    if (others === undefined) index.by.set(list.stored, [list])
    else others.push(list)
  }
  return index.by
}

/** A list that the node showed and will not be asked for any more: its members are mostly those of the list that took its place. */
export function spareList({ data, lists, node }: Frame, element: unknown, simple: boolean, sources: Sources): ListNode | undefined {
  const old = node.lists
  if (old.length === 0 || old.length > MANY) return undefined
  const isShown = (stored: readonly unknown[]): boolean => holds(data, stored) || sources.stillHas(node, stored)
  return old.find(list => list.element === element && list.simple === simple && !lists.includes(list) && !isShown(list.stored))
}

/** Whether every member is the pk of one and the same class. */
export function isSimple(element: unknown, stored: readonly unknown[]): boolean {
  if (typeof element !== 'function' || handlerOf(element) === undefined) return false
  for (let i = 0; i < stored.length; i++) if (typeof stored[i] !== 'string') return false
  return true
}

/** Whether `list` stands somewhere in `data`, not counting what is in lists. */
function holds(data: unknown, list: readonly unknown[]): boolean {
  return data === list || (isPlain(data) && Object.values(data).some(member => holds(member, list)))
}

/** Finds the nodes of members, and lets go of those that are none any more. */
export interface Members {
  memberNode(entity: EntityClass, pk: string): ViewNode
  unlink(child: ViewNode, parent: ViewNode): void
}

/** Gives a list other members. Most stay where they were, or move together: their nodes need not be looked up. */
export function place(node: ListNode, stored: readonly unknown[], members: Members): void {
  const { children: old, stored: before } = node
  const shift = stored.length - old.length
  let start = 0
  while (start < old.length && start < stored.length && before[start] === stored[start]) start++
  let end = stored.length
  while (end > start && end - shift > start && before[end - 1 - shift] === stored[end - 1]) end--
  // A copy has exactly the room it needs; a list that is pushed to has room for seventeen.
  const children = [...stored] as ViewNode[]
  for (let i = 0; i < start; i++) children[i] = old[i]!
  for (let i = start; i < end; i++) {
    const child = members.memberNode(node.element as EntityClass, stored[i] as string)
    children[i] = child
    addParent(child, node)
  }
  for (let i = end; i < stored.length; i++) children[i] = old[i - shift]!
  if (end - shift > start) {
    const gone = new Set(old.slice(start, end - shift))
    for (const child of children) gone.delete(child)
    for (const child of gone) members.unlink(child, node)
  }
  node.children = children
  renew(node, stored)
}

/** Says that a list shows other members from now on. */
export function renew(node: ListNode, stored: readonly unknown[]): void {
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

/** Fills a list of entities: one changed member is put in its place, many are gone over from end to end. */
export function fillSimple(node: ListNode, open: (child: ViewNode) => void): void {
  const view = node.value as unknown[]
  const { children } = node
  if (node.changed !== undefined && patchSimple(node, node.changed, open)) {
    node.changed = undefined
    return
  }
  let shown = 0
  for (let i = 0; i < children.length; i++) {
    const child = children[i]!
    if (child.phase === DIRTY) open(child)
    if (child.value !== undefined && child.value !== INVALID) view[shown++] = child.value
  }
  view.length = shown
  node.complete = shown === children.length
}

/** Puts changed members in their places; false, and the list begun anew, when one of them is not shown any more. */
function patchSimple(node: ListNode, changed: readonly ViewNode[], open: (child: ViewNode) => void): boolean {
  const view = node.value as unknown[]
  const { children } = node
  for (const member of changed) {
    if (member.phase === DIRTY) open(member)
    if (member.value === undefined || member.value === INVALID) {
      restartList(node)
      return false
    }
    for (let at = children.indexOf(member); at >= 0; at = children.indexOf(member, at + 1)) view[at] = member.value
  }
  return true
}
