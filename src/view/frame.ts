import type { Cell } from '../store/cell.ts'
import { alike } from './alike.ts'
import type { Memo, Readers, ViewNode } from './node.ts'
import { settleFindings, type Looking } from './sources.ts'

/** Nobody compares with more memos than this, to either side of where the next one stands. */
const FEW = 16

const NONE: readonly never[] = []

/** What comes to light while one node is being filled; then another. */
export class Frame implements Looking {
  declare node: ViewNode
  outer: Frame | undefined = undefined
  /** What the node is a view of, as stored. */
  data: unknown = undefined
  links: readonly ViewNode[] = NONE
  looked: (Cell | Readers)[] | undefined = undefined
  #memos: Memo[] | undefined = undefined

  constructor(node: ViewNode) {
    this.node = node
  }

  addLink(node: ViewNode): void {
    // Most show one other, and a list that is pushed to has room for seventeen.
    if (this.links.length === 0) this.links = [node]
    else (this.links as ViewNode[]).push(node)
  }

  /** What `compute` makes of `entries`; what it made before, if they or its result are the same. */
  computed(by: object, entries: unknown, compute: () => unknown): unknown {
    const memos = (this.#memos ??= [])
    const at = memos.length
    const old = this.node.findings?.memos ?? NONE
    const find = (among: readonly Memo[], isIt: (memo: Memo) => boolean): Memo | undefined =>
      among.slice(Math.max(0, at - FEW), at + FEW).find(memo => memo.by === by && isIt(memo))
    const again = (memo: Memo): boolean => alike(memo.entries, entries)
    const here = find(memos, again)
    if (here !== undefined) return here.result
    let memo = find(old, again)
    if (memo === undefined) {
      const result = compute()
      const same = find(old, each => alike(each.result, result))
      memo = { by, entries, result: same === undefined ? result : same.result }
    }
    memos.push(memo)
    return memo.result
  }

  /** From here on the node has these children and sources; those that it has no more are told. */
  take(members: { unlink(child: ViewNode, parent: ViewNode): void }): void {
    const { links, looked, node } = this
    const old = node.children
    node.children = links
    const memos = this.#memos
    // What was found is the node's from here on, and the frame as good as new.
    this.data = this.looked = this.#memos = undefined
    this.links = NONE
    const findings = looked === undefined && memos === undefined ? undefined : { sources: looked ?? NONE, memos: memos ?? NONE }
    if (findings !== node.findings) settleFindings(node, findings)
    if (old.length === 0 || (old.length === links.length && old.every((child, i) => child === links[i]))) return
    const kept = new Set(links)
    for (const child of new Set(old)) if (!kept.has(child)) members.unlink(child, node)
  }

  /** It stopped midway: until it is filled again it shows what it did, and hears of all that could help it on. */
  takePart(): void {
    const { node } = this
    node.children = [...new Set([...node.children, ...this.links])]
    const { memos, sources } = node.findings ?? { memos: NONE, sources: NONE }
    node.findings = { memos, sources: [...sources, ...(this.looked ?? NONE)] }
  }
}
