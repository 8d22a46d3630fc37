import type { Controller } from '../controller/Controller.ts'
import type { Cell } from '../store/State.ts'

/** Reads are not marked more often than this: each mark is a request for whatever is on screen. */
const PAUSE = 1000

/** A read that could not be fetched again is marked once more after this time. */
const FAILED_PAUSE = 10_000

export interface Outdated {
  /** Declares the reads whose key starts with `prefix`. An empty one declares everything. */
  addKeys(prefix: string): void
  /** Declares the reads that show an entity. */
  addEntity(key: string, pk: string): void
  stop(): void
}

/**
 * Reads that the stream has declared outdated. They expire, so that they are fetched again while they are on screen. A
 * request in flight may have been answered too early: the read expires when that has ended. A request that fails is
 * repeated, because nobody else knows that its data is old.
 */
export function createOutdated(controller: Controller): Outdated {
  const { clock, freshness, requests, timeline } = controller
  /** By key, the position that the request of an answer has to come after. */
  let reads = new Map<string, number>()
  /** What was declared since the last pass. */
  let prefixes: string[] = []
  let cells: Cell[] = []
  let passedAt = -Infinity
  let cancel: (() => void) | undefined

  const schedule = (): void => {
    cancel ??= clock.after(passedAt + PAUSE - clock.now(), () => {
      cancel = undefined
      pass()
      if (reads.size > 0) schedule()
    })
  }

  const pass = (): void => {
    const { fetchedAt: position } = timeline.now()
    const before = reads
    const showing = new Set(requests.showing(cells))
    // A detail that is shown from the row of a list is as fresh as the row.
    const stamps = (prefixes.includes('') ? timeline.directory.tables.flatMap(({ bySlot }) => bySlot) : cells).flatMap(cell => {
      const stamp = timeline.base.stamp(cell)
      return stamp && !stamp.deleted ? { key: cell.table.key, pks: [cell.pk], stamp: { ...stamp, expiresAt: 0 } } : []
    })
    reads = new Map()
    passedAt = clock.now()
    controller.applyPatches([], { origin: 'push', stamps })
    controller.expireAll({
      testKey(key) {
        const { fetchedAt, inFlight, expiredAt, error, errorUntil, endpoint } = freshness.get(key)
        // Of a read that was not answered itself only the key is known: it may show the entity.
        const isDeclared = prefixes.some(prefix => key.startsWith(prefix)) || showing.has(key) || (cells.length > 0 && !endpoint)
        const declaredAt = isDeclared ? position : (before.get(key) ?? -1)
        if (fetchedAt > declaredAt) return false
        const isMarked = expiredAt > declaredAt
        // A mark sets `errorUntil` to 0. If it is later, somebody has asked since; if it is not, nobody reads.
        const isFailed = errorUntil > 0 && endpoint?.errorPolicy(error) === 'soft'
        if (isMarked && inFlight === 0 && !isFailed) return false
        reads.set(key, declaredAt)
        return inFlight === 0 && (!isMarked || passedAt > errorUntil + FAILED_PAUSE)
      },
    })
    prefixes = []
    cells = []
  }

  return {
    addKeys(prefix) {
      prefixes.push(prefix)
      schedule()
    },
    addEntity(key, pk) {
      const cell = timeline.visible.cell(key, pk)
      if (cell) cells.push(cell)
      schedule()
    },
    stop() {
      cancel?.()
      cancel = undefined
    },
  }
}
