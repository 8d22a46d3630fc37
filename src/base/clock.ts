/**
 * Time comes in as an argument, so that a test can hold it still.
 */
export interface Clock {
  /** Milliseconds that only ever grow; compared with each other, never shown. */
  now(): number
  /** Wall time in milliseconds, for what is written out. */
  date(): number
  /** Runs `callback` once after `ms`; the returned function cancels it. Never keeps a process alive. */
  after(ms: number, callback: () => void): () => void
}

/** The platform's clock. */
export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => Date.now(),
  after(ms, callback) {
    const timer: unknown = setTimeout(callback, ms)
    // Node gives an object that would hold the process open; browsers give a number.
    if (typeof timer === 'object' && timer !== null && 'unref' in timer) (timer as { unref(): void }).unref()
    return () => clearTimeout(timer as ReturnType<typeof setTimeout>)
  },
}
