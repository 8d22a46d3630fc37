export { DataProvider, useController } from './DataProvider.ts'
export { useCache, useCacheSignal, useDLE, useFetch, useHistory, useLive, useLoading, useQuery, useQuerySignal, useSubscription, useSuspense, useSuspenseSignal } from './hooks.ts'
export type { DataProviderProps } from './DataProvider.ts'
export type { DLE, MaybeArgs } from './hooks.ts'
