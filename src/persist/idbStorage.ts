import { openDB, type IDBPDatabase } from 'idb'
import type { RecordStorage } from '../changes/index.ts'

const TABLE = 'records'

/**
 * Records in a database of IndexedDB. It is opened on first use, and again after the browser has closed it.
 *
 * @example
 * const storage = idbStorage('todos')
 */
export function idbStorage(name: string): RecordStorage {
  let opening: Promise<IDBPDatabase> | undefined
  const forget = (): void => void (opening = undefined)
  const open = (): Promise<IDBPDatabase> => {
    opening ??= openDB(name, 1, {
      upgrade: database => void database.createObjectStore(TABLE),
      // Somebody wants to delete or to upgrade the database: close it.
      blocking: () => void close(),
      terminated: forget,
    })
    opening.catch(forget)
    return opening
  }
  const close = async (): Promise<void> => {
    const database = await opening?.catch(() => undefined)
    forget()
    database?.close()
  }
  /** What fails is tried once more with a new connection: the browser may have closed the old one. */
  const use = async <T>(work: (database: IDBPDatabase) => Promise<T>): Promise<T> => {
    try {
      return await work(await open())
    } catch {
      await close()
      return work(await open())
    }
  }
  return {
    read: () =>
      use(async database => {
        const { store } = database.transaction(TABLE)
        const [keys, values] = await Promise.all([store.getAllKeys(), store.getAll()])
        return keys.map((key, i) => [String(key), values[i]] as const)
      }),
    write: (put, remove) =>
      use(async database => {
        const transaction = database.transaction(TABLE, 'readwrite')
        const { store, done } = transaction
        // A value that cannot be cloned throws here, before anything is removed.
        const work = [...put.map(([key, value]) => store.put(value, key)), ...remove.map(key => store.delete(key))]
        // A page that is being left has no time for the browser to commit by itself.
        transaction.commit()
        await Promise.all([...work, done])
      }),
    clear: () => use(database => database.clear(TABLE)),
    close,
  }
}
