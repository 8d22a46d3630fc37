import { useContext } from 'preact/hooks'
import { ProviderError } from '../../index.ts'
import type { Controller } from '../../index.ts'
import { DataContext } from './context.ts'
import type { Provided } from './reading.ts'

/**
 * The controller of the nearest `DataProvider`.
 *
 * @example
 * function Save({ todo }: { todo: Todo }) {
 *   const controller = useController()
 *   return <button onClick={() => controller.fetch(TodoResource.update, { id: todo.id }, todo)}>Save</button>
 * }
 */
export function useController(): Controller {
  return useProvided().controller
}

/** All that the nearest `DataProvider` gives. */
export function useProvided(): Provided {
  const provided = useContext(DataContext)
  if (provided === undefined) {
    throw new ProviderError(
      'There is no DataProvider above this component. Wrap the part of the tree that uses patchcord/preact in <DataProvider>.',
    )
  }
  return provided
}
