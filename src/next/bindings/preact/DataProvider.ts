import { Signal } from '@preact/signals'
import { Component, h } from 'preact'
import type { ComponentChildren } from 'preact'
import { Controller, ProviderError } from '../../index.ts'
import type { ControllerOptions } from '../../index.ts'
import { DataContext } from './context.ts'
import type { Provided } from './reading.ts'

/**
 * What a provider may be told.
 *
 * @example
 * const props: DataProviderProps = { controller: new Controller({ timeout: 10_000 }) }
 * render(<DataProvider {...props}><App /></DataProvider>, document.body)
 */
export interface DataProviderProps {
  /** The store to use. Without it the provider makes one of its own and disposes of it when it goes. */
  controller?: Controller | undefined
  /** What the provider's own store begins with. */
  initialState?: ControllerOptions['initialState'] | undefined
  children?: ComponentChildren
}

/**
 * Gives a controller to everything below it.
 *
 * @example
 * render(<DataProvider><App /></DataProvider>, document.body)
 */
// A class, because a boundary above that shows its fallback takes the hooks of those below away, and the store with them.
export class DataProvider extends Component<DataProviderProps> {
  #own: Controller | undefined
  #provided: Provided | undefined

  override componentDidUpdate(): void {
    if (this.props.controller !== undefined) this.#dispose()
  }

  override componentWillUnmount(): void {
    this.#dispose()
  }

  override render({ controller, initialState, children }: DataProviderProps): ComponentChildren {
    controller ??= this.#own ??= new Controller(initialState === undefined ? {} : { initialState })
    if (this.#provided?.controller !== controller) {
      if (!(controller.view(undefined) instanceof Signal)) {
        throw new ProviderError(
          'There are two copies of @preact/signals-core, and neither sees what the other reads. Let patchcord and @preact/signals share one: npm dedupe.',
        )
      }
      this.#provided = { controller, waiting: new Map(), pending: 0 }
    }
    return h(DataContext.Provider, { value: this.#provided }, children)
  }

  #dispose(): void {
    this.#own?.dispose()
    this.#own = undefined
  }
}
