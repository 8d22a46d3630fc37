import { batch } from '@preact/signals-core'
import type { Follower } from './follower.ts'

/**
 * Runs `work`, which may commit several times, within signals' batch and all `others`: whoever reads what it changed
 * runs once, after it, and sees all of it. What readers throw is reported, and is not the writer's affair.
 */
export function together<T>(work: () => T, others: Iterable<Pick<Follower, 'batch'>>, report: (error: unknown) => void): T {
  let value: T
  let failure: { readonly error: unknown } | undefined
  const guarded = (): void => {
    try {
      value = work()
    } catch (error) {
      failure = { error }
    }
  }
  let run = (): void => batch(guarded)
  for (const each of others) {
    const inner = run
    run = () => each.batch(inner)
  }
  try {
    run()
  } catch (error) {
    report(error)
  }
  if (failure !== undefined) throw (failure as { readonly error: unknown }).error
  return value!
}
