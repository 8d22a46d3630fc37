import { signal, type ReadonlySignal } from '@preact/signals-core'
import type { NetworkError } from '../base/errors.ts'
import { markHandled } from '../base/report.ts'
import type { Controller } from '../controller/Controller.ts'
import { createCallStep } from './createCallStep.ts'
import { createSetStep } from './createSetStep.ts'
import type { Kept } from './inverse.ts'
import type { Step, StepHost } from './Step.ts'

/**
 * The result of an undo.
 *
 * @example
 * const undone: Undone = await history.undo()
 * if (undone.kept.length > 0) console.log('Somebody else has changed that since.')
 */
export interface Undone {
  /** Fields that were left alone, because somebody else has changed them since. */
  readonly kept: readonly Kept[]
}

/**
 * Undoes and redoes the user's actions: local writes and mutations. Responses, polls and other tabs are not recorded.
 *
 * @example
 * const history: History = createHistory(controller)
 * await controller.fetch(TodoResource.partialUpdate, { id: 1 }, { done: true })
 * await history.undo() // sends { done: false }
 */
export interface History {
  readonly canUndo: ReadonlySignal<boolean>
  readonly canRedo: ReadonlySignal<boolean>
  /** The error of the last undo or redo, if that failed. */
  readonly error: ReadonlySignal<unknown>
  /** Undoes the last step. Steps that cannot be undone are skipped. If a request fails, nothing is undone; if the row is gone (404, 410), the step leaves the history. */
  readonly undo: () => Promise<Undone>
  /** Repeats the step that was undone last. */
  readonly redo: () => Promise<void>
  /** Makes one step of everything that `work` does until it returns, and later through the verbs that it gets. */
  readonly group: <T>(work: (verbs: GroupVerbs) => T) => T
  readonly clear: () => void
}

/**
 * The verbs of a group. Calls and writes through them belong to its step, however long they take.
 *
 * @example
 * await history.group(async ({ fetch, set }: GroupVerbs) => {
 *   const { id } = await fetch(TodoResource.getList.push, { title: 'sow' })
 *   set(Todo, { id }, todo => { todo.done = true })
 * })
 */
export type GroupVerbs = Pick<Controller, 'fetch' | 'set'>

/** Actions that are undone and redone as one. */
interface Group {
  steps: Step[]
  /** Where the user wants it. Its steps follow, one after the other. */
  isUndone: boolean
  /** The user did something else after it was undone, so it cannot be redone. */
  isPassed?: boolean | undefined
  /** The step that is being undone or redone. */
  active?: Step | undefined
  isBusy?: boolean | undefined
  running?: Promise<readonly Kept[] | undefined>
}

/**
 * The history of a controller, created on first use.
 *
 * @example
 * await historyOf(controller).undo()
 */
export function historyOf(controller: Controller): History {
  return (controller.recorder?.history as History | undefined) ?? createHistory(controller)
}

/**
 * Records the user's actions from now on, at most `limit` steps.
 *
 * @example
 * const history = createHistory(controller, { limit: 20 })
 * await history.undo()
 */
