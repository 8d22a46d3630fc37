import type { Controller } from '../../index.ts'
import { useBinding } from './context.ts'

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
  return useBinding().controller
}
