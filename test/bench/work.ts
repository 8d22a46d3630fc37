import { effect } from '@preact/signals-core'
import type { Commit, Controller, State } from '../../src/index.ts'

/** What was counted, by name. */
export type Counts = Record<string, number>

type Page = readonly unknown[]

/** Root, branches and pages of a vector: what a write has to copy if it lies on the way to a row. Entry 0 is the owner. */
function* pagesOf(page: Page | undefined, below = 2): Generator<Page> {
  if (page === undefined) return
  yield page
  if (below > 0) for (let at = 1; at < page.length; at++) yield* pagesOf(page[at] as Page | undefined, below - 1)
}

function pages({ entities, endpoints, stamps }: State): { rows: Set<Page>; stamps: Set<Page> } {
  const rows = [...entities, endpoints].flatMap(table => [...pagesOf(table?.records)])
  return { rows: new Set(rows), stamps: new Set(stamps.flatMap(vector => [...pagesOf(vector)])) }
}

/** The pages that a later state does not share with an earlier one. */
export function copiedPages(before: State, after: State): { rows: number; stamps: number } {
  const [old, now] = [pages(before), pages(after)]
  const more = (of: 'rows' | 'stamps'): number => [...now[of]].filter(page => !old[of].has(page)).length
  return { rows: more('rows'), stamps: more('stamps') }
}

/** What some work of a controller comes to: commits, their patches, and the pages that were made for them. */
export async function workOf(controller: Controller, work: () => unknown): Promise<Counts> {
  const commits: Commit[] = []
  const end = controller.subscribePatches(commit => void commits.push(commit))
  const before = controller.snapshot()
  await work()
  end()
  const copied = copiedPages(before, controller.snapshot())
  return {
    commits: commits.length,
    patches: commits.reduce((sum, { patches }) => sum + patches.length, 0),
    'pages of rows': copied.rows,
    'pages of stamps': copied.stamps,
  }
}

/** Counts how often readers run, from now on. */
export function wakesOf(readers: readonly (() => unknown)[]): { count(): number; end(): void } {
  let runs = 0
  const ends = readers.map(read =>
    effect(() => {
      read()
      runs++
    }),
  )
  runs = 0
  return { count: () => runs, end: () => ends.forEach(end => end()) }
}
