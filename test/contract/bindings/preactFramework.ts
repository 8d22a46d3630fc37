import { signal } from '@preact/signals'
import { Component, h, render, type ComponentChild, type ComponentChildren } from 'preact'
import { Suspense } from 'preact/compat'
import { act } from 'preact/test-utils'
import { DataProvider, useCache, useController, useDLE, useFetch, useLive, useLoading, useQuery, useSubscription, useSuspense } from '../../../bindings/preact/index.ts'
import type { AnyEndpoint, Controller, ReadError } from '../../../src/index.ts'
import { WAITING, type Framework, type Mounted, type Reader, type Spec } from './framework.ts'

/** Shows the message of what is thrown below it. */
export class Boundary extends Component<{ children?: ComponentChildren }, { error?: ReadError | undefined }> {
  static override getDerivedStateFromError(error: ReadError): { error: ReadError } {
    return { error }
  }

  override render(): ComponentChildren {
    return this.state.error ? `error: ${this.state.error.message}` : this.props.children
  }
}

/** Below an error boundary and one that waits. */
export const waitFor = (children: ComponentChildren): ComponentChild => h(Boundary, {}, h(Suspense, { fallback: WAITING, children }))

/** Mounts `App` below boundaries, and below a provider where there is a controller. */
export function mountPreact(controller: Controller | undefined, App: () => ComponentChildren, props: object = {}): Mounted {
  const page = document.createElement('div')
  let boundary: Boundary | null
  // A boundary that waits does not render what is below it; another key is another boundary, which does.
  const Page = (): ComponentChild => h(Suspense, { key: pageKey(props), fallback: WAITING, children: h(App, {}) })
  const body = h(Page, {})
  const ref = (each: Boundary | null): void => void (boundary = each)
  void act(() => render(h(Boundary, { ref } as object, controller === undefined ? body : h(DataProvider, { controller, children: body })), page))
  return {
    page,
    text: () => page.textContent ?? '',
    unmount: () => void act(() => render(null, page)),
    error: () => boundary!.state.error!,
    reset: () => boundary!.setState({ error: undefined }),
  }
}

function pageKey(props: { args?: () => unknown }): string {
  return JSON.stringify(props.args?.()) ?? ''
}

export const preactFramework: Framework = {
  name: 'preact',
  cell(value) {
    const cell = signal(value)
    return { get: () => cell.value, set: next => void (cell.value = next) }
  },
  mount: spec => mountPreact(spec.controller, () => spec.text(use(spec)), spec.hook === 'useDLE' ? {} : spec),
  provide(props) {
    let controller: Controller
    const Reader = (): string => ((controller = useController()), '')
    const screen = mountPreact(undefined, () => h(DataProvider, props, h(Reader, {})))
    return { ...screen, controller: controller! }
  },
  loading(controller, action, text) {
    let run: ((value: string) => Promise<string>) | undefined
    const screen = mountPreact(controller, () => {
      const [start, loading, error] = useLoading(action)
      run = start
      return text(loading, error)
    })
    return { ...screen, run: value => run!(value) }
  },
}

const hooks = { useCache, useDLE, useFetch, useLive, useQuery, useSubscription, useSuspense }

function use({ hook, target, args }: Spec): Reader {
  const controller = useController()
  const now = args?.()
  const given = now === undefined ? [] : [now]
  const read = (hooks[hook] as (target: unknown, ...args: unknown[]) => unknown)(target, ...given)
  if (hook === 'useDLE') return read as Reader
  const call = [target as AnyEndpoint, ...given] as const
  return {
    data: read,
    get loading() {
      return now !== null && controller.isFetching(...call)
    },
    get error() {
      return controller.getError(...call)
    },
    refetch: () => controller.fetch(...call),
  }
}
