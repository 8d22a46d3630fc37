import type { Denormalize } from '../../index.ts'
import { useQuerySignal } from './useQuerySignal.ts'

/**
 * Reads what the store can show for a schema; undefined when it has no answer. Never fetches. The component is
 * rendered again only when the value is another one.
 *
 * @example
 * const user = useQuery(User, { username: 'bob' })
 * return <p>{user?.email}</p>
 */
export function useQuery<S>(schema: S, ...args: readonly unknown[]): Denormalize<S> | undefined {
  return useQuerySignal(schema, ...args).value
}
