import { forEachOne } from './few.ts'
import { CLEAN, DIRTY, ListNode, type ViewNode } from './node.ts'

/** More changed members than this, and a list is gone over from end to end. */
const FEW = 16

/** Makes `node`, which looked at something that changed, dirty, and everything above it, each once; tells `note` of each. */
export function markDirty(node: ViewNode, note: (node: ViewNode) => void): void {
  node.told = true
  if (node.phase === DIRTY) return
  const stack: ViewNode[] = []
  const mark = (at: ViewNode): void => {
    if (at.phase === DIRTY) return
    at.phase = DIRTY
    stack.push(at)
    note(at)
  }
  mark(node)
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const below = at
    forEachOne(at.parents, parent => {
      if (parent instanceof ListNode) noteChanged(parent, below)
      mark(parent)
    })
  }
}

function noteChanged(list: ListNode, member: ViewNode): void {
  if (list.phase === CLEAN) list.changed = []
  if (list.changed === undefined) return
  if (list.changed.length < FEW) list.changed.push(member)
  else list.changed = undefined
}
