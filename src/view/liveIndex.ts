/** Values by name, each for as long as somebody else refers to it. */
export class LiveIndex<V extends object> {
  readonly #refs = new Map<string, WeakRef<V>>()
  readonly #registry = new FinalizationRegistry<string>(name => {
    // By now the name may stand for another value.
    if (this.get(name) === undefined) this.#refs.delete(name)
  })

  get(name: string): V | undefined {
    return this.#refs.get(name)?.deref()
  }

  /** Calls `visit` for each name whose value is there. */
  forEach(visit: (name: string) => void): void {
    for (const [name, ref] of this.#refs) if (ref.deref() !== undefined) visit(name)
  }

  set(name: string, value: V, ref: WeakRef<V> = new WeakRef(value)): void {
    this.#refs.set(name, ref)
    this.#registry.register(value, name)
  }

  delete(name: string): void {
    this.#refs.delete(name)
  }
}
