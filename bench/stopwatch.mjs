/** Elsewhere the system counts processor time in steps of 16 ms. */
const precise = process.platform !== 'win32'

const processor = () => {
  const { system, user } = process.cpuUsage()
  return (user + system) * 1_000
}

/**
 * Starts counting, and gives what tells the nanoseconds since then in which this process was at work.
 *
 * That is the time on the wall, unless the process has had less of the processors than that: then it stood in a queue
 * behind another, which says nothing about the work. A long piece of work meets such a queue more often than a short
 * one, so that a busy machine would flatter whoever is quick. What helpers of the process do beside it, as collecting
 * garbage, makes its processor time more than that on the wall, and is not counted.
 *
 * @returns {() => number}
 */
export function stopwatch(wall = process.hrtime.bigint, cpu = precise ? processor : undefined) {
  const usedBefore = cpu?.() ?? 0
  const begun = wall()
  return () => {
    const passed = Number(wall() - begun)
    return cpu ? Math.min(passed, cpu() - usedBefore) : passed
  }
}
