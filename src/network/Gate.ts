/** Admits a limited number at a time; the others wait in line, first come, first served. */
export interface Gate {
  readonly isEmpty: boolean
  /** Calls `go` when there is room, at once if there is. */
  enter(go: () => void): void
  /** Frees the slot of `go`, or takes it out of the queue. */
  leave(go: () => void): void
}

export function createGate(limit: number): Gate {
  /** The first `limit` of them are inside. */
  const line = new Set<() => void>()
  return {
    get isEmpty() {
      return line.size === 0
    },
    enter(go) {
      line.add(go)
      if (line.size <= limit) go()
    },
    leave(go) {
      const first: (() => void)[] = []
      for (const each of line) if (first.push(each) > limit) break
      if (line.delete(go) && go !== first[limit] && first.includes(go)) first[limit]?.()
    },
  }
}
