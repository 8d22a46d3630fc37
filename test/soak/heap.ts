/** What was on the heap after so much work. */
export interface Sample {
  readonly operations: number
  readonly heap: number
}

/** What is left after two rounds: what goes by a finalizer goes with the second. */
export async function heapUsed(): Promise<number> {
  for (let round = 0; round < 2; round++) {
    globalThis.gc!()
    await new Promise(resolve => setImmediate(resolve))
  }
  return process.memoryUsage().heapUsed
}

/** Bytes for each operation, by least squares. */
export function slope(samples: readonly Sample[]): number {
  const mean = (of: (sample: Sample) => number): number => samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length
  const [x, y] = [mean(sample => sample.operations), mean(sample => sample.heap)]
  const over = samples.reduce((sum, { operations, heap }) => sum + (operations - x) * (heap - y), 0)
  return over / samples.reduce((sum, { operations }) => sum + (operations - x) ** 2, 0)
}
