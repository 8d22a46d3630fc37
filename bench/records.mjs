import { seeded } from './random.mjs'

/** Flat records for the rows about tables: `size` of them, in one shape. */
export const items = size => Array.from({ length: size }, (_, at) => item(at))

/**
 * @param {number} at
 * @returns {{ id: string, title: string, done: boolean, rank: number, owner: string }}
 */
export const item = at => ({ id: itemId(at), title: `Item number ${at}`, done: at % 3 === 0, rank: at, owner: `user${at % 97}` })

export const itemId = at => `item${at}`

/**
 * Changes of one field of existing records, spread over the whole table: a row that is always the same
 * would sit in the processor's cache and hide what a large table costs.
 *
 * @param {number} size of the table
 * @param {number} [every] only each so many-th record changes
 */
export function changes(size, every = 1) {
  const next = seeded(size)
  let rank = size
  return count => Array.from({ length: count }, () => ({ id: itemId(Math.floor((next() * size) / every) * every), rank: ++rank }))
}
