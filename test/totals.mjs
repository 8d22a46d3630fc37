import { stripVTControlCharacters } from 'node:util'

/**
 * What a run of uvu comes to. Its exit code alone will not do: a suite whose `before` throws is
 * counted as not passed and yet exits with 0, and a process that ends early prints no totals.
 */
export function readTotals(code, output) {
  const found = /Total:\s+(\d+)[^\d]*?Passed:\s+(\d+)/.exec(stripVTControlCharacters(output))
  if (!found) return { passed: 0, failed: 1 }
  const passed = Number(found[2])
  const failed = Number(found[1]) - passed
  return { passed, failed: failed === 0 && code !== 0 ? 1 : failed }
}
