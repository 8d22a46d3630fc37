import { createContext } from 'preact'
import type { Context } from 'preact'
import type { Controller } from '../../src/index.ts'

/** Carries the controller down the tree; empty where there is no `DataProvider` above. */
export const ControllerContext: Context<Controller | undefined> = /*#__PURE__*/ createContext<Controller | undefined>(undefined)
