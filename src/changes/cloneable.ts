import type { Change } from './Change.ts'

/**
 * The change without patches whose values cannot be cloned, such as functions.
 *
 * @example
 * const tracker = trackChanges(controller, { origin: 'example' })
 * console.log(structuredClone(cloneable(tracker.all())).patches.length)
 */
export function cloneable(change: Change): Change {
  return {
    ...change,
    patches: change.patches.filter(patch => {
      try {
        return structuredClone(patch)
      } catch {
        return false
      }
    }),
  }
}
