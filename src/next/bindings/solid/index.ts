// Values
export { DataProvider, useController } from './DataProvider.ts'
export { useCache, useCache as createCache } from './hooks.ts'
export { useDLE, useDLE as createDLE } from './hooks.ts'
export { useFetch, useFetch as createFetch } from './hooks.ts'
export { useHistory, useLive } from './hooks.ts'
export { useLoading, useLoading as createLoading } from './hooks.ts'
export { useQuery, useQuery as createQuery } from './hooks.ts'
export { useSubscription, useSubscription as createSubscription } from './hooks.ts'
export { useSuspense, useSuspense as createSuspense } from './hooks.ts'

// Types
export type { DataProviderProps } from './DataProvider.ts'
export type { DLE, HistoryAccessors } from './hooks.ts'
export type { AccessorArgs, MaybeAccessor, Reading } from './reading.ts'
