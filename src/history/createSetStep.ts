import type { LocalWrite } from '../order/answer.ts'
import type { DeferredWrite, WriteObserver } from '../order/Layer.ts'
import { inverseOf, rowChanges, type UndoableChange } from './inverse.ts'
import { renameRow } from './renameRow.ts'
import type { Step, StepHost } from './Step.ts'

/** A local write. `run` makes it, for the first time. */
export function createSetStep({ controller, remove }: StepHost, { schema, args, value }: LocalWrite, run: (observer: WriteObserver) => DeferredWrite): Step {
  const { timeline } = controller
  let changes: readonly UndoableChange[] = []
  let written: DeferredWrite
  const observer: WriteObserver = {
    flushed(before, after) {
      changes = rowChanges(before, after)
      if (!changes.length) remove(step)
    },
    dropped: () => remove(step),
  }
  /** Notes what the write changes before any reader hears of it. */
  const write = (run: (observer: WriteObserver) => DeferredWrite): void =>
    controller.batch(() => {
      const before = timeline.visible
      written = run(observer)
      changes = rowChanges(before, timeline.visible)
      step.isDone = true
    })
  const step: Step = {
    isDone: true,
    rows: () => changes.map(({ key, pk }) => `${key} ${pk}`),
    undo: async () =>
      controller.batch(() => {
        const isWithdrawn = timeline.withdraw(written, { cause: 'undo' })
        const { patches, kept: conflicts } = inverseOf(isWithdrawn ? [] : changes, timeline.confirmed)
        timeline.apply(patches, [], { cause: 'undo' })
        step.isDone = false
        return conflicts
      }),
    redo: async () => write(() => timeline.set({ schema, args, value }, { cause: 'redo' }, observer)),
    rename(renaming) {
      ;[value, ...args] = renameRow([value, ...args], renaming, [schema])
      changes = changes.map(({ key, pk, before, after, former = after }) => {
        const isRow = key === renaming.key && pk === renaming.from && !timeline.visible.row(key, pk)
        ;[before, after] = renameRow([before, after], renaming, [timeline.directory.find(key)?.owner])
        return { key, pk: isRow ? renaming.to : pk, before, after, former }
      })
    },
  }
  write(run)
  return step
}
