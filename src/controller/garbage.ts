import { afterWeakly } from '../base/clock.ts'
import { isPlain } from '../base/plain.ts'
import { attempt } from '../base/report.ts'
import { fullArgs } from '../endpoint/Endpoint.ts'
import { rebuildTables } from '../store/rebuildTables.ts'
import type { Cell } from '../store/State.ts'
import { Reach } from '../view/Reach.ts'
import type { ViewGraph } from '../view/ViewGraph.ts'
import type { LiveReader } from './createLive.ts'
import type { RequestHost } from './Requests.ts'

/**
 * When unused data is removed.
 *
 * @example
 * new Controller({ gc: { after: 60_000, maxEntities: 50_000 } })
 */
export interface GcOptions {
  /** Milliseconds that data is retained after its last use, or, for a result, after it has expired; 300,000 unless given. */
  readonly after?: number
  /** Milliseconds between two passes; 60,000 unless given. */
  readonly every?: number
  /** Beyond this many entities, the least recently used go at once. Entities in use stay. */
  readonly maxEntities?: number
}

/** The part of a controller that garbage collection uses. */
export interface GarbageHost extends Omit<RequestHost, 'dispatch' | 'viewOf'> {
  readonly graph: ViewGraph
  readKeys(): readonly string[]
  readonly liveReaders: ReadonlySet<LiveReader>
}

/** Removes what nobody needs, in one pass while no read and no call is open. */
export class GarbageCollector {
  readonly #host: GarbageHost
  readonly #options: Required<GcOptions>
  /** Cancels the next pass. Set while one is planned; after `stop` it stays set, so that none is planned any more. */
  #cancel: (() => void) | undefined

  constructor(host: GarbageHost, { after = 300_000, every = 60_000, maxEntities = Infinity }: GcOptions) {
    this.#host = host
    this.#options = { after, every, maxEntities }
  }

  /** Something happened that may leave garbage behind: a store that is not used needs no timer. */
  schedule(delay: number = this.#options.every): void {
    this.#cancel ??= afterWeakly(delay, this.#pass, this.#host.clock)
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = () => {}
  }

  /** Only the collector refers to it: the timer does not keep a dropped controller alive. */
  readonly #pass = (): void => {
    this.#cancel = undefined
    const { timeline, report } = this.#host
    // A store that is busy is tried again soon.
    if (!timeline.isIdle) this.schedule(1000)
    else if (attempt(() => this.#collect(), report)) this.schedule()
  }

  /** Returns how many cells are left. */
  #collect(): number {
    const { timeline, freshness, graph, clock, liveReaders, batch } = this.#host
    const state = timeline.base
    const now = clock.now()
    const { after, maxEntities } = this.#options
    const { results, tables } = timeline.directory
    // Never 0, which stands for a cell in use.
    const tick = Math.floor(now) + 1
    const reached = new Set<Cell>()
    let rows = 0
    // True while cells in use are marked. After that, cells are marked that are only retained: they stay idle.
    let isUse = true
    const mark = (cell: Cell): void => {
      cell.idleAt = isUse ? 0 : cell.idleAt || tick
      if (reached.has(cell)) return
      reached.add(cell)
      // The members of a list are no record.
      if (cell.isEntity && isPlain(state.read(cell))) rows++
    }
    const reach = new Reach(state, mark)
    const keepResult = (cell: Cell): void => {
      mark(cell)
      const { endpoint, args, pages } = freshness.get(cell.pk)
      if (endpoint) reach.follow(endpoint.schema, () => state.read(cell), fullArgs(endpoint, args))
      // A list that is fetched again needs to know its pages.
      for (const page of pages) keepResult(results.cell(page))
    }
    for (const key of freshness.keys()) results.cell(key)
    // Data that is read, and data of requests in flight.
    graph.eachWatched((schema, cell, args) => reach.follow(schema, () => (cell ? state.read(cell) : reach.queryKey(schema, args)), args))
    for (const key of this.#host.readKeys()) keepResult(results.cell(key))
    const readers = [...liveReaders].map(({ views }) => views)
    for (const { bySlot } of [results, ...tables]) for (const cell of bySlot) {
      /** `by` is a class that shows the cell to somebody, undefined for the one that it was stored by. Hydrated rows have no class yet, and one row may be shown by several. */
      const show = (by?: unknown): unknown => (cell.isEntity ? reach.followRow(cell, by) : keepResult(cell))
      if (cell.node) show()
      for (const views of readers) views.classes(cell)?.forEach(show)
    }

    // A type of which every entity was deleted stays empty for those who read all of it.
    for (const table of tables) if (!state.rows(table).size && [graph, ...readers].some(views => views.usesTable(table))) table.bySlot.forEach(mark)

    // Data that may still be needed: results that have not expired for long enough, and rows that were used not long ago.
    isUse = false
    const isOver = ({ idleAt }: Cell, expiresAt = 0): boolean => now >= Math.max(idleAt - 1, expiresAt) + after
    const left = (cells: readonly Cell[]): Cell[] => cells.filter(cell => !reached.has(cell) && (cell.idleAt ||= tick)).sort((a, b) => b.idleAt - a.idleAt || b.slot - a.slot)
    for (const cell of left(results.bySlot)) {
      const { inFlight, endpoint, expiresAt, errorUntil } = freshness.get(cell.pk)
      if (inFlight || (rows < maxEntities && !isOver(cell, endpoint && Math.max(expiresAt, errorUntil)))) keepResult(cell)
    }
    for (const cell of left(tables.flatMap(({ bySlot }) => bySlot))) {
      if (!isOver(cell) && (rows < maxEntities || !state.read(cell))) reach.followRow(cell)
    }
    const gone = new Set([results, ...tables].flatMap(({ bySlot }) => bySlot.filter(cell => !reached.has(cell))))
    if (gone.size) {
      const { state: next, moved } = rebuildTables(state, gone)
      for (const [from, to] of moved) {
        graph.moveNodes(from, to)
        for (const views of readers) views.moveRow(from, to)
      }
      for (const cell of gone) for (const views of readers) views.moveRow(cell)
      batch(() => {
        timeline.replace(next, { cause: 'collect', origin: 'gc' })
        for (const { isEntity, pk } of gone) if (!isEntity) freshness.forget(pk)
      })
    }
    return reached.size
  }
}
