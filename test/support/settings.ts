import * as fc from 'fast-check'
import type { Test } from 'uvu'

/**
 * How long and from where the laws are tried.
 *
 *   RUNS_MULTIPLIER=100 npm run unit -- laws        a hundred times the runs
 *   SEED=7 npm run unit -- laws                     other histories; `SEED=fresh` takes the time
 *   SEED=… REPLAY=… npm run unit -- laws/inverse    one failure again: both numbers as the failure printed them
 */
const env: { readonly [name: string]: string | undefined } = typeof process === 'undefined' ? {} : process.env

/** In a page the same laws run a tenth as often: the engine is the same, the budget is not. */
const multiplier = Number(env['RUNS_MULTIPLIER'] ?? (typeof process === 'undefined' ? 0.1 : 1))

const start = env['SEED'] === 'fresh' ? Date.now() | 0 : Number(env['SEED'] ?? 20_250_301)

/** How often a law that is tried `base` times on every change is tried now. */
export function runs(base: number): number {
  return Math.max(1, Math.round(base * multiplier))
}

/** Laws with one seed would see the same histories; each starts at a seed of its own, made from its title. */
function seedOf(title: string): number {
  if (env['REPLAY'] !== undefined) return start
  let seed = start
  for (let i = 0; i < title.length; i++) seed = (Math.imul(seed, 31) + title.charCodeAt(i)) | 0
  return seed
}

/** The line that is printed after a law has passed. */
export type Finding = string | undefined

/**
 * A test of one property. `check` throws when the law is broken; `finish` looks back over all runs.
 * What the library warns of while hostile data goes in is not shown: it would be thousands of lines.
 */
export function law<T>(test: Test, title: string, base: number, any: fc.Arbitrary<T>, check: (value: T) => void, finish?: () => Finding): void {
  test(title, () => {
    const count = runs(base)
    const seed = seedOf(title)
    const path = env['REPLAY']
    quietly(() => {
      const details = path === undefined ? fc.check(fc.property(any, check), { numRuns: count, seed }) : replay(any, check, seed, path)
      if (details?.failed) throw failure(title, details)
    })
    const finding = path === undefined ? finish?.() : undefined
    if (finding !== undefined) console.log(`\n  ${title.split(' ')[0]!}: ${count} runs, seed ${seed}: ${finding}`)
  })
}

/** Undefined for the other laws of the suite, to which the path means nothing. */
function replay<T>(any: fc.Arbitrary<T>, check: (value: T) => void, seed: number, path: string): fc.RunDetails<[T]> | undefined {
  try {
    return fc.check(fc.property(any, check), { seed, path })
  } catch {
    return undefined
  }
}

/** The numbers come first, where uvu shows them; the stack is that of the check. */
function failure<T>(title: string, details: fc.RunDetails<T>): Error {
  const cause = details.errorInstance instanceof Error ? details.errorInstance : new Error(String(details.errorInstance))
  const lines = [
    `${title.split(' ')[0]!}: broken after ${details.numRuns} runs and ${details.numShrinks} shrinks.`,
    `Again with SEED=${details.seed} REPLAY=${details.counterexamplePath ?? ''}`,
    `Counterexample: ${fc.stringify(details.counterexample)}`,
    cause.message,
  ]
  const error = new Error(lines.join('\n'), { cause })
  error.stack = ['Error', ...(cause.stack ?? '').split('\n').filter(line => /^\s+at /.test(line))].join('\n')
  return error
}

/** Runs `work` without the library's warnings. */
export function quietly<T>(work: () => T): T {
  const { warn } = console
  console.warn = () => {}
  try {
    return work()
  } finally {
    console.warn = warn
  }
}

/** Says what differs from what was expected; throwing is all that a property has to do. */
export function broken(sentence: string, ...values: unknown[]): never {
  throw new Error([sentence, ...values.map(value => fc.stringify(value))].join('\n  '))
}
