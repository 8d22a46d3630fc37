import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { projectRoot } from '../house/sources.ts'

/** A module of the benchmarks. They are plain scripts: what a suite needs of them it says itself. */
export async function fromBench<T>(file: string): Promise<T> {
  return (await import(pathToFileURL(join(projectRoot, 'bench', file)).href)) as T
}

export interface Timing {
  readonly median: number
  readonly min: number
  readonly spread: number
  readonly batch: number
  readonly samples: readonly number[]
}

/** A timing with a given middle half around its median. */
export function timing(median: number, spread = 0.02): Timing {
  const samples = Array.from({ length: 21 }, (_, at) => median * (1 + spread * ((at - 10) / 10)))
  return { median, min: samples[0]!, spread, batch: 1, samples }
}

export interface Row {
  readonly name: string
  readonly about: string
  readonly verdicts: readonly { readonly budget: string; readonly measured: string; readonly verdict: string }[]
  readonly timings?: Readonly<Record<string, Timing>>
  readonly [more: string]: unknown
}

export const row = (name: string, more: Partial<Row>): Row => ({ name, about: `about ${name}`, verdicts: [], ...more })

/** A row with these medians. */
export const timed = (name: string, medians: Readonly<Record<string, number>>, more: Partial<Row> = {}): Row =>
  row(name, { timings: Object.fromEntries(Object.entries(medians).map(([who, median]) => [who, timing(median)])), ...more })

export interface Result {
  readonly suite: string
  readonly date: string
  readonly rows: readonly Row[]
  readonly [more: string]: unknown
}

export const result = (suite: string, rows: readonly Row[], more: object = {}): Result => ({
  suite,
  date: '2026-01-02T03:04:05.000Z',
  effort: 'full',
  machine: { cpu: 'a processor', cores: 2, memoryGB: 8, platform: 'linux x64', load: 0.5, node: 'v20.19.0', v8: '11' },
  versions: { patchcord: '0.1.0' },
  rows,
  ...more,
})

/** A folder that is gone afterwards. */
export async function inFolder<T>(use: (folder: string) => T | Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'patchcord-bench-'))
  try {
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs a command of the benchmarks; its results go to `folder`. */
export function command(folder: string, file: string, ...args: readonly string[]): { code: number | null; out: string; error: string } {
  const options = { cwd: projectRoot, env: { ...process.env, BENCH_RESULTS: folder, CI: 'true' }, encoding: 'utf8' } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(projectRoot, 'bench', file), ...args], options)
  return { code: status, out: stdout, error: stderr }
}
