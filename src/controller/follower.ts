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
