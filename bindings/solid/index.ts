// Values
export { DataProvider, useController } from './DataProvider.ts'
export { useCache, useDLE, useFetch, useHistory, useLive, useLoading, useQuery, useSubscription, useSuspense } from './hooks.ts'
export { useCache as createCache, useDLE as createDLE, useFetch as createFetch, useLoading as createLoading, useQuery as createQuery, useSubscription as createSubscription, useSuspense as createSuspense } from './hooks.ts'

// Types
export type { DataProviderProps } from './DataProvider.ts'
export type { DLE, HistoryAccessors } from './hooks.ts'
export type { AccessorArgs, MaybeAccessor, Reading } from './reading.ts'
