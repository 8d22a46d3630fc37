/** Lets so many in at a time; the others wait in line, first come, first served. */
export class Gate {
  readonly #limit: number
  readonly #line = new Set<() => void>()
  #inside = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Whether nobody is inside, and so nobody waits. */
  get empty(): boolean {
    return this.#inside === 0
  }

  /**
   * Calls `go` when there is room, at once if there is. What it is given, and what is returned, gives the place back,
   * inside or in the line.
   */
  enter(go: (leave: () => void) => void): () => void {
    let inside = false
    let left = false
    const turn = (): void => {
      inside = true
      this.#inside++
      go(leave)
    }
    const leave = (): void => {
      if (left) return
      left = true
      if (!inside) return void this.#line.delete(turn)
      this.#inside--
      const [next] = this.#line
      if (next && this.#line.delete(next)) next()
    }
    if (this.#inside < this.#limit) turn()
    else this.#line.add(turn)
    return leave
  }
}
