/**
 * A persistent vector: a root of branches of pages, 64 entries each. A write copies one page, its branch and the root,
 * unless the writing draft owns them already; entry 0 of each array holds the id of the draft that may write to it.
 */
export type Vector<T> = readonly [owner: number, ...entries: unknown[]] & { readonly '~entry'?: T }

type Level = unknown[]

function owned(level: unknown, draft: number): Level {
  if (!level) return [draft]
  if ((level as Level)[0] === draft) return level as Level
  const copy = (level as Level).slice()
  copy[0] = draft
  return copy
}

export function vectorGet<T>(root: Vector<T> | undefined, slot: number): T | undefined {
  const branch = root?.[1 + (slot >> 12)] as Level | undefined
  return (branch?.[1 + ((slot >> 6) & 63)] as Level | undefined)?.[1 + (slot & 63)] as T | undefined
}

export function vectorPut<T>(root: Vector<T> | undefined, slot: number, value: T | undefined, draft: number): Vector<T> {
  const top = owned(root, draft)
  const branch = ((top[1 + (slot >> 12)] as unknown) = owned(top[1 + (slot >> 12)], draft)) as Level
  const page = (branch[1 + ((slot >> 6) & 63)] = owned(branch[1 + ((slot >> 6) & 63)], draft)) as Level
  page[1 + (slot & 63)] = value
  return top as unknown as Vector<T>
}

/** Calls `visit(slot, before, after)` wherever two vectors differ. Shared pages are skipped. `height` and `start` are those of a branch or page. */
export function compareVectors<T>(from: Vector<T> = [0], to: Vector<T> = [0], visit: (slot: number, before: T | undefined, after: T | undefined) => void, height = 2, start = 0): void {
  if (from === to) return
  const length = Math.max(from.length, to.length)
  for (let i = 1; i < length; i++) {
    const before = from[i]
    const after = to[i]
    if (before === after) continue
    const slot = start * 64 + i - 1
    if (height > 0) compareVectors(before as typeof from, after as typeof to, visit, height - 1, slot)
    else visit(slot, before as T | undefined, after as T | undefined)
  }
}
