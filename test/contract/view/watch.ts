import { effect } from '@preact/signals-core'

/** An effect that keeps what it sees, and counts. */
export class Watch<T> {
  runs: number = 0
  readonly seen: T[] = []
  readonly dispose: () => void

  constructor(read: () => T) {
    this.dispose = effect(() => {
      this.runs++
      this.seen.push(read())
    })
  }

  get last(): T {
    return this.seen[this.seen.length - 1]!
  }

  /** How often it ran because of `work`. */
  during(work: () => unknown): number {
    const before = this.runs
    work()
    return this.runs - before
  }
}

/** Until what nobody reads any more has been swept. */
export async function swept(): Promise<void> {
  await new Promise<void>(done => queueMicrotask(done))
  await new Promise<void>(done => queueMicrotask(done))
}
