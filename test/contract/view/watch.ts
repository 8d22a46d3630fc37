import { effect } from '@preact/signals-core'

/** An effect that keeps what it sees, and counts. */
export class Watch<T> {
  runs: number = 0
  readonly seen: T[] = []
  readonly stop: () => void
  #asked = 0

  /** `run` starts the effect, of whatever library, and returns how to stop it. */
  constructor(read: () => T, run: (work: () => void) => () => void = effect) {
    this.stop = run(() => {
      this.runs++
      this.seen.push(read())
    })
  }

  get last(): T {
    return this.seen.at(-1)!
  }

  /** How often it ran since this was last asked. */
  fresh(): number {
    const before = this.#asked
    this.#asked = this.runs
    return this.runs - before
  }

  /** How often it ran because of `work`. */
  during(work: () => unknown): number {
    this.fresh()
    work()
    return this.fresh()
  }
}

/** Reads in an effect. */
export function watch<T>(read: () => T): Watch<T> {
  return new Watch(read)
}
