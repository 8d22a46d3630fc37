import { useComputed } from '@preact/signals'
import { Component, h, type ComponentChild, type ComponentChildren, type VNode } from 'preact'
import { Suspense } from 'preact/compat'
import { DataProvider, useDLE, useSuspense, useSuspenseSignal } from '../../../bindings/preact/index.ts'
import { createResource, Entity, type Controller } from '../../../src/index.ts'

export class Todo extends Entity {
  id = ''
  title = ''
  static override key = 'Todo'
}

export const TodoResource = createResource({ path: '/todos/:id', schema: Todo })

class Boundary extends Component<{ children?: ComponentChildren }, { error?: Error }> {
  static override getDerivedStateFromError(error: Error): { error: Error } {
    return { error }
  }

  override render(): ComponentChildren {
    return this.state.error ? h('em', null, this.state.error.message) : this.props.children
  }
}

const List = (): ComponentChild => {
  const todos = useSuspense(TodoResource.getList)
  return h('ul', null, todos.map(todo => h('li', { key: todo.id }, todo.title)))
}

const One = ({ id }: { id: string }): ComponentChild => {
  const todo = useSuspenseSignal(TodoResource.get, { id })
  return h('p', null, useComputed(() => todo.value.title))
}

const Count = (): ComponentChild => h('b', null, useDLE(TodoResource.getList).data?.length ?? 'none')

/** A list with a count beside it; with an `id`, one todo through a signal. */
export function App({ controller, id }: { controller: Controller; id?: string | undefined }): VNode {
  const body = id === undefined ? [h(List, {}), h(Count, {})] : h(One, { id })
  return h('main', null, h(DataProvider, { controller }, h(Boundary, {}, h(Suspense, { fallback: h('i', null, 'waiting'), children: body }))))
}
