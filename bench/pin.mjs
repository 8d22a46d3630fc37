import { spawnSync } from 'node:child_process'
import { cpus } from 'node:os'

/** @returns {number[]} milliseconds without work, by processor */
const idle = () => cpus().map(({ times }) => times.idle)
let before = idle().map(() => 0)

/** The processor that had the least to do since this was last asked. */
export function quietest() {
  const now = idle()
  const rests = now.map((sum, at) => sum - (before[at] ?? 0))
  before = now
  return Math.max(0, rests.indexOf(Math.max(...rests)))
}

/**
 * Has this process work on one processor, where there is a command for that; its helpers, which collect garbage and
 * compile, stay free.
 *
 * Those who take turns then have the same neighbours. Otherwise whatever runs on one processor slows the one whom the
 * system has put on the other, by nearly a half where the two share a core, and never his rival.
 *
 * @param {number} processor
 */
export const pin = processor => void spawnSync('taskset', ['-cp', String(processor), String(process.pid)], { stdio: 'ignore' })
