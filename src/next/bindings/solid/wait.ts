/** Somebody waits, from when there is nothing to show until there is something. */
export interface Wait {
  readonly cause: string
  /** Whether there is something to show. */
  over: boolean
  /** Whether asking came to nothing. */
  failed: boolean
  /** There is something to show. */
  end(): void
  /** Comes to its end with `loading`, or before it. */
  until(loading: Promise<unknown>): Promise<unknown>
}

export function startWait(cause: string): Wait {
  let resolve: (value?: unknown) => void
  const ended = new Promise(end => (resolve = end))
  const wait: Wait = {
    cause,
    over: false,
    failed: false,
    end() {
      wait.over = true
      resolve()
    },
    until: loading =>
      Promise.race([loading, ended]).catch((error: unknown) => {
        wait.failed = true
        throw error
      }),
  }
  return wait
}
