import { h } from 'preact'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Controller } from '../../src/index.ts'
import { ControllerContext } from './context.ts'

export interface DataProviderProps {
  /** The store to use. Without it the provider makes one of its own and disposes of it when it goes. */
  controller?: Controller | undefined
  children?: ComponentChildren
}

/**
 * Gives a controller to everything below it.
 *
 * @example
 * render(<DataProvider><App /></DataProvider>, document.body)
 */
export function DataProvider(props: DataProviderProps): ComponentChildren {
  const own = useRef<Controller | undefined>(undefined)
  const given = props.controller
  // The layout effect and not the ordinary one, which a quick unmount would skip together with its cleanup.
  useLayoutEffect(() => {
    if (given !== undefined) return undefined
    return () => {
      own.current?.dispose()
      own.current = undefined
    }
  }, [given])
  return h(ControllerContext.Provider, { value: given ?? (own.current ??= new Controller()) }, props.children)
}
