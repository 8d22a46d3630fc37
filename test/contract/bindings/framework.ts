import type { AnyEndpoint, Controller, ControllerOptions, ReadError } from '../../../src/index.ts'

export type Hook = 'useSuspense' | 'useQuery' | 'useCache' | 'useFetch' | 'useDLE' | 'useLive' | 'useSubscription'

/** What a hook gave, whatever its shape is in the framework. `data` waits or throws where the hook does. */
export interface Reader {
  readonly data: unknown
  readonly loading: boolean
  readonly error: unknown
  /** Of `useDLE` alone. */
  readonly isPrevious?: boolean
  refetch(): Promise<unknown>
}

/** What stands on the page. While a reader waits that is `WAITING`; what it throws is `error: ` and the message. */
export interface Screen {
  text(): string
  unmount(): void
}

/** A page below boundaries. */
export interface Mounted extends Screen {
  readonly page: HTMLElement
  /** What the error boundary has caught last. */
  error(): ReadError
  /** Has the error boundary render its children again. */
  reset(): void
}

export interface Cell<T> {
  get(): T
  set(value: T): void
}

export interface Spec {
  /** Without one there is no provider. */
  readonly controller?: Controller | undefined
  readonly hook: Hook
  readonly target: AnyEndpoint | object
  /** The first argument, read anew whenever a cell that it reads changes; `null` for "not yet", undefined for none. */
  readonly args?: () => unknown
  /** What to show. Read where the framework reads: it is run again as the framework does. */
  text(reader: Reader): string
}

/** What a binding must be able to do to run the conformance suite. */
export interface Framework {
  readonly name: string
  /** A value that components follow. */
  cell<T>(value: T): Cell<T>
  mount(spec: Spec): Mounted
  /** Mounts a provider; `controller` is the one that components below it use. */
  provide(props: { controller?: Controller; initialState?: ControllerOptions['initialState'] }): Screen & { readonly controller: Controller }
  /** Mounts a component that calls `useLoading(action)`; `run` calls what it gave. */
  loading(controller: Controller, action: (value: string) => Promise<string>, text: (loading: boolean, error: unknown) => string): Screen & { run(value: string): Promise<string> }
}

export const WAITING = 'waiting'
