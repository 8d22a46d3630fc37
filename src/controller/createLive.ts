import type { Denormalize } from '../schema/types.ts'
import { LiveViews } from '../view/live.ts'
import type { Tracker } from '../view/tracker.ts'
import type { Controller } from './Controller.ts'

/** Reads live objects through one reactive library. */
export interface Live {
  /** What the store can show for these arguments, as live objects. */
  query<S>(schema: S, ...args: readonly unknown[]): Denormalize<S> | undefined
  /** Stops following the store. */
  dispose(): void
}

/**
 * The live objects of a controller, tracked by a reactive library of your choice: one stable instance for each
 * entity, whose fields wake their own readers. A binding gives its library's `tracker`.
 *
 * @example
 * const live = createLive(controller, solidTracker)
 * const todo = live.query(Todo, { id: '1' })
 */
export function createLive(controller: Controller, tracker: Tracker): Live {
  const views = new LiveViews(controller.store, tracker, controller.report)
  return {
    query: (schema, ...args) => views.query(schema, args),
    dispose: () => views.dispose(),
  }
}
