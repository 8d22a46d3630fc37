import { createComponent, createSignal, ErrorBoundary, For, Suspense, type JSX } from 'solid-js'
import { render } from 'solid-js/web'
import { DataProvider, useCache, useController, useDLE, useFetch, useLive } from '../../../bindings/solid/index.ts'
import { useLoading, useQuery, useSubscription, useSuspense, type Reading } from '../../../bindings/solid/index.ts'
import type { Controller, ReadError } from '../../../src/index.ts'
import { WAITING, type Framework, type Mounted, type Reader, type Spec } from './framework.ts'

/** What Solid's compiler makes of `<Outer {...props}>{inner()}</Outer>`. */
export function wrap<P extends object>(Outer: (props: P) => JSX.Element, props: Omit<P, 'children'>, inner: () => unknown): JSX.Element {
  return createComponent(Outer, Object.defineProperty(props, 'children', { get: inner }) as P)
}

/** What Solid's compiler makes of `<For each={list()}>{row}</For>`. */
export function each<T>(list: () => readonly T[] | undefined, row: (item: T) => JSX.Element): JSX.Element {
  return createComponent(For, {
    get each() {
      return list()
    },
    children: row,
  })
}

/** Mounts `App` below boundaries, and below a provider where there is a controller. */
export function mountSolid(controller: Controller | undefined, App: () => JSX.Element): Mounted {
  const page = document.createElement('div')
  let caught: ReadError
  let again: () => void
  const fallback = (error: ReadError, reset: () => void): string => {
    caught = error
    again = reset
    return `error: ${error.message}`
  }
  const body = (): JSX.Element => wrap(Suspense, { fallback: WAITING }, () => createComponent(App, {}))
  const provided = (): JSX.Element => (controller === undefined ? body() : wrap(DataProvider, { controller }, body))
  const unmount = render(() => wrap(ErrorBoundary, { fallback }, provided), page)
  return { page, text: () => page.textContent ?? '', unmount, error: () => caught, reset: () => again() }
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
  provide(props) {
    let controller: Controller
    const Reader = (): string => ((controller = useController()), '')
    const screen = mountSolid(undefined, () => wrap(DataProvider, props, () => createComponent(Reader, {})))
    return { ...screen, controller: controller! }
  },
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
