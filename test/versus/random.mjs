/** A small seeded generator (mulberry32). The same seed gives the same sequence on every machine. */
export class Random {
  #state

  constructor(seed) {
    this.#state = seed >>> 0
  }

  /** A number from 0 up to, but not including, 1. */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let t = this.#state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }

  /** An integer from 0 up to, but not including, `n`. */
  int(n) {
    return Math.floor(this.next() * n)
  }

  chance(percent) {
    return this.next() * 100 < percent
  }

  pick(list) {
    return list[this.int(list.length)]
  }

  /** A random subset of `list` in random order. */
  some(list) {
    const left = [...list]
    const result = []
    for (let n = this.int(list.length + 1); n > 0; n--) result.push(...left.splice(this.int(left.length), 1))
    return result
  }

  /** One of `[weight, value]`, by weight. */
  weighted(table) {
    let at = this.next() * table.reduce((sum, [weight]) => sum + weight, 0)
    for (const [weight, value] of table) if ((at -= weight) < 0) return value
    return table.at(-1)[1]
  }
}

/** The seed of history number `index` of a run. */
export function seedOf(seed, index) {
  let hash = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 1, 0xc2b2ae35)
  hash ^= hash >>> 15
  return Math.imul(hash, 0x27d4eb2f) >>> 0
}
