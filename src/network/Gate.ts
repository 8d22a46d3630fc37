/** Admits a limited number at a time; the others wait in line, first come, first served. */
export interface Gate {
  readonly isEmpty: boolean
  /** Calls `go` when there is room, at once if there is. */
  enter(go: () => void): void
  /** Frees the slot of `go`, or takes it out of the queue. */
  leave(go: () => void): void
}

export function createGate(limit: number): Gate {
  const inside = new Set<() => void>()
  const line = new Set<() => void>()
  const admit = (go: () => void): void => {
    inside.add(go)
    go()
  }
  return {
    get isEmpty() {
      return inside.size === 0
    },
    enter(go) {
      if (inside.size < limit) admit(go)
      else line.add(go)
    },
    leave(go) {
      line.delete(go)
      if (!inside.delete(go)) return
      const [next] = line
      if (next && line.delete(next)) admit(next)
    },
  }
}
