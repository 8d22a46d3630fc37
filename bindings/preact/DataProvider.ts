import { Signal } from '@preact/signals'
import { Component, createContext, h } from 'preact'
import type { ComponentChildren, Context } from 'preact'
import { useContext } from 'preact/hooks'
import { Controller, ProviderError } from '../../src/index.ts'
import type { ControllerOptions } from '../../src/index.ts'
import type { Provided } from './reading.ts'

/** Empty where there is no `DataProvider` above. */
const DataContext: Context<Provided | undefined> = /*#__PURE__*/ createContext<Provided | undefined>(undefined)

/**
 * The props of a `DataProvider`.
 *
 * @example
 * const props: DataProviderProps = { controller: new Controller({ timeout: 10_000 }) }
 * render(<DataProvider {...props}><App /></DataProvider>, document.body)
 */
export interface DataProviderProps {
  /** The store to use. Without it the provider makes one, and disposes of it when it is removed. */
  controller?: Controller | undefined
  /** The initial state of the provider's own controller. */
  initialState?: ControllerOptions['initialState'] | undefined
  children?: ComponentChildren
}

/**
 * Gives a controller to everything below it.
 *
 * @example
 * render(<DataProvider><App /></DataProvider>, document.body)
 */
// A class, because a boundary above that shows its fallback removes the hooks of the components below.
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
    controller ??= this.#own ??= new Controller({ initialState })
    if (this.#provided?.controller !== controller) {
      if (!(controller.view(undefined) instanceof Signal)) throw new ProviderError('There are two copies of @preact/signals-core, and neither sees what the other reads. Let patchcord and @preact/signals share one: npm dedupe.')
      this.#provided = { controller, waiting: new Map(), pending: 0 }
    }
    return h(DataContext.Provider, { value: this.#provided }, children)
  }

  #dispose(): void {
    this.#own?.dispose()
    this.#own = undefined
  }
}

export function useProvided(): Provided {
  const provided = useContext(DataContext)
  if (provided) return provided
  throw new ProviderError('There is no DataProvider above. Wrap the page in <DataProvider>.')
}

/**
 * The controller of the nearest `DataProvider`.
 *
 * @example
 * function Save({ todo }: { todo: Todo }) {
 *   const controller = useController()
 *   return <button onClick={() => controller.fetch(TodoResource.update, { id: todo.id }, todo)}>Save</button>
 * }
 */
export function useController(): Controller {
  return useProvided().controller
}
