import { signal, type ReadonlySignal, type Signal } from '@preact/signals-core'
import type { AnyEndpoint } from '../endpoint/types.ts'
import type { LocalWrite } from '../order/answer.ts'
import { readRow } from '../store/state.ts'
import { createCallStep } from './callStep.ts'
import type { Kept } from './inverse.ts'
import { quiet } from './quiet.ts'
import type { Target } from './readerOf.ts'
import { SetStep } from './setStep.ts'
import type { CallWatcher, Step, StepHost } from './step.ts'

/**
 * What an undo left alone.
 *
 * @example
 * const { kept }: Undone = await controller.history.undo()
 * if (kept.length > 0) console.log('Somebody else has changed that since.')
 */
export interface Undone {
  /** Fields that somebody else has changed since. */
  readonly kept: readonly Kept[]
}

/** Steps that are taken back and done again as one. */
interface Group {
  /** The number of those that were done before it. */
  readonly at: number
  readonly steps: Step[]
}

/** Groups, the one that is next to be moved last. Only whether there are any is a signal: a write must not make another list of a hundred. */
interface Side {
  readonly any: Signal<boolean>
  groups(): readonly Group[]
  newest(): Group | undefined
  push(group: Group): void
  without(group: Group): void
  clear(): void
}

/** `rises`: whether those that were done later come later. */
function createSide(limit: number, rises: boolean): Side {
  let groups: Group[] = []
  const any = signal(false)
  const put = (next: Group[]): void => {
    groups = next
    any.value = groups.length > 0
  }
  const trim = (): void => {
    if (groups.length > limit) groups.splice(0, groups.length - limit)
  }
  return {
    any,
    groups: () => groups,
    newest() {
      trim()
      return groups.at(-1)
    },
    /** Puts it where it belongs: that is last, unless it comes back after others because what it took has failed. */
    push(group) {
      let at = groups.length
      while (at > 0 && groups[at - 1]!.at > group.at === rises) at--
      groups.splice(at, 0, group)
      // Those past the limit go many at a time, and before anybody looks.
      if (groups.length > 2 * limit) trim()
      any.value = true
    },
    without: group => put(groups.filter(each => each !== group)),
    clear: () => put([]),
  }
}

/**
 * What the user has done, to be undone and done again: local writes, and calls that change something. Responses,
 * polls and other tabs do not enter it.
 *
 * @example
 * await controller.fetch(TodoResource.partialUpdate, { id: 1 }, { done: true })
 * await controller.history.undo() // sends { done: false }
 */
export interface History {
  /** Whether there is something to undo. */
  readonly canUndo: ReadonlySignal<boolean>
  readonly canRedo: ReadonlySignal<boolean>
  /** What the last undo or redo failed with; undefined when it did not. */
  readonly error: ReadonlySignal<unknown>
  /** Takes back what was done last. What cannot be taken back is passed over. When its request fails, it is as if nothing had been undone. */
  readonly undo: () => Promise<Undone>
  /** Does again what was undone last. */
  readonly redo: () => Promise<void>
  /** Makes one step of everything that `work` does before it returns. */
  readonly group: <T>(work: () => T) => T
  /** Forgets everything that was done. */
  readonly clear: () => void
}

/** Notes what is done. */
export interface Recorder {
  /** Makes a local write. What readers do when they hear of it is another step, after this one. */
  write(write: LocalWrite): void
  /** A call is being made; whoever makes it tells the returned step what becomes of it. */
  calls(endpoint: AnyEndpoint, args: readonly unknown[]): CallWatcher
  /** A temporary pk has become real. */
  move(key: string, from: string, to: string): void
}

