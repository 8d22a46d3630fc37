import { effect } from '@preact/signals-core'
import type { Commit, Controller, State } from '../../src/index.ts'
import type { Vector } from '../../src/store/vector.ts'

/** What was counted, by name. */
export type Counts = Record<string, number>

type Page = readonly unknown[]

/** Every page of a vector: what a write has to copy if it lies on the way to a row. Five bits of an index pick a place in a page. */
function* pagesOf({ root, shift }: Vector<unknown>): Generator<Page> {
  const walk = function* (page: Page | undefined, below: number): Generator<Page> {
    if (page === undefined) return
    yield page
    if (below > 0) for (let at = 1; at < page.length; at++) yield* walk(page[at] as Page | undefined, below - 5)
  }
  yield* walk(root, shift)
}

function pages({ entities, endpoints, stamps }: State): { rows: Set<Page>; stamps: Set<Page> } {
  const rows = [...entities.tables, endpoints].flatMap(table => (table ? [...pagesOf(table.records), ...pagesOf(table.late)] : []))
  return { rows: new Set(rows), stamps: new Set(stamps.tables.flatMap(table => (table ? [...pagesOf(table)] : []))) }
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
