import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { inPairs } from '../pairs.mjs'
import { LOADED, nodeFlags } from '../production.mjs'
import { among } from './among.mjs'

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
    const { blanks, entries } = among(contenders, ['100k'], () => undefined)
    const names = ['plain', ...Object.keys(entries)]
    // Bytes do not mind a neighbour.
    const heaps = await inPairs(names, name => heapOf(name, schema), progress)
    const [plain, ...retained] = heaps
    const values = Object.fromEntries(retained.map(({ bytes }, at) => [names[at + 1], bytes - plain.bytes]))
    const signals = heaps[names.indexOf('patchcord')]?.signals
    return { unit: 'B', values, counts: signals === undefined ? {} : { signals }, blanks, note: `the records themselves: ${Math.round(plain.bytes)} B each` }
  },
})

export const rows = [unread('string ids', 'items'), unread('numeric ids', 'numberedItems')]
