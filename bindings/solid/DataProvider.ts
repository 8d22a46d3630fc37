import { createComponent, onCleanup } from 'solid-js'
import type { JSX } from 'solid-js'
import { Controller } from '../../src/index.ts'
import { ControllerContext } from './context.ts'

export interface DataProviderProps {
  /** The store to use. Without it the provider makes one of its own and disposes of it when it goes. */
  controller?: Controller | undefined
  children?: JSX.Element
}

/**
 * Gives a controller to everything below it. The prop is read once, when the provider is made.
 *
 * @example
 * render(() => <DataProvider><App /></DataProvider>, document.body)
 */
export function DataProvider(props: DataProviderProps): JSX.Element {
  return createComponent(ControllerContext.Provider, {
    value: props.controller ?? ownController(),
    // A getter, because children may only be made inside of the provider.
    get children() {
      return props.children
    },
  })
}

function ownController(): Controller {
  const controller = new Controller()
  onCleanup(() => controller.dispose())
  return controller
}
