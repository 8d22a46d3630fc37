import type { RecordStorage } from '../../src/changes/index.ts'

/** Records in memory, which outlive a controller. `disk` is what a new process would find; `fail` decides what breaks. */
export interface MemoryStorage extends RecordStorage {
  readonly disk: Map<string, unknown>
  readonly writes: number
  /** Called before each operation; what it throws is what the operation rejects with. */
  fail: (operation: 'read' | 'write' | 'clear' | 'close') => void | Promise<void>
}

export function memoryStorage(disk: Map<string, unknown> = new Map()): MemoryStorage {
  let writes = 0
  const storage: MemoryStorage = {
    disk,
    get writes() {
      return writes
    },
    fail: () => {},
    async read() {
      await storage.fail('read')
      return structuredClone([...disk])
    },
    async write(put, remove) {
      const copies = structuredClone(put)
      await storage.fail('write')
      writes++
      for (const [key, value] of copies) disk.set(key, value)
      for (const key of remove) disk.delete(key)
    },
    async clear() {
      await storage.fail('clear')
      disk.clear()
    },
    async close() {
      await storage.fail('close')
    },
  }
  return storage
}
