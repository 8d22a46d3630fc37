import { writeHeapSnapshot } from 'node:v8'

/** What was on the heap after so much work. */
export interface Sample {
  readonly operations: number
  readonly heap: number
}

/**
 * What is left after two rounds: what goes by a finalizer goes with the second. It is some 100 kB out, either way: the
 * engine has not swept to the end. A snapshot, to `file`, makes it do so, and the figure exact; but all work is slower
 * in a process that has once made one.
 */
export async function heapUsed(file?: string): Promise<number> {
  for (let round = 0; round < 2; round++) {
    globalThis.gc!()
    await new Promise(resolve => setImmediate(resolve))
  }
  if (file !== undefined) writeHeapSnapshot(file)
  return process.memoryUsage().heapUsed
}

/** Bytes for each operation, by least squares. */
export function slope(samples: readonly Sample[]): number {
  const mean = (of: (sample: Sample) => number): number => samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length
  const [x, y] = [mean(sample => sample.operations), mean(sample => sample.heap)]
  const covariance = samples.reduce((sum, { operations, heap }) => sum + (operations - x) * (heap - y), 0)
  return covariance / samples.reduce((sum, { operations }) => sum + (operations - x) ** 2, 0)
}

/** The slope between any two samples, the middle one of all: once up or once down does not count. */
export function steadySlope(samples: readonly Sample[]): number {
  const slopes = samples.flatMap((to, at) => samples.slice(0, at).map(from => (to.heap - from.heap) / (to.operations - from.operations)))
  return slopes.sort((a, b) => a - b)[Math.floor(slopes.length / 2)]!
}
