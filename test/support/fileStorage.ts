import { appendFile, readFile, rename, rm, writeFile } from 'node:fs/promises'
import type { RecordStorage } from '../../src/changes/index.ts'

/** Records in a file: one line for each write, which counts only when it is whole. A write that removes much writes the file anew. */
export function fileStorage(file: string): RecordStorage {
  type Line = { readonly put: readonly (readonly [string, unknown])[]; readonly remove: readonly string[] }
  const load = async (): Promise<Map<string, unknown>> => {
    const records = new Map<string, unknown>()
    const text = await readFile(file, 'utf8').catch(() => '')
    for (const line of text.split('\n').slice(0, -1)) {
      const { put, remove } = JSON.parse(line) as Line
      for (const key of remove) records.delete(key)
      for (const [key, value] of put) records.set(key, value)
    }
    return records
  }
  return {
    read: async () => [...(await load())],
    async write(put, remove) {
      const line = (each: Line): string => `${JSON.stringify(each)}\n`
      if (remove.length < 10) return appendFile(file, line({ put, remove }))
      const records = await load()
      for (const key of remove) records.delete(key)
      for (const [key, value] of put) records.set(key, value)
      await writeFile(`${file}.new`, line({ put: [...records], remove: [] }))
      await rename(`${file}.new`, file)
    },
    clear: () => rm(file, { force: true }),
    close: () => Promise.resolve(),
  }
}
