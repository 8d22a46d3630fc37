/** What a watched callback throws when its turn has come. */
export class PlantedFault extends Error {
  override readonly name: string = 'PlantedFault'
}

/** Counts the calls of user callbacks, and fails one of them. */
export class Watch {
  calls: number = 0
  /** The call that throws, counted from 1; 0 for none. */
  failAt: number = 0
  /** The callbacks that were ever called, and those that ever threw. */
  readonly met: Set<string> = new Set()
  readonly failed: Set<string> = new Set()

  call(site: string): void {
    this.calls++
    this.met.add(site)
    if (this.calls !== this.failAt) return
    this.failed.add(site)
    throw new PlantedFault(`${site}, call ${this.calls}`)
  }

  /** Forgets the calls so far; the `failAt`-th from here will throw. */
  arm(failAt: number): void {
    this.calls = 0
    this.failAt = failAt
  }
}