export function createHistory(controller: Controller, { limit = 100 }: { readonly limit?: number } = {}): History {
  const canUndo = signal(false)
  const canRedo = signal(false)
  const error = signal<unknown>(undefined)
  /** Oldest first. */
  let groups: Group[] = []
  let open: Group | undefined

  const nextRedo = (): Group | undefined => groups.find(({ isUndone, isPassed }) => isUndone && !isPassed)
  const update = (): void => {
    // While it is being undone, that may still fail.
    groups = groups.filter(({ steps, isUndone, isPassed, isBusy }) => steps.length && (!isUndone || !isPassed || isBusy))
    groups.splice(0, groups.length - limit)
    canUndo.value = groups.some(({ isUndone }) => !isUndone)
    canRedo.value = !!nextRedo()
  }
  const host: StepHost = {
    controller,
    remove(step) {
      for (const group of groups) if (group.active !== step) group.steps = group.steps.filter(each => each !== step)
      update()
    },
    rename: renaming => groups.flatMap(({ steps }) => steps).forEach(step => step.rename(renaming)),
  }
  const record = <S extends Step>(step: S): S => {
    error.value = undefined
    const group = open && !open.isUndone ? open : { steps: [], isUndone: false }
    group.steps.push(step)
    for (const each of groups) each.isPassed = each.isUndone
    if (!groups.includes(group)) groups.push(group)
    update()
    return step
  }

  const steer = (group: Group, isUndone: boolean): void => {
    group.isUndone = isUndone
    group.isPassed &&= isUndone
    for (const step of group.steps) step.steer?.(isUndone)
  }

  /** Undoes or redoes the steps of a group until they are where the user wants them. If one fails, all go back. Returns undefined when nothing could be undone. */
  const run = async (group: Group, earlier: readonly Group[]): Promise<readonly Kept[] | undefined> => {
    if (earlier.length) await Promise.allSettled(earlier.map(({ running }) => running))
    const conflicts: Kept[] = []
    const skipped = new Set<Step>()
    let failure: { readonly cause: unknown } | undefined
    for (;;) {
      const { isUndone, steps } = group
      const isNext = (step: Step): boolean => step.isDone === isUndone && !skipped.has(step)
      const step = (group.active = isUndone ? steps.findLast(isNext) : steps.find(isNext))
      if (!step) break
      try {
        if (isUndone) conflicts.push(...(await step.undo()))
        else await step.redo()
        if (group.isUndone === isUndone && isNext(step)) skipped.add(step)
      } catch (cause) {
        // When the user has changed direction meanwhile, the request was aborted for that.
        if (group.isUndone !== isUndone) continue
        if (failure) break
        failure = { cause }
        steer(group, !isUndone)
      }
    }
    // From here on the user may turn it again.
    group.isBusy = group.active = undefined
    if (failure) {
      if (groups.includes(group)) error.value = failure.cause
      // The row is gone. It would fail each time, and what was done before could not be undone.
      if (([404, 410] as unknown[]).includes((failure.cause as NetworkError | undefined)?.status)) group.steps = []
      throw failure.cause
    }
    return group.isUndone && skipped.size && skipped.size === group.steps.length ? undefined : conflicts
  }

  const turn = (group: Group, isUndone: boolean): Promise<readonly Kept[] | undefined> => {
    error.value = undefined
    steer(group, isUndone)
    if (!group.isBusy) {
      // A group about rows that this one names goes first: what is undone depends on what that leaves, and on the pks that it leads to.
      const names = group.steps.flatMap(step => step.names?.() ?? step.rows())
      const earlier = groups.filter(({ isBusy, steps }) => isBusy && steps.some(step => step.rows().some(row => names.includes(row))))
      group.isBusy = true
      group.running = run(group, earlier).finally(update)
    }
    update()
    return group.running!
  }

  const undo = async (): Promise<Undone> => {
    // What the user does meanwhile is not undone by this.
    for (const group of groups.toReversed()) {
      if (group.isUndone) continue
      const conflicts = await turn(group, true)
      if (conflicts) return { kept: conflicts }
      group.steps = []
      update()
    }
    return { kept: [] }
  }
  const redo = async (group = nextRedo()): Promise<void> => void (group && (await turn(group, false)))
  const history: History = {
    canUndo,
    canRedo,
    error,
    undo: () => markHandled(undo()),
    redo: () => markHandled(redo()),
    group(work) {
      const group: Group = open ?? { steps: [], isUndone: false }
      const inside =
        <A extends readonly unknown[], R>(act: (...args: A) => R) =>
        (...args: A): R => {
          const outer = open
          open = group
          try {
            return act(...args)
          } finally {
            open = outer
          }
        }
      return inside(work)({ fetch: inside(controller.fetch) as GroupVerbs['fetch'], set: inside(controller.set) as GroupVerbs['set'] })
    },
    clear() {
      for (const group of groups) group.steps = []
      error.value = undefined
      update()
    },
  }
  controller.recorder = {
    history,
    set: (write, run) =>
      controller.batch(() => {
        const before = controller.timeline.visible
        const step = createSetStep(host, write, run)
        // A write that repeats what is there counts: a late read may land below it.
        if (before !== controller.timeline.visible) record(step)
      }),
    call: (endpoint, args) => record(createCallStep(host, endpoint, args)),
    renamed: (key, from, to) => host.rename({ key, from, to }),
    clear: history.clear,
  }
  return history
}
