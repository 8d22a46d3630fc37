import { createComponent, ErrorBoundary, For, Show, Suspense, type JSX } from 'solid-js'
import { escape, getNextElement, insert, isServer, ssr, ssrHydrationKey, template } from 'solid-js/web'
import { DataProvider, useDLE, useSuspense } from '../../../bindings/solid/index.ts'
import type { Controller } from '../../../src/index.ts'
import { getFleeting, TodoResource, type Todo } from './todos.ts'

/** What only the server of the API knows of a todo, and may be shown only when it is new. */
const getNote = TodoResource.get.extend({ path: '/api/todos/:id/note', schema: undefined, dataExpiryLength: 0, invalidIfStale: true })

export interface AppProps {
  readonly controller: Controller
  /** Whether the list is read above the boundary that waits for it. */
  readonly above?: boolean
  /** Which todo to show beside the list, if any. */
  readonly id?: string | undefined
  /** Whether to show how many there are, and nothing else. */
  readonly count?: boolean
  /** Whether to show the note of the first one, and nothing else. */
  readonly note?: boolean
  /** Whether to show how many there are, and that they are asked for again: read by this. */
  readonly fleeting?: 'useDLE' | 'useSuspense' | undefined
}

/** What Solid's compiler makes of `<tag>{child()}</tag>`, on the server and in the page. */
function element(tag: string, child: () => JSX.Element): JSX.Element {
  if (isServer) return ssr([`<${tag}`, '>', `</${tag}>`], ssrHydrationKey(), escape(child() as string)) as unknown as JSX.Element
  const made = getNextElement(template(`<${tag}></${tag}>`) as () => Element)
  insert(made, child)
  return made
}

const List = (props: { readonly todos: () => readonly Todo[] | undefined }): JSX.Element =>
  element('ul', () =>
    createComponent(For, {
      get each() {
        return props.todos()
      },
      children: (todo: Todo) => element('li', () => todo.title),
    }),
  )

const Reader = (): JSX.Element => createComponent(List, { todos: useSuspense(TodoResource.getList) })

const One = (props: { readonly id: string }): JSX.Element => {
  const todo = useSuspense(TodoResource.get, () => ({ id: props.id }))
  return element('p', () => todo()?.title)
}

const Note = (): JSX.Element => {
  const todos = useSuspense(TodoResource.getList)
  const note = useSuspense(getNote, () => (todos() ? { id: todos()![0]!.id } : null))
  return element('p', () => (note() as Todo | undefined)?.title)
}

const show = (when: () => boolean, child: () => JSX.Element, instead: () => JSX.Element = () => undefined): JSX.Element =>
  createComponent(Show, {
    get when() {
      return when()
    },
    get fallback() {
      return instead()
    },
    get children() {
      return child()
    },
  } as Parameters<typeof Show>[0])

const Fleeting = (props: { readonly by: 'useDLE' | 'useSuspense' }): JSX.Element => {
  const todos = (props.by === 'useDLE' ? useDLE : useSuspense)(getFleeting)
  const again = show(() => todos.loading, () => element('i', () => 'again'))
  return [again, element('b', () => ('data' in todos ? todos.data : todos())?.length)]
}

const Count = (): JSX.Element => {
  const todos = useDLE(TodoResource.getList)
  return show(() => !todos.loading, () => element('b', () => todos.data?.length), () => element('i', () => 'loading'))
}

const Body = (props: AppProps): JSX.Element => {
  const todos = props.above ? useSuspense(TodoResource.getList) : undefined
  return createComponent(ErrorBoundary, {
    fallback: (error: Error) => element('em', () => error.message),
    get children() {
      return createComponent(Suspense, {
        get fallback() {
          return element('i', () => 'waiting')
        },
        get children() {
          if (props.count) return createComponent(Count, {})
          if (props.note) return createComponent(Note, {})
          if (props.fleeting) return createComponent(Fleeting, { by: props.fleeting })
          if (props.id !== undefined) return createComponent(One, { id: props.id })
          return todos ? createComponent(List, { todos }) : createComponent(Reader, {})
        },
      })
    },
  })
}

export function App(props: AppProps): JSX.Element {
  return createComponent(DataProvider, {
    controller: props.controller,
    get children() {
      return element('main', () => createComponent(Body, props))
    },
  })
}
