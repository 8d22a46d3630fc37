const env: { readonly [name: string]: string | undefined } = process.env

/** Where chance starts: `SEED=7 npm run unit -- faults` runs other requests, `SEED=fresh` takes the time. */
export const seed: number = env['SEED'] === 'fresh' ? Date.now() | 0 : Number(env['SEED'] ?? 20_250_301)

/** How many times the requests of every change: `RUNS_MULTIPLIER=100`. */
export const multiplier: number = Number(env['RUNS_MULTIPLIER'] ?? 1)

/** One case alone: `CASE=123`, as a failure has printed it. */
export const only: number | undefined = env['CASE'] === undefined ? undefined : Number(env['CASE'])

/** The same numbers between 0 and 1 for the same start. */
export function chance(start: number): () => number {
  let state = start | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
