export { idbStorage } from './idbStorage.ts'
export { persist } from './persist.ts'
export type { Persistable, Persisted, PersistOptions } from './persist.ts'
