// node --conditions=browser --expose-gc [--no-opt] main.js [operations = 200000] [minutes = 30] [seed = 1]
// With --no-opt for short runs: the heap also holds what the optimizing compiler makes of the code, and that has not
// settled after 200,000 operations: some bytes each, of machine code and its tables, where data grows by nothing. In the
// second half of 1,000,000 it has.
// Works a controller hard, in a process of its own, and looks now and then at what remains when everybody has left.
import { heapUsed, slope, type Sample } from './heap.ts'
import { Workload } from './workload.ts'

const [operations = 200_000, minutes = 30, seed = 1] = process.argv.slice(2).map(Number)
const SAMPLES = Math.min(20, Math.max(6, operations / 5_000))
const MAX_SLOPE = 1
const MAX_GROWTH = 2 * 2 ** 20

const work = new Workload(seed)
const samples: Sample[] = []
const faults: string[] = []
const end = Date.now() + minutes * 60_000
let busy = 0
console.log('operations,heap,operations/s,most entities,residue')
while (work.operations < operations && Date.now() < end) {
  const target = Math.min(operations, work.operations + Math.ceil(operations / SAMPLES))
  const begun = performance.now()
  const from = work.operations
  while (work.operations < target && Date.now() < end) await work.step()
  const took = performance.now() - begun
  busy += took
  const residue = await work.drain()
  const heap = await heapUsed()
  samples.push({ operations: work.operations, heap })
  const rate = Math.round(((work.operations - from) / took) * 1000)
  console.log(`${work.operations},${heap},${rate},${work.peak},${JSON.stringify(residue)}`)
  for (const [what, count] of Object.entries(residue)) if (count > 0) faults.push(`${count} ${what} are left after ${work.operations} operations.`)
}
const second = samples.slice(Math.floor(samples.length / 2))
const rate = slope(second)
const growth = second.at(-1)!.heap - second[0]!.heap
const summary = `slope ${rate.toFixed(3)} B/operation in the second half, growth ${growth} B, ${Math.round((work.operations / busy) * 1000)} operations/s, at most ${work.peak} entities`
console.log(summary)
// A short run is over before the engine has settled: there only the growth says something.
if (work.operations >= 100_000 && rate > MAX_SLOPE) faults.push(`The heap grows: ${summary}.`)
if (growth > MAX_GROWTH) faults.push(`The heap has grown: ${summary}.`)
for (const error of work.errors.slice(0, 5)) faults.push(String(error))
for (const fault of faults.slice(0, 20)) console.error(fault)
process.exitCode = faults.length > 0 ? 1 : 0
