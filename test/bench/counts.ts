import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../house/sources.ts'
import type { Counts } from './work.ts'

export const countsFile = 'test/bench/counts.json'

export function readCounts(root: string = projectRoot): Record<string, Counts> {
  return JSON.parse(readFileSync(join(root, countsFile), 'utf8')) as Record<string, Counts>
}

export function writeCounts(counts: Record<string, Counts>, root: string = projectRoot): void {
  writeFileSync(join(root, countsFile), `${JSON.stringify(counts, null, 2)}\n`)
}

/** Every count that is another than the one written down, a sentence each. */
export function countFaults(written: Record<string, Counts>, counted: Record<string, Counts>): string[] {
  return [...new Set([...Object.keys(written), ...Object.keys(counted)])].flatMap(scenario => {
    const [was, is] = [written[scenario] ?? {}, counted[scenario] ?? {}]
    return [...new Set([...Object.keys(was), ...Object.keys(is)])]
      .filter(name => was[name] !== is[name])
      .map(name => `${scenario}: ${name} ${was[name] === undefined ? 'is not written down' : `was ${was[name]}`}, ${is[name] === undefined ? 'is no longer counted' : `is ${is[name]}`}.`)
  })
}
