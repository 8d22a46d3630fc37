import type { Use } from '../view/use.ts'

/** Tells what is being read. */
export interface Reader {
  forEachUse(use: Use): void
}

/** Somebody who reads a store through a reactive library of their own. */
export interface Follower extends Reader {
  /** Runs `work`; whoever reads what it changes runs once, after it. */
  batch(work: () => void): void
  /** A temporary pk has become real. */
  move(key: string, from: string, to: string): void
}

/** `keys`, and those of the endpoints that somebody looks at: what is shown of other answers has none of its own. */
export function withThoseInUse(keys: Iterable<string>, readers: Iterable<Reader>): Set<string> {
  const all = new Set(keys)
  const note: Use = { result: (_schema, key) => void all.add(key), query: () => {}, row: () => {}, table: () => {} }
  for (const reader of readers) reader.forEachUse(note)
  return all
}
