import { signal, type ReadonlySignal, type Signal } from '@preact/signals-core'
import { markHandled } from '../base/report.ts'
import type { Controller } from '../controller/Controller.ts'
import type { RowName } from '../controller/Requests.ts'
import type { Kept } from './inverse.ts'
import { CallStep, SetStep, type Step, type StepHost } from './steps.ts'

/**
 * What an undo left alone.
 *
 * @example
 * const { kept }: Undone = await history.undo()
 * if (kept.length > 0) console.log('Somebody else has changed that since.')
 */
export interface Undone {
  /** Fields that somebody else has changed since. */
  readonly kept: readonly Kept[]
}

/**
 * What the user has done, to be undone and redone: local writes and mutations. Responses, polls and other tabs do not
 * enter it.
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
  /** Undoes the last step. Steps that cannot be undone are skipped. If its request fails, nothing is undone. */
  readonly undo: () => Promise<Undone>
  /** Repeats the step that was undone last. */
  readonly redo: () => Promise<void>
  /** Makes one step of what `work` does: everything until it returns, and what it does through `group` afterwards. */
  readonly group: <T>(work: (group: GroupVerbs) => T) => T
  readonly clear: () => void
}

/** The verbs of a group: what is done through them belongs to its step, however long it takes. */
export type GroupVerbs = Pick<Controller, 'fetch' | 'set'>

/** Steps that are undone and redone as one. */
interface Group {
  readonly order: number
  readonly steps: Step[]
}

const histories = new WeakMap<Controller, History>()

/** The history of a controller, created on first use. */
export function historyOf(controller: Controller): History {
  return histories.get(controller) ?? createHistory(controller)
}

/**
 * Records what the user does with a controller from now on.
 *
 * @example
 * const history = createHistory(controller, { limit: 20 })
 * await history.undo()
 */
export function createHistory(controller: Controller, { limit = 100 }: { readonly limit?: number } = {}): History {
  const past = new Side()
  const future = new Side()
  const failure = signal<unknown>(undefined)
  const moving = new Map<Group, Promise<unknown>>()
  let open: Group | undefined
  let count = 0
  /** A step that was being undone when everything was forgotten does not come back. */
  let epoch = 0

  const begin = (): Group => ({ order: count++, steps: [] })
  const host: StepHost = {
    controller,
    remove(step) {
      for (const side of [past, future]) {
        const group = side.groups.find(({ steps }) => steps.includes(step))
        if (group?.steps.splice(group.steps.indexOf(step), 1) && group.steps.length === 0) side.remove(group)
      }
    },
    renameRow: renaming => eachStep(step => step.renameRow(renaming)),
  }
  const eachStep = (visit: (step: Step) => void): void => {
    for (const { steps } of [...past.groups, ...future.groups]) steps.forEach(visit)
  }
  const record = (step: Step): void => {
    failure.value = undefined
    future.clear()
    if (limit <= 0) return
    const group = open ?? begin()
    if (group.steps.push(step) > 1) return
    past.insert(group, true)
    if (past.groups.length > limit) past.remove(past.groups[0]!)
  }

  /** Moves the newest group to the other side at once, and back if that fails. A group of which nothing could be undone is skipped. */
  const move = async (from: Side, to: Side): Promise<Undone> => {
    const started = epoch
    const isUndo = to === future
    failure.value = undefined
    for (;;) {
      const group = from.groups.at(-1)
      if (group === undefined) return { kept: [] }
      from.remove(group)
      to.insert(group, !isUndo)
      try {
        const done = await inTurn(group, () => run(group, isUndo, () => from.groups.includes(group)))
        if (done !== undefined) return done
        to.remove(group)
      } catch (error) {
        if (epoch === started && !from.groups.includes(group)) {
          to.remove(group)
          from.insert(group, isUndo)
          failure.value = error
        }
        throw error
      }
    }
  }

  /** Waits until no other move concerns the same rows: what is undone looks at what that leaves. */
  const inTurn = <T>(group: Group, act: () => Promise<T>): Promise<T> => {
    const rows = rowsOf(group)
    const before = [...moving].filter(([other]) => other === group || rowsOf(other).some(a => rows.some(b => a.key === b.key && a.pk === b.pk))).map(([, turn]) => turn)
    const turn = before.length > 0 ? Promise.allSettled(before).then(act) : act()
    moving.set(group, turn)
    const end = (): void => void (moving.get(group) === turn && moving.delete(group))
    turn.then(end, end)
    return turn
  }

  /** Undoes or redoes the steps of a group one after the other; if one fails, all go back. Undefined: nothing could be undone. */
  const run = async (group: Group, isUndo: boolean, isTurned: () => boolean): Promise<Undone | undefined> => {
    const kept: Kept[] = []
    let isSkipped = isUndo
    const each = async (back: boolean): Promise<void> => {
      for (const step of back ? [...group.steps].reverse() : [...group.steps]) {
        if (isTurned() || step.isUndone === back) {
          isSkipped = false
          continue
        }
        step.isUndone = true
        try {
          const acting = back ? step.undo() : step.redo()
          if (acting !== undefined) isSkipped = false
          const left = await acting
          if (!back || acting === undefined) step.isUndone = false
          else kept.push(...(left as readonly Kept[]))
        } catch (error) {
          step.isUndone = !back
          throw error
        }
      }
    }
    try {
      await each(isUndo)
    } catch (error) {
      if (!isTurned()) await each(!isUndo)
      throw error
    }
    return isSkipped ? undefined : { kept }
  }

  controller.recorder = {
    set(write, write_) {
      const step = new SetStep(host, write)
      controller.batch(() => {
        step.run(write_)
        if (!step.isEmpty) record(step)
      })
    },
    call(endpoint, args) {
      const step = new CallStep(host, endpoint, args)
      record(step)
      return step
    },
    renamed: (_key, from, to) => eachStep(step => step.renameTemporary(from, to)),
    clear: () => history.clear(),
  }

  const history: History = {
    canUndo: past.isFilled,
    canRedo: future.isFilled,
    error: failure,
    undo: () => markHandled(move(past, future)),
    redo: () => markHandled(move(future, past).then(() => undefined)),
    group(work) {
      const group = open ?? begin()
      const inside = <T>(act: () => T): T => {
        const outer = open
        open = group
        try {
          return act()
        } finally {
          open = outer
        }
      }
      return inside(() =>
        work({
          fetch: (endpoint, ...args) => inside(() => controller.fetch(endpoint, ...args)),
          set: (schema, ...rest) => inside(() => controller.set(schema, ...rest)),
        }),
      )
    },
    clear() {
      epoch++
      if (open !== undefined) open = begin()
      past.clear()
      future.clear()
      failure.value = undefined
    },
  }
  histories.set(controller, history)
  return history
}

function rowsOf({ steps }: Group): readonly RowName[] {
  return steps.flatMap(step => step.rows())
}

/** Groups, the next one to be moved last. */
class Side {
  groups: Group[] = []
  readonly isFilled: Signal<boolean> = signal(false)

  /** Puts a group where it belongs: last, unless it comes back after others because it failed. */
  insert(group: Group, isRising: boolean): void {
    let at = this.groups.length
    while (at > 0 && this.groups[at - 1]!.order > group.order === isRising) at--
    this.groups.splice(at, 0, group)
    this.isFilled.value = true
  }

  remove(group: Group): void {
    this.#set(this.groups.filter(each => each !== group))
  }

  clear(): void {
    if (this.groups.length > 0) this.#set([])
  }

  #set(groups: Group[]): void {
    this.groups = groups
    this.isFilled.value = groups.length > 0
  }
}
