import type { Controller } from '../controller/Controller.ts'
import type { OpenRead } from '../order/Log.ts'
import { applyPatches } from '../store/applyPatches.ts'
import { changesBetween, patchesBetween, stampsBetween, type CellChange } from '../store/patches.ts'
import type { State } from '../store/State.ts'

/** Shows readers another state than the newest, while writes go on underneath. */
export interface Travel {
  readonly isAway: boolean
  /** Readers are being shown another state for no commit's sake. */
  readonly isPainting: boolean
  /** Calls `before` with every state and what changes with it, before readers hear of it. */
  attach(before: (next: State, changes: readonly CellChange[]) => void): void
  detach(): void
  /** Shows `state`, which may be of this store or of another one. */
  to(state: State): void
  /** Shows the newest state, and every one after it. */
  back(): void
}

export function createTravel(controller: Controller): Travel {
  const { graph, timeline, liveReaders } = controller
  /** Garbage collection, which moves views to other cells, waits while a read is open. */
  let read: OpenRead | undefined
  let isPainting = false

  /** The same state with the cells that views hang on: other stores, and states from before garbage collection, have their own. */
  const localState = (state: State): State => {
    const { visible } = timeline
    return state.directory === visible.directory ? state : applyPatches(visible, patchesBetween(visible, state), stampsBetween(visible, state))
  }

  const paint = (state: State): void => {
    const changes = changesBetween(graph.state, state)
    isPainting = true
    controller.batch(() => {
      graph.commit(state, changes)
      for (const { views } of liveReaders) (Object.getPrototypeOf(views) as typeof views).commit.call(views, changes, state)
    })
    isPainting = false
  }

  const back = (): void => {
    if (read === undefined) return
    timeline.leave(read)
    read = undefined
    for (const { views } of liveReaders) delete (views as { commit?: unknown }).commit
    paint(timeline.visible)
  }

  return {
    get isAway() {
      return read !== undefined
    },
    get isPainting() {
      return isPainting
    },
    back,
    attach(before) {
      graph.guard = (next, changes) => {
        if (isPainting) return false
        before(next, changes)
        // The same for live objects, which hear of a commit after the graph.
        if (read) for (const { views } of liveReaders) views.commit = () => {}
        return read !== undefined
      }
    },
    detach() {
      back()
      graph.guard = undefined
    },
    to(state) {
      read ??= timeline.begin()
      paint(localState(state))
    },
  }
}
