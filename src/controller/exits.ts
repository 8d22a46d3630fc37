import { obtain } from '../base/obtain.ts'

/** Calls `leave` when the signal says so, unless the returned function was called before. */
export type Exits = (signal: AbortSignal, leave: () => void) => () => void

class Leaving extends Set<() => void> {
  handleEvent(): void {
    for (const leave of this) leave()
  }
}

/** One listener for each signal, however many leave by it: Node takes the eleventh for a leak, and says so. */
export function createExits(): Exits {
  const all = new WeakMap<AbortSignal, Leaving>()
  return (signal, leave) => {
    const leaving = obtain(all, signal, () => new Leaving())
    leaving.add(leave)
    signal.addEventListener('abort', leaving)
    return () => {
      leaving.delete(leave)
      if (leaving.size === 0) signal.removeEventListener('abort', leaving)
    }
  }
}
