/** A map that does not keep its values alive. Entries of collected values are swept when the map has doubled. */
export class WeakCache<K, V extends object> {
  readonly #refs = new Map<K, WeakRef<V>>()
  #limit = 64

  get(key: K): V | undefined {
    return this.#refs.get(key)?.deref()
  }

  /** The value of `key`, made on first use. */
  obtain(key: K, make: () => V): V {
    const known = this.get(key)
    if (known !== undefined) return known
    const value = make()
    this.#refs.set(key, new WeakRef(value))
    if (this.#refs.size > this.#limit) this.#sweep()
    return value
  }

  forEach(visit: (value: V, key: K) => void): void {
    for (const [key, ref] of [...this.#refs]) {
      const value = ref.deref()
      if (value !== undefined) visit(value, key)
    }
  }

  clear(): void {
    this.#refs.clear()
  }

  #sweep(): void {
    for (const [key, ref] of this.#refs) if (ref.deref() === undefined) this.#refs.delete(key)
    this.#limit = Math.max(64, 2 * this.#refs.size)
  }
}
