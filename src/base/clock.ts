/**
 * Time comes in as an argument, so that a test can hold it still.
 *
 * @example
 * const ahead: Clock = { ...systemClock, date: () => systemClock.date() + 5000 } // as a server whose wall clock is wrong
 * const controller = new Controller({ clock: ahead })
 */
export interface Clock {
  /** Milliseconds that only ever grow; compared with each other, never shown. */
  now(): number
  /** Wall time in milliseconds, for what is written out. */
  date(): number
  /**
   * Runs `callback` once after `ms`; the returned function cancels it. Keeps a process alive only if it is `awaited`:
   * if somebody's promise depends on it.
   */
  after(ms: number, callback: () => void, awaited?: boolean): () => void
}

/**
 * The platform's clock.
 *
 * @example
 * const stop = systemClock.after(1000, () => console.log('a second later'))
 * stop()
 */
export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => Date.now(),
  after(ms, callback, awaited) {
    // Past 31 bits a platform's timer rings at once.
    const timer: unknown = setTimeout(callback, Math.min(ms, 2 ** 31 - 1))
    // Node gives an object that would hold the process open; browsers give a number.
    if (!awaited) (timer as { unref?(): void } | undefined)?.unref?.()
    return () => clearTimeout(timer as ReturnType<typeof setTimeout>)
  },
}

/**
 * Runs `work` after `ms`, if it is still there by then: to tidy up is no reason to keep what was dropped. A function of
 * the module, because one made beside `work` would keep all that `work` sees.
 */
export function tidyAfter(ms: number, work: () => void, clock: Clock): () => void {
  const ref = new WeakRef(work)
  return clock.after(ms, () => ref.deref()?.())
}
