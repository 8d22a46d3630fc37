import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { LOADED, nodeFlags } from '../production.mjs'

/** @import { Row } from '../row.mjs' */

const run = promisify(execFile)
const HEAP = fileURLToPath(new URL('../heap.mjs', import.meta.url))
const COUNT = 100_000

/** A process for each measurement: what one contender leaves behind must not count for the next. */
async function heapOf(holder, schema) {
  // Counting instances is an experimental feature of Node and warns.
  const { stdout } = await run(process.execPath, [...nodeFlags(LOADED === 'as installed'), '--no-warnings', HEAP, holder, schema, String(COUNT)])
  return JSON.parse(stdout)
}

/** @returns {Row} */
const unread = (what, schema) => ({
  name: `unread entities, ${what}`,
  about: `Heap of ${COUNT.toLocaleString('en-US')} entities that nobody reads, for each, over the same records in an array.`,
  budgets: [
    { kind: 'value', who: 'patchcord', atMost: 250, unit: 'B' },
    { kind: 'count', count: 'signals', atMost: 0 },
  ],
  async gauge(contenders, progress) {
    const plain = await heapOf('plain', schema)
    const values = {}
    const counts = {}
    for (const [at, { name }] of contenders.entries()) {
      progress((at + 1) / (contenders.length + 1))
      const heap = await heapOf(name, schema)
      values[name] = heap.bytes - plain.bytes
      if (name === 'patchcord' && heap.signals !== undefined) counts.signals = heap.signals
    }
    return { unit: 'B', values, counts, note: `the records themselves: ${Math.round(plain.bytes)} B each` }
  },
})

export const rows = [unread('string ids', 'items'), unread('numeric ids', 'numberedItems')]
