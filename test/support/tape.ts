import * as fc from 'fast-check'

/**
 * A series of small numbers from which a test value is read off, choice by choice. Cheaper by far than an arbitrary
 * for every field, and it shrinks as well: zeros are the simplest choices, and a tape that has run out gives only zeros.
 */
export class Tape {
  readonly #bytes: readonly number[]
  #at = 0

  constructor(bytes: readonly number[]) {
    this.#bytes = bytes
  }

  /** A whole number from 0 to below `limit`, at most 256. */
  int(limit: number): number {
    const byte = this.#bytes[this.#at++] ?? 0
    return (byte * limit) >> 8
  }

  /** True in so many percent of cases. */
  chance(percent: number): boolean {
    return this.int(100) >= 100 - percent
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.int(choices.length)]!
  }

  /** Some of `choices`, in some order. */
  some<T>(choices: readonly T[]): T[] {
    const chosen = choices.filter(() => this.chance(55))
    // Shuffled a little: most lists of a server come back in nearly the same order.
    for (let moves = this.int(4); moves > 0 && chosen.length > 1; moves--) {
      const [moved] = chosen.splice(this.int(chosen.length), 1)
      chosen.splice(this.int(chosen.length + 1), 0, moved!)
    }
    return chosen
  }
}

/** The numbers of a tape. */
export function tapes(length: number): fc.Arbitrary<number[]> {
  return fc.array(fc.nat(255), { maxLength: length, size: 'max' })
}
