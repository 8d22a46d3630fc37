import { signal, type ReadonlySignal, type Signal } from '@preact/signals-core'
import type { AnyEndpoint } from '../endpoint/types.ts'
import type { LocalWrite } from '../order/answer.ts'
import type { Kept } from './inverse.ts'
import { quiet } from './quiet.ts'
import { createCallStep, createSetStep, type CallWatcher, type Step, type StepHost } from './steps.ts'
import { createTurns } from './turns.ts'

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

/** Nothing of a group could be taken back. */
const PASSED: unique symbol = Symbol('passed')

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

export function createHistory(rest: Omit<StepHost, 'readdress' | 'inTurn'>, limit: number): { readonly history: History; readonly recorder: Recorder } {
  const past = createSide(limit, true)
  const future = createSide(Infinity, false)
  const failure = signal<unknown>(undefined)
  let open: Group | undefined
  let count = 0
  /** What was being undone when everything was forgotten does not come back. */
  let epoch = 0
  const host: StepHost = { ...rest, inTurn: createTurns(), readdress: (key, from, to) => readdress(key, from, to, false) }

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

  /** Moves the newest group over at once, and back again when what it takes fails. */
  async function move<T>(from: Side, to: Side, act: (group: Group) => Promise<T | typeof PASSED>): Promise<T | undefined> {
    const started = epoch
    failure.value = undefined
    for (;;) {
      const group = from.newest()
      if (group === undefined) return undefined
      from.without(group)
      to.push(group)
      try {
        const done = await act(group)
        if (done !== PASSED) return done
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
      undo: () =>
        quiet(
          move(past, future, async group => {
            const kept: Kept[] = []
            const done = await each([...group.steps].reverse(), step => step.undo()?.then(left => kept.push(...left)), step => step.redo())
            return done > 0 ? { kept } : PASSED
          }).then(undone => undone ?? { kept: [] }),
        ),
      redo: () =>
        quiet(
          move<void>(future, past, async group => {
            await each([...group.steps], step => step.redo(), step => step.undo())
          }),
        ),
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
        const written = host.write(write, 'set')
        if (written.before !== written.after && limit > 0) record(createSetStep(host, write, written, vanish))
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

/** Does `act` to each step, one after the other; when one fails, what was done is taken `back`. Gives how many could be done. */
async function each(steps: readonly Step[], act: (step: Step) => Promise<unknown> | undefined, back: (step: Step) => Promise<unknown> | undefined): Promise<number> {
  const done: Step[] = []
  try {
    for (const step of steps) {
      const acted = act(step)
      if (acted === undefined) continue
      await acted
      done.unshift(step)
    }
  } catch (error) {
    for (const step of done) await back(step)
    throw error
  }
  return done.length
}
