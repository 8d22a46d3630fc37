import type { Accessor } from 'solid-js'
import type { Denormalize } from '../../index.ts'
import { resolveArgs, type MaybeAccessor } from './args.ts'
import { useBinding } from './context.ts'
import { attempt, given, memo } from './reactive.ts'

/**
 * Reads what the store can show for a schema, as live objects; undefined when it has no answer. Never fetches.
 *
 * @example
 * const user = useQuery(User, () => ({ username: props.name }))
 * return <p>{user()?.email}</p>
 */
export function useQuery<S>(schema: S, ...args: MaybeAccessor<unknown>[]): Accessor<Denormalize<S> | undefined> {
  const { live } = useBinding()
  // Another object each time, so that Solid keeps what a transition looked at apart from what the page as it is looks at.
  const found = memo(() => {
    const now = resolveArgs(args)
    return { value: now && attempt(() => live.query(schema, ...now)) }
  })
  const value = memo(() => found().value)
  return () => given(value())
}
