import { isPlain, type Plain } from '../base/plain.ts'
import { isEntityClass } from '../schema/dispatch.ts'
import { INVALID, type Fields } from '../schema/interface.ts'
import { gather } from '../store/gather.ts'
import { DEPTH, reuse, sameDate, sameFields, withMembers } from './alike.ts'
import { forEachOne } from './few.ts'
import { FILLED, isEntityNode, NEVER, RootNode, type ViewNode } from './node.ts'

/**
 * Whether a node that was made anew may show nothing else than before. One look at its plain fields says no in nearly
 * every case, and then everything above it is different too.
 */
export function mayBeUnchanged(node: ViewNode): boolean {
  const { before, findings, value } = node
  if (before === NEVER) return false
  if (isHidden(before) || isHidden(value)) return isHidden(before) && isHidden(value)
  // What a query in it makes of something else may be the same.
  const told = node.told || (findings?.memos.length && !(node instanceof RootNode))
  if (!told || !value || !before || typeof value !== 'object' || typeof before !== 'object') return false
  if (Array.isArray(value)) return value.length === (before as unknown[]).length
  return !differsPlainly(before as Fields, value as Fields)
}

/** Nothing that a reader would see. */
function isHidden(value: unknown): boolean {
  return value === undefined || value === INVALID
}

function differsPlainly(before: Fields, now: Fields): boolean {
  const fields = Object.keys(now)
  if (fields.length !== Object.keys(before).length) return true
  return fields.some(field => !Object.is(before[field], now[field]) && (typeof before[field] !== 'object' || typeof now[field] !== 'object'))
}

/**
 * Gives the nodes that were made anew and show what they showed before their old objects back, and whatever refers to
 * them likewise: an entity that was not there and now is deleted, say, makes its lists anew, but none of them different.
 * Two circles of nodes are the same when nothing in them differs. Undefined when nothing was given back; else those who show
 * what a query has made of the new objects, to be filled once more: nobody but the query can exchange them there.
 */
export function giveBack(opened: readonly ViewNode[]): ViewNode[] | undefined {
  const same = unchanged(opened)
  for (const node of same) forEachOne(node.parents, doubt)
  const back = [...same].filter(node => typeof node.before === 'object' && node.value !== node.before)
  if (back.length === 0) return undefined
  const again: ViewNode[] = []
  const old = new Map(back.map(node => [node.value, node.before]))
  for (const node of back) node.value = node.before
  for (const node of opened) {
    if (same.has(node)) continue
    if (node instanceof RootNode) node.value = reuse(node.before, exchanged(node.value, old))
    else if (typeof node.value === 'object') {
      exchangeMembers(node.value as Plain, node.before as Fields, old)
      if (node.phase !== FILLED || !isEntityNode(node) || !node.findings?.memos.length) continue
      node.findings = { ...node.findings, memos: [] }
      again.push(node)
    }
  }
  return again
}

/** Whoever is made anew because of an unchanged node, later in this pass or in another, may prove to be unchanged too. */
function doubt(parent: ViewNode): void {
  parent.told = true
}

/** Whose members may be nodes. Lists that are none themselves are made by queries. */
function isData(value: unknown): value is Plain {
  return Array.isArray(value) || isPlain(value)
}

/** Those that show what they showed; a greatest fixpoint, so that circles may be the same. */
function unchanged(opened: readonly ViewNode[]): ReadonlySet<ViewNode> {
  const byValue = new Map<unknown, ViewNode>()
  /** Who is the same only if a node is. */
  const dependents = new Map<ViewNode, ViewNode[]>()
  for (const node of opened) if (!(node instanceof RootNode) && typeof node.value === 'object') byValue.set(node.value, node)

  let comparing: ViewNode
  const sameMember = (before: unknown, now: unknown, depth = DEPTH): boolean => {
    if (Object.is(before, now)) return true
    const node = byValue.get(now)
    if (node === undefined) return isData(before) && isData(now) ? depth > 0 && sameMembers(before, now, depth) : madeAlike(before, now)
    if (node.before !== before) return false
    gather(dependents, node, comparing)
    return true
  }
  const sameMembers = (before: Plain, now: Plain, depth = DEPTH): boolean =>
    Object.getPrototypeOf(before) === Object.getPrototypeOf(now) && sameFields(before, now, (a, b) => sameMember(a, b, depth - 1))
  const isSame = ({ before, value }: ViewNode): boolean => {
    if (isHidden(before) || isHidden(value)) return isHidden(before) && isHidden(value)
    if (comparing instanceof RootNode) return sameMember(before, value)
    if (Array.isArray(before) && Array.isArray(value)) {
      return before.length === value.length && value.every((member, i) => sameMember(before[i], member))
    }
    return sameMembers(before as Plain, value as Plain)
  }

  const same = new Set<ViewNode>()
  const changed: ViewNode[] = []
  for (const node of opened) {
    comparing = node
    if (node.phase === FILLED && node.before !== NEVER && isSame(node)) same.add(node)
    else changed.push(node)
  }
  for (let node = changed.pop(); node !== undefined; node = changed.pop()) {
    for (const dependent of dependents.get(node) ?? []) if (same.delete(dependent)) changed.push(dependent)
  }
  return same
}

/** Whether the class, which makes its defaults anew for each instance, or a deserializer made the same twice. What we make is frozen. */
export function madeAlike(before: unknown, now: unknown, depth: number = DEPTH): boolean {
  if (Object.is(before, now)) return true
  if (typeof before !== 'object' || typeof now !== 'object' || before === null || now === null) return false
  if (depth === 0 || Object.isFrozen(now) || Object.getPrototypeOf(before) !== Object.getPrototypeOf(now)) return false
  if (now instanceof Date) return sameDate(before, now)
  // What else there is may hide what it holds; entities may not.
  if (!Array.isArray(now) && !isPlain(now) && !isEntityClass(now.constructor)) return false
  return sameFields(before as Plain, now as Plain, (a, b) => madeAlike(a, b, depth - 1))
}

function exchangeMembers(holder: Plain, before: Fields, old: ReadonlyMap<unknown, unknown>): void {
  for (const name of Object.keys(holder)) {
    const member = reuse(before?.[name], exchanged(holder[name], old))
    if (member !== holder[name]) holder[name] = member
  }
}

function exchanged(value: unknown, old: ReadonlyMap<unknown, unknown>, depth = DEPTH): unknown {
  if (typeof value !== 'object') return value
  const back = old.get(value)
  if (back !== undefined) return back
  // Ours are frozen; what a query made is not to be touched.
  return depth > 0 && isPlain(value) && Object.isFrozen(value) ? withMembers(value, name => exchanged(value[name], old, depth - 1)) : value
}
