/** A clock that moves only on request. It has the members that a controller needs and nothing of either build. */
export function createClock() {
  const timers = new Set()
  let now = 0
  let wall = 1_700_000_000_000
  return {
    now: () => now,
    date: () => wall,
    after(ms, callback) {
      const timer = { due: now + (ms > 0 ? ms : 0), callback }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    advance(ms) {
      const end = now + ms
      for (let runs = 0; runs < 10_000; runs++) {
        let first
        for (const timer of timers) if (timer.due <= end && (first === undefined || timer.due < first.due)) first = timer
        if (first === undefined) break
        timers.delete(first)
        wall += first.due - now
        now = first.due
        first.callback()
      }
      wall += end - now
      now = end
    },
    /** Moves wall time alone, as a user or a time server may. */
    jump(ms) {
      wall += ms
    },
    get pending() {
      return timers.size
    },
  }
}
