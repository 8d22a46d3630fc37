import { tidyAfter } from '../base/clock.ts'
import type { Manager, ManagerHost } from './manager.ts'
import { sweep, type Heap } from './sweep.ts'

/**
 * When what nobody needs is let go.
 *
 * @example
 * new Controller({ gc: { after: 60_000, maxEntities: 50_000 } })
 */
export interface GcOptions {
  /** Milliseconds that something is kept after its last use, or, for a result, after it has expired; 300,000 unless given. */
  readonly after?: number
  /** Milliseconds between two looks; 60,000 unless given. */
  readonly every?: number
  /** Beyond this many, what was of use the longest ago goes at once. What is in use stays, and may be more. */
  readonly maxEntities?: number
}

/** A frame has 16 ms; four of them are not missed. */
const SLICE = 4

/**
 * The manager that lets go of what nobody needs: rows, results and all that was known of them. Going back to a page within
 * five minutes should find what was there; a minute between two looks costs nothing, and adds little to that.
 *
 * @example
 * const collection = createCollection({ after: 60_000 }, heap)
 */
export function createCollection({ after = 300_000, every = 60_000, maxEntities = Infinity }: GcOptions, heap: Heap): Manager {
  let host: ManagerHost
  let cancel: (() => void) | undefined
  let stopped = false

  return {
    start(controller) {
      host = controller
    },
    // Only these can leave something behind: a controller that is not used needs no timer.
    action: wait,
    commit: wait,
    stop() {
      stopped = true
      cancel?.()
    },
  }

  function wait(): void {
    if (!stopped) cancel ??= tidyAfter(every, round, host.clock)
  }

  function round(): void {
    slice(sweep(heap, host.clock.now(), after, maxEntities))
  }

  function slice(steps: Generator): void {
    const { clock } = host
    const end = clock.now() + SLICE
    let done: boolean | undefined = false
    try {
      do ({ done } = steps.next())
      while (!done && clock.now() < end)
    } catch (error) {
      done = true
      host.report(error)
    }
    if (stopped) return
    cancel = done ? undefined : clock.after(0, () => slice(steps))
    if (done && !isEmpty(heap)) wait()
  }
}

function isEmpty({ state: { cells }, statuses }: Heap): boolean {
  for (const _ of statuses.keys()) return false
  return [cells!.endpoints, ...cells!.tables].every(({ size }) => size === 0)
}
