/**
 * Calls a function when a value was collected. One for all, because it must outlive them: where a registry is collected
 * while it waits for its turn, V8 cleans up nothing more for as long as the process lives (Node 20).
 */
const collected: FinalizationRegistry<() => void> = /* @__PURE__ */ new FinalizationRegistry(listener => listener())

/** Calls `listener`, which must not refer to `value`, some time after `value` was collected. */
export function onCollected(value: object, listener: () => void): void {
  collected.register(value, listener)
}

/** A map that does not keep its values alive. */
export class WeakCache<K, V extends object> {
  readonly #refs = new Map<K, WeakRef<V>>()
  #collected = 0
  /** Sweeps when every second value may be gone: a note of each key would cost more than it saves. */
  readonly #sweep = (): void => {
    if (++this.#collected * 2 <= this.#refs.size) return
    this.#collected = 0
    for (const [key, ref] of this.#refs) if (!ref.deref()) this.#refs.delete(key)
  }

  get(key: K): V | undefined {
    return this.#refs.get(key)?.deref()
  }

  set(key: K, value: V): V {
    this.#refs.set(key, new WeakRef(value))
    onCollected(value, this.#sweep)
    return value
  }

  /** The value has another key now, or none. */
  move(from: K, to?: K): void {
    const ref = this.#refs.get(from)
    this.#refs.delete(from)
    if (ref?.deref() && to) this.#refs.set(to, ref)
  }

  keys(): K[] {
    return [...this.#refs.keys()].filter(key => this.get(key))
  }
}

/** The value of `key` in a map, made on first use. */
export function obtain<K, V>(map: { get(key: K): V | undefined; set(key: K, value: V): unknown }, key: K, make: () => V): V {
  let value = map.get(key)
  if (!value) map.set(key, (value = make()))
  return value
}
