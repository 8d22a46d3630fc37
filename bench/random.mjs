/**
 * A seeded generator of numbers in [0, 1), so that every run and every machine measures the same data.
 *
 * @param {number} seed
 * @returns {() => number}
 */
export function seeded(seed) {
  let state = seed >>> 0
  return () => {
    // Weyl sequence, then two xor-multiply rounds: enough mixing for test data in 32 bits.
    state = (state + 0x9e3779b9) >>> 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 0x100000000
  }
}

/**
 * The draws that generated data is made of, over one seeded source.
 *
 * @param {number} seed
 */
export function dice(seed) {
  const next = seeded(seed)
  return {
    /** An integer in [0, below). */
    below: (/** @type {number} */ below) => Math.floor(next() * below),
    /** True with the given probability. */
    chance: (/** @type {number} */ probability) => next() < probability,
    /** @template T @param {readonly T[]} list @returns {T} */
    pick: list => list[Math.floor(next() * list.length)],
    /** A string of hexadecimal digits. */
    hex: (/** @type {number} */ length) => {
      let out = ''
      while (out.length < length) out += Math.floor(next() * 16).toString(16)
      return out
    },
  }
}
