import { computed } from '@preact/signals'
import type { ReadonlySignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { Denormalize } from '../../src/index.ts'
import { useController } from './useController.ts'

/**
 * The same as `useQuery`, as a signal.
 *
 * @example
 * function Row({ id }: { id: string }) {
 *   const todo = useQuerySignal(Todo, { id })
 *   return <li>{useComputed(() => todo.value?.title)}</li>
 * }
 */
export function useQuerySignal<S>(schema: S, ...args: readonly unknown[]): ReadonlySignal<Denormalize<S> | undefined> {
  const controller = useController()
  return useMemo(
    () => computed(() => (args[0] === null ? undefined : controller.get(schema, ...args)), { name: (schema as { readonly key?: string }).key ?? 'query' }),
    [controller, schema, ...args.flatMap(spread)],
  )
}

/** An argument as values that can be compared one by one: a component makes a new `{ id }` each time. */
function spread(arg: unknown): unknown[] {
  const prototype: unknown = typeof arg === 'object' && arg !== null ? Object.getPrototypeOf(arg) : undefined
  return prototype === Object.prototype || prototype === Array.prototype ? [prototype, ...Object.entries(arg as object).flat(), prototype] : [arg]
}
