/**
 * Tells an index of each value that is gone. One for all indexes, because it must outlive them: where a registry is
 * collected while it waits for its turn, V8 cleans up nothing more for as long as the process lives (Node 20).
 */
const deaths: FinalizationRegistry<{ bury(): void }> = /* @__PURE__ */ new FinalizationRegistry(index => index.bury())

/** Values by name, each for as long as somebody else refers to it. */
export class LiveIndex<V extends object> {
  readonly #refs = new Map<string, WeakRef<V>>()
  #gone = 0

  get(name: string): V | undefined {
    return this.#refs.get(name)?.deref()
  }

  /** Calls `visit` for each name whose value is there. */
  forEach(visit: (name: string) => void): void {
    for (const [name, ref] of this.#refs) if (ref.deref() !== undefined) visit(name)
  }

  set(name: string, value: V, ref: WeakRef<V> = new WeakRef(value)): void {
    this.#refs.set(name, ref)
    deaths.register(value, this)
  }

  delete(name: string): void {
    this.#refs.delete(name)
  }

  /**
   * A value is gone. Which one is not said: a note of its name would outweigh what it saves. When every second may be
   * gone, all are looked through, so that each costs a look or two, and none is left when the last one is gone.
   */
  bury(): void {
    if (++this.#gone * 2 <= this.#refs.size) return
    this.#gone = 0
    for (const [name, ref] of this.#refs) if (ref.deref() === undefined) this.#refs.delete(name)
  }
}
