/**
 * Does something for each, two at a time: for what is not timed and does not mind a neighbour.
 *
 * @template T, R
 * @param {readonly T[]} all
 * @param {(each: T) => Promise<R>} work
 * @param {(share: number) => void} [progress]
 * @returns {Promise<R[]>} in the order of `all`
 */
export async function inPairs(all, work, progress = () => {}) {
  /** @type {R[]} */
  const done = []
  let next = 0
  const worker = async () => {
    while (next < all.length) {
      const at = next++
      progress(at / all.length)
      done[at] = await work(all[at])
    }
  }
  await Promise.all([worker(), worker()])
  return done
}
