import { createContext, useContext } from 'solid-js'
import type { Context } from 'solid-js'
import { ProviderError } from '../../index.ts'
import type { Controller, Live } from '../../index.ts'

/** A store, and how this tree reads it. */
export interface Binding {
  readonly controller: Controller
  readonly live: Live
}

/** Carries the store down the tree; empty where there is no `DataProvider` above. */
export const BindingContext: Context<Binding | undefined> = /*#__PURE__*/ createContext<Binding | undefined>()

export function useBinding(): Binding {
  const binding = useContext(BindingContext)
  if (binding === undefined) {
    throw new ProviderError(
      'There is no DataProvider above this component. Wrap the part of the tree that uses patchcord/solid in <DataProvider>.',
    )
  }
  return binding
}
