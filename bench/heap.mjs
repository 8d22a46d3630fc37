// Run by the memory suite, one process for each holder: node --expose-gc heap.mjs <holder> <schema> <count>
// Prints the bytes that one entity takes, and how many signals exist because of them.
import './production.mjs'
import * as v8 from 'node:v8'
import { loadContenders } from './contenders/index.mjs'
import { items } from './records.mjs'
import { sent } from './suites/among.mjs'

const [holder, schema, countText] = process.argv.slice(2)
const count = Number(countText)

/** Parsed and not made in place, because that is how records come to be: strings of their own, no spare room. */
const text = size => JSON.stringify(schema === 'numberedItems' ? items(size).map((record, at) => ({ ...record, id: at })) : items(size))

const { contenders, missing } = await loadContenders(holder === 'plain' ? [] : [holder])
if (missing[holder]) throw new Error(missing[holder])
const hold =
  holder === 'plain'
    ? json => JSON.parse(json)
    : json => contenders[0].write(contenders[0].schemas[schema], sent(contenders[0], schema, JSON.parse(json)), contenders[0].empty).state

/** Typed arrays live outside the heap, so both are counted. */
function bytes() {
  for (let round = 0; round < 4; round++) globalThis.gc?.()
  const { external, heapUsed } = process.memoryUsage()
  return heapUsed + external
}

/** Undefined where the runtime cannot count instances. */
async function signals() {
  try {
    const { Signal } = await import('@preact/signals-core')
    return v8.queryObjects?.(Signal, { format: 'count' })
  } catch {
    return undefined
  }
}

// Once over, small: compiled code, inline caches and lazily made tables of the library are not the entities' cost.
let retained = hold(text(1_000))
retained = undefined

const json = text(count)
const signalsBefore = await signals()
const before = bytes()
retained = hold(json)
const after = bytes()
const signalsAfter = await signals()

const made = signalsAfter === undefined || signalsBefore === undefined ? undefined : signalsAfter - signalsBefore
// `retained` is read once more, or the collector would have been right to take it before the second look.
if (retained) process.stdout.write(JSON.stringify({ bytes: (after - before) / count, signals: made }))
