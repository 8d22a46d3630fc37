import { membersOf } from './few.ts'
import { DIRTY, isWatched, NEVER, removeParent, RootNode, type ViewNode } from './node.ts'
import { removeWatcher, settleFindings } from './sources.ts'

/**
 * Lets go of nodes that nobody watches, and of what only they showed. Counting would miss circles, so support is looked
 * for upwards: a node lives while somebody above it, or itself, is watched.
 */
export function release(candidates: ViewNode[], forget: (root: RootNode) => void): void {
  const alive = new Set<ViewNode>()
  for (let node = candidates.pop(); node !== undefined; node = candidates.pop()) {
    const dead = unsupported(node, alive)
    for (const each of dead) {
      for (const child of each.children) {
        removeParent(child, each)
        if (!dead.has(child)) candidates.push(child)
      }
      drop(each, forget)
    }
  }
}

/** Everything above `node`, itself included, when none of it is watched; else nothing, and the way up to who watches is known to be `alive`. */
function unsupported(node: ViewNode, alive: Set<ViewNode>): ReadonlySet<ViewNode> {
  if (isWatched(node) || alive.has(node)) return NONE
  const seen = new Set([node])
  const way = [{ node, above: parentsOf(node) }]
  for (let at = way.at(-1); at !== undefined; at = way.at(-1)) {
    const { done, value: parent } = at.above.next()
    if (done) way.pop()
    else if (isWatched(parent) || alive.has(parent)) {
      for (const each of way) alive.add(each.node)
      return NONE
    } else if (!seen.has(parent)) {
      seen.add(parent)
      way.push({ node: parent, above: parentsOf(parent) })
    }
  }
  return seen
}

const NONE: ReadonlySet<ViewNode> = /* @__PURE__ */ new Set()

function parentsOf({ parents }: ViewNode): Iterator<ViewNode, undefined> {
  return membersOf(parents).values()
}

function drop(node: ViewNode, forget: (root: RootNode) => void): void {
  settleFindings(node, undefined)
  if (node.cell !== undefined) removeWatcher(node.cell, node)
  node.children = []
  node.parents = undefined
  node.value = NEVER
  node.told = false
  node.phase = DIRTY
  if (node instanceof RootNode) forget(node)
}
