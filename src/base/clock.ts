/**
 * Time comes in as an argument, so that a test can control it.
 *
 * @example
 * const ahead: Clock = { ...systemClock, date: () => systemClock.date() + 5000 } // a wall clock that is wrong
 * const controller = new Controller({ clock: ahead })
 */
export interface Clock {
  /** Monotonic milliseconds; only compared with each other. */
  now(): number
  /** Wall time in milliseconds, for data that is written out. */
  date(): number
  /**
   * Runs `callback` once after `ms`; the returned function cancels it. With `awaited` somebody's promise depends on
   * the timer, and it keeps a Node process alive.
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
    // Timers past 31 bits fire at once.
    const timer: unknown = setTimeout(callback, Math.min(ms, 2 ** 31 - 1))
    if (!awaited) (timer as { unref?(): void } | undefined)?.unref?.()
    return () => clearTimeout(timer as ReturnType<typeof setTimeout>)
  },
}

/** Runs `work` after `ms` unless it was garbage collected by then: housekeeping must not keep a dropped store alive. */
export function afterWeakly(ms: number, work: () => void, clock: Clock): () => void {
  const ref = new WeakRef(work)
  return clock.after(ms, () => ref.deref()?.())
}
