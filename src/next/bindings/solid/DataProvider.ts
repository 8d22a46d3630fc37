import { createComponent } from 'solid-js'
import type { JSX } from 'solid-js'
import { Controller, createLive } from '../../index.ts'
import type { ControllerOptions } from '../../index.ts'
import { BindingContext } from './context.ts'
import { onCleanup, solidTracker } from './reactive.ts'

/**
 * What a provider may be told.
 *
 * @example
 * const props: DataProviderProps = { controller: new Controller({ timeout: 10_000 }) }
 * render(() => <DataProvider {...props}><App /></DataProvider>, document.body)
 */
export interface DataProviderProps {
  /** The store to use. Without it the provider makes one of its own and disposes of it when it goes. */
  controller?: Controller | undefined
  /** What the provider's own store begins with. */
  initialState?: ControllerOptions['initialState'] | undefined
  children?: JSX.Element
}

/**
 * Gives a controller to everything below it. The props are read once, when the provider is made.
 *
 * @example
 * render(() => <DataProvider><App /></DataProvider>, document.body)
 */
export function DataProvider(props: DataProviderProps): JSX.Element {
  const controller = props.controller ?? ownController(props.initialState)
  const live = createLive(controller, solidTracker)
  onCleanup(() => live.dispose())
  return createComponent(BindingContext.Provider, {
    value: { controller, live },
    // A getter, because children may only be made inside of the provider.
    get children() {
      return props.children
    },
  })
}

function ownController(initialState: DataProviderProps['initialState']): Controller {
  const controller = new Controller(initialState === undefined ? {} : { initialState })
  onCleanup(() => controller.dispose())
  return controller
}
