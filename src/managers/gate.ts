/** Lets so many in at a time; the others wait in line, first come, first served. */
export interface Gate {
  /** Whether nobody is inside, and so nobody waits. */
  isEmpty(): boolean
  /**
   * Calls `go` when there is room, at once if there is. What it is given, and what is returned, gives the place back,
   * inside or in the line.
   */
  enter(go: (leave: () => void) => void): () => void
}

export function createGate(limit: number): Gate {
  const line = new Set<() => void>()
  let count = 0
  return {
    isEmpty: () => count === 0,
    enter(go) {
      let inside = false
      let left = false
      const turn = (): void => {
        inside = true
        count++
        go(leave)
      }
      const leave = (): void => {
        if (left) return
        left = true
        if (!inside) return void line.delete(turn)
        count--
        const [next] = line
        if (next && line.delete(next)) next()
      }
      if (count < limit) turn()
      else line.add(turn)
      return leave
    },
  }
}
