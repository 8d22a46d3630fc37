import { NetworkError } from '../base/errors.ts'
import type { Mutation } from '../order/timeline.ts'

type Target = NonNullable<Mutation['target']>

/** A call is made; the returned function is to be called when it is over, with what it failed with, and whether it was undone under way. */
export type Overlaps = (mutation: Mutation) => (error: unknown, undone: boolean) => void

/**
 * Calls to one entity that met at the server: nobody can say in which order it took them, so the entity is to be fetched
 * once more when all of them are over. They meet only where `serial: false` lets them; and a `version` in the class says
 * which of two records is newer without asking.
 */
export function createOverlaps(revalidate: (target: Target) => void): Overlaps {
  const all = new Map<string, { count: number; loose: boolean; unsure: boolean }>()
  return ({ target, endpoint }) => {
    if (target === undefined) return () => {}
    const name = `${target.key} ${target.pk}`
    const open = all.get(name) ?? { count: 0, loose: false, unsure: false }
    all.set(name, open)
    open.count++
    open.loose ||= endpoint.serial === false
    const versioned = (endpoint.schema as { readonly version?: unknown } | undefined)?.version !== undefined
    open.unsure ||= open.loose && open.count > 1 && !versioned
    return (error, undone) => {
      // The server may have done it before it heard that nobody waits; or it refused because it has something else than we thought.
      open.unsure ||= undone || (error instanceof NetworkError && (error.status === 409 || error.status === 412))
      if (--open.count > 0) return
      all.delete(name)
      if (open.unsure) revalidate(target)
    }
  }
}