export function createHistory(rest: Omit<StepHost, 'readdress'>, limit: number): { readonly history: History; readonly recorder: Recorder } {
  const past = createSide(limit, true)
  const future = createSide(Infinity, false)
  const failure = signal<unknown>(undefined)
  let open: Group | undefined
  let count = 0
  /** What was being undone when everything was forgotten does not come back. */
  let epoch = 0
  /** What is being taken back or done again, until that is over. */
  const moving = new Map<Group, Promise<unknown>>()
  const host: StepHost = { ...rest, readdress: (key, from, to) => readdress(key, from, to, false) }

  function begin(): Group {
    return { at: count++, steps: [] }
  }

  function record(step: Step): void {
    failure.value = undefined
    if (future.groups().length > 0) future.clear()
    if (limit <= 0) return
    const group = open ?? begin()
    // Also one that is still open: a step may come to nothing while it is.
    if (group.steps.push(step) === 1) past.push(group)
  }

  /** Moves the newest group over at once, and back again when what it takes fails. One of which nothing could be taken back is passed over. */
  async function move(from: Side, to: Side): Promise<Undone> {
    const started = epoch
    const back = to === future
    failure.value = undefined
    for (;;) {
      const group = from.newest()
      if (group === undefined) return { kept: [] }
      // What is being done again ends.
      if (back) for (const step of group.steps) if (step.undone) step.end?.()
      from.without(group)
      to.push(group)
      try {
        const done = await inTurn(group, back, () => go(group, from, back))
        if (done !== undefined) return done
        to.without(group)
      } catch (error) {
        // A call that was ended by moving it back did not fail: it is where it was moved to.
        if (epoch === started && !from.groups().includes(group)) {
          to.without(group)
          from.push(group)
          failure.value = error
        }
        throw error
      }
    }
  }

  /**
   * Does `act`, at once, or when everything is over that moves this group, or another one about its rows: what takes back
   * looks at what that leaves, and what is done again may be about something that is still being made.
   */
  function inTurn<T>(group: Group, back: boolean, act: () => Promise<T>): Promise<T> {
    const rowsOf = ({ steps }: Group): readonly Target[] => steps.flatMap(step => step.rows())
    const rows = rowsOf(group)
    const isLate = back || rows.some(({ key, pk }) => readRow(host.told(), key, pk) === undefined)
    const before = [...moving].filter(([other]) => (isLate || other.steps.length > 1) && rowsOf(other).some(a => rows.some(b => a.key === b.key && a.pk === b.pk)))
    const turn = before.length > 0 ? Promise.allSettled(before.map(([, turn]) => turn)).then(act) : act()
    moving.set(group, turn)
    const over = (): void => void (moving.get(group) === turn && moving.delete(group))
    turn.then(over, over)
    return turn
  }

  /** Takes a group back, or does it again; when a step fails, all goes back. Undefined: nothing of it can be taken back. */
  async function go(group: Group, from: Side, back: boolean): Promise<Undone | undefined> {
    const kept: Kept[] = []
    let passed = back
    const turned = (): boolean => from.groups().includes(group)
    /** One step after the other, those that are not so already, until it is to go the other way. */
    const each = async (isBack: boolean): Promise<void> => {
      for (const step of isBack ? [...group.steps].reverse() : [...group.steps]) {
        const isSo = turned() || step.undone === isBack
        passed &&= !isSo
        if (isSo) continue
        step.undone = true
        try {
          const acted = isBack ? step.undo() : step.redo()
          passed &&= acted === undefined
          const left = await acted
          if (!isBack || !acted) step.undone = false
          else kept.push(...(left as readonly Kept[]))
        } catch (error) {
          step.undone = !isBack
          throw error
        }
      }
    }
    try {
      await each(back)
    } catch (error) {
      if (!turned()) await each(!back)
      throw error
    }
    return passed ? undefined : { kept }
  }

  function vanish(step: Step): void {
    for (const side of [past, future]) {
      const group = side.groups().find(({ steps }) => steps.includes(step))
      // In place: the group may be under way from one side to the other.
      if (group?.steps.splice(group.steps.indexOf(step), 1) && group.steps.length === 0) side.without(group)
    }
  }

  function readdress(key: string, from: string, to: string, temporary: boolean): void {
    for (const { steps } of [...past.groups(), ...future.groups()]) for (const step of steps) step.readdress(key, from, to, temporary)
  }

  return {
    history: {
      canUndo: past.any,
      canRedo: future.any,
      error: failure,
      undo: () => quiet(move(past, future)),
      redo: () => quiet(move(future, past).then(() => undefined)),
      group(work) {
        if (open !== undefined) return work()
        open = begin()
        try {
          return work()
        } finally {
          open = undefined
        }
      },
      clear() {
        epoch++
        if (open !== undefined) open = begin()
        past.clear()
        future.clear()
        failure.value = undefined
      },
    },
    recorder: {
      write(write) {
        host.write(write, 'set', written => {
          if (written.before !== written.after && limit > 0) record(new SetStep(host, write, written, vanish))
        })
      },
      calls(endpoint, args) {
        const step = createCallStep(host, endpoint, args, vanish)
        record(step)
        return step
      },
      move: (key, from, to) => readdress(key, from, to, true),
    },
  }
}
