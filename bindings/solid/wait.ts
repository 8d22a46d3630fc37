/** Somebody waits, from when there is nothing to show until there is something. */
export class Wait {
  readonly cause: string
  /** Whether there is something to show. */
  over = false
  /** Whether asking came to nothing. */
  failed = false
  #resolve!: () => void
  readonly #end = new Promise<void>(resolve => (this.#resolve = resolve))

  constructor(cause: string) {
    this.cause = cause
  }

  end(): void {
    this.over = true
    this.#resolve()
  }

  /** Comes to its end with `loading`, or before it. */
  until(loading: Promise<unknown>): Promise<unknown> {
    return Promise.race([loading, this.#end]).catch((error: unknown) => {
      this.failed = true
      throw error
    })
  }
}
