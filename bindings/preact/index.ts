export { DataProvider } from './DataProvider.ts'
export { useController } from './useController.ts'
export type { DataProviderProps } from './DataProvider.ts'
