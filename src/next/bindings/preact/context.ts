import { createContext } from 'preact'
import type { Context } from 'preact'
import type { Provided } from './reading.ts'

/** Empty where there is no `DataProvider` above. */
export const DataContext: Context<Provided | undefined> = /*#__PURE__*/ createContext<Provided | undefined>(undefined)
