/** Admits a limited number at a time; the others wait in line, first come, first served. */
export interface Gate {
  /** Calls `go` when there is room, at once if there is. */
  enter(go: () => void): void
  /** Frees the slot of `go`, and lets the next one in. If `go` is still waiting, it stops waiting. Returns true when the gate is empty. */
  leave(go: () => void): boolean
}

export function createGate(limit: number): Gate {
  const inside = new Set<() => void>()
  const line = new Set<() => void>()
  const enter = (go: () => void): void => {
    if (inside.size >= limit) return void line.add(go)
    inside.add(go)
    go()
  }
  return {
    enter,
    leave(go) {
      line.delete(go)
      const [next] = inside.delete(go) ? line : []
      if (next && line.delete(next)) enter(next)
      return !inside.size
    },
  }
}
