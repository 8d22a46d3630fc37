import { useComputed } from '@preact/signals'
import { Component, h, type ComponentChild, type ComponentChildren, type VNode } from 'preact'
import { Suspense } from 'preact/compat'
import { DataProvider, useDLE, useSuspense, useSuspenseSignal } from '../../../bindings/preact/index.ts'
import type { Controller } from '../../../src/index.ts'
import { TodoResource } from './todos.ts'

class Boundary extends Component<{ children?: ComponentChildren }, { error?: Error }> {
  static override getDerivedStateFromError(error: Error): { error: Error } {
    return { error }
  }

  override render(): ComponentChildren {
    return this.state.error ? h('em', null, this.state.error.message) : this.props.children
  }
}

const List = (): ComponentChild => h('ul', null, useSuspense(TodoResource.getList).map(todo => h('li', { key: todo.id }, todo.title)))

const Count = (): ComponentChild => h('b', null, useDLE(TodoResource.getList).data?.length ?? 'none')

/** One todo, by each way to read it. */
const readers = {
  useSuspense: ({ id }: { id: string }): ComponentChild => h('p', null, useSuspense(TodoResource.get, { id }).title),
  useSuspenseSignal({ id }: { id: string }): ComponentChild {
    const todo = useSuspenseSignal(TodoResource.get, { id })
    return h('p', null, useComputed(() => todo.value.title))
  },
  useDLE({ id }: { id: string }): ComponentChild {
    const { data, loading, error } = useDLE(TodoResource.get, { id })
    return h('p', null, `${data?.title} ${loading} ${String(error)}`)
  },
}

export interface AppProps { readonly controller: Controller; readonly id?: string | undefined; readonly by?: keyof typeof readers | undefined }

/** A list with a count beside it; with an `id`, one todo, and text after its boundary. */
export function App({ controller, id, by = 'useSuspenseSignal' }: AppProps): VNode {
  const children = id === undefined ? [h(List, {}), h(Count, {})] : h(readers[by], { id })
  const body = h(Boundary, {}, h(Suspense, { fallback: h('i', null, 'waiting'), children }))
  return h('main', null, h(DataProvider, { controller }, body), id === undefined ? null : h('b', null, 'tail'))
}
