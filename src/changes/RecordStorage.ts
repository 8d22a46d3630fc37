/**
 * Stores records: IndexedDB, a file, a server. Keys are unique; the order of records does not matter.
 *
 * @example
 * const records = new Map<string, unknown>()
 * const inMemory: RecordStorage = {
 *   read: async () => [...records],
 *   write: async (put, remove) => {
 *     for (const key of remove) records.delete(key)
 *     for (const [key, value] of put) records.set(key, structuredClone(value))
 *   },
 *   clear: async () => records.clear(),
 *   close: async () => {},
 * }
 */
export interface RecordStorage {
  /** Every record that is stored. */
  read(): Promise<readonly (readonly [key: string, value: unknown])[]>
  /** Removes and stores records: all of them, or none. Values are plain data. */
  write(put: readonly (readonly [key: string, value: unknown])[], remove: readonly string[]): Promise<void>
  /** Removes everything. */
  clear(): Promise<void>
  close(): Promise<void>
}
