// Values
export { DataProvider } from './DataProvider.ts'
export { useCache, useCache as createCache } from './useCache.ts'
export { useController } from './useController.ts'
export { useDLE, useDLE as createDLE } from './useDLE.ts'
export { useFetch, useFetch as createFetch } from './useFetch.ts'
export { useHistory } from './useHistory.ts'
export { useLive } from './useLive.ts'
export { useLoading, useLoading as createLoading } from './useLoading.ts'
export { useQuery, useQuery as createQuery } from './useQuery.ts'
export { useSubscription, useSubscription as createSubscription } from './useSubscription.ts'
export { useSuspense, useSuspense as createSuspense } from './useSuspense.ts'

// Types
export type { AccessorArgs, MaybeAccessor } from './args.ts'
export type { DataProviderProps } from './DataProvider.ts'
export type { DLE } from './useDLE.ts'
export type { HistoryAccessors } from './useHistory.ts'
export type { Reading } from './reading.ts'
