import { createContext } from 'solid-js'
import type { Context } from 'solid-js'
import type { Controller } from '../../src/index.ts'

/** Carries the controller down the tree; empty where there is no `DataProvider` above. */
export const ControllerContext: Context<Controller | undefined> = /*#__PURE__*/ createContext<Controller | undefined>()
