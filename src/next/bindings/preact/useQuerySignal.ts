import type { ReadonlySignal } from '@preact/signals'
import type { Denormalize } from '../../index.ts'
import { useController } from './useController.ts'
import { useReadSignal } from './useReadSignal.ts'

/**
 * The same as `useQuery`, as a signal: one for as long as the component is mounted, whatever its arguments become.
 *
 * @example
 * function Row({ id }: { id: string }) {
 *   const todo = useQuerySignal(Todo, { id })
 *   return <li>{useComputed(() => todo.value?.title)}</li>
 * }
 */
export function useQuerySignal<S>(schema: S, ...args: readonly unknown[]): ReadonlySignal<Denormalize<S> | undefined> {
  const controller = useController()
  return useReadSignal(
    () => () => (args[0] === null ? undefined : controller.get(schema, ...args)),
    [controller, schema, ...args.flatMap(spread)],
    (schema as { readonly key?: string }).key ?? 'query',
  )
}

/** An argument as values that can be compared one by one: a component makes a new `{ id }` each time. */
function spread(arg: unknown): unknown[] {
  const prototype: unknown = typeof arg === 'object' && arg !== null ? Object.getPrototypeOf(arg) : undefined
  return prototype === Object.prototype || prototype === Array.prototype ? [prototype, ...Object.entries(arg as object).flat(), prototype] : [arg]
}
