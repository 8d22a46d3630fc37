import { useContext } from 'solid-js'
import { ProviderError } from '../../src/index.ts'
import type { Controller } from '../../src/index.ts'
import { ControllerContext } from './context.ts'

/**
 * The controller of the nearest `DataProvider`.
 *
 * @example
 * function Save(props: { todo: Todo }) {
 *   const controller = useController()
 *   return <button onClick={() => controller.fetch(TodoResource.update, { id: props.todo.id }, props.todo)}>Save</button>
 * }
 */
export function useController(): Controller {
  const controller = useContext(ControllerContext)
  if (controller === undefined) {
    throw new ProviderError(
      'There is no DataProvider above this component. Wrap the part of the tree that uses patchcord/solid in <DataProvider>.',
    )
  }
  return controller
}
