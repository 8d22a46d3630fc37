import { createComponent, createSignal, ErrorBoundary, Suspense, type JSX } from 'solid-js'
import { render } from 'solid-js/web'
import { DataProvider, useCache, useDLE, useFetch, useLive, useLoading, useQuery, useSubscription, useSuspense } from '../../../bindings/solid/index.ts'
import type { Reading } from '../../../bindings/solid/index.ts'
import type { Controller } from '../../../src/index.ts'
import { WAITING, type Framework, type Screen, type Reader, type Spec } from './framework.ts'

/** Mounts `App` below boundaries, and below a provider where there is a controller. */
export function mountSolid(controller: Controller | undefined, App: () => JSX.Element): Screen & { readonly page: HTMLElement } {
  const page = document.createElement('div')
  const body = (): JSX.Element =>
    createComponent(Suspense, {
      fallback: WAITING,
      get children() {
        return createComponent(App, {})
      },
    })
  const unmount = render(
    () =>
      createComponent(ErrorBoundary, {
        fallback: (error: Error) => `error: ${error.message}`,
        get children() {
          if (controller === undefined) return body()
          return createComponent(DataProvider, {
            controller,
            get children() {
              return body()
            },
          })
        },
      }),
    page,
  )
  return { page, text: () => page.textContent ?? '', unmount }
}

export const solidFramework: Framework = {
  name: 'solid',
  cell(value) {
    const [get, set] = createSignal(value)
    return { get, set: next => void set(() => next) }
  },
  mount: spec =>
    mountSolid(spec.controller, () => {
      const reader = use(spec)
      return (() => spec.text(reader)) as unknown as JSX.Element
    }),
  loading(controller, action, text) {
    let run: ((value: string) => Promise<string>) | undefined
    const screen = mountSolid(controller, () => {
      const [start, loading, error] = useLoading(action)
      run = start
      return (() => text(loading(), error())) as unknown as JSX.Element
    })
    return { ...screen, run: value => run!(value) }
  },
}

const hooks = { useCache, useDLE, useFetch, useLive, useQuery, useSubscription, useSuspense }

function use({ hook, target, args }: Spec): Reader {
  const given = args && args() !== undefined ? [args] : []
  const read = (hooks[hook] as (target: unknown, ...args: unknown[]) => unknown)(target, ...given)
  if (hook === 'useDLE') return read as Reader
  return {
    get data() {
      return (read as (() => unknown) | undefined)?.()
    },
    get loading() {
      return (read as Reading<unknown>).loading
    },
    get error() {
      return (read as Reading<unknown>).error
    },
    refetch: () => (read as Reading<unknown>).refetch(),
  }
}
