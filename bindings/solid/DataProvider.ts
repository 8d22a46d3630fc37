import { createComponent, createContext, useContext } from 'solid-js'
import type { Context, JSX } from 'solid-js'
import { Controller, createLive, ProviderError } from '../../src/index.ts'
import type { ControllerOptions, Live } from '../../src/index.ts'
import { createTracker, onCleanup } from './reactive.ts'

/** A store, and how this tree reads it. */
interface Binding {
  readonly controller: Controller
  readonly live: Live
}

/** Empty where there is no `DataProvider` above. */
const BindingContext: Context<Binding | undefined> = /*#__PURE__*/ createContext<Binding | undefined>()

/**
 * The props of a `DataProvider`.
 *
 * @example
 * const props: DataProviderProps = { controller: new Controller({ timeout: 10_000 }) }
 * render(() => <DataProvider {...props}><App /></DataProvider>, document.body)
 */
export interface DataProviderProps {
  /** The store to use. Without it the provider makes one, and disposes of it when it is removed. */
  controller?: Controller | undefined
  /** The initial state of the provider's own controller. */
  initialState?: ControllerOptions['initialState'] | undefined
  children?: JSX.Element
}

/**
 * Gives a controller to everything below it. The props are read once, when the provider is created.
 *
 * @example
 * render(() => <DataProvider><App /></DataProvider>, document.body)
 */
export function DataProvider(props: DataProviderProps): JSX.Element {
  const { controller: given, initialState } = props
  const controller = given ?? new Controller({ initialState })
  const live = createLive(controller, createTracker())
  onCleanup(() => {
    live.dispose()
    if (!given) controller.dispose()
  })
  return createComponent(BindingContext.Provider, {
    value: { controller, live },
    // A getter, because children may only be created inside of the provider.
    get children() {
      return props.children
    },
  })
}

export function useBinding(): Binding {
  const binding = useContext(BindingContext)
  if (binding) return binding
  throw new ProviderError('There is no DataProvider above. Wrap the page in <DataProvider>.')
}

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
