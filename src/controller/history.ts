import { signal, type ReadonlySignal, type Signal } from '@preact/signals-core'
import type { AnyEndpoint } from '../endpoint/types.ts'
import type { LocalWrite } from '../order/answer.ts'
import type { Kept } from './inverse.ts'
import { quiet } from './quiet.ts'
import { CallStep, SetStep, type CallWatcher, type Step, type StepHost } from './steps.ts'
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
class Side {
  groups: Group[] = []
  readonly any: Signal<boolean> = signal(false)
  readonly #limit: number
  /** Whether those that were done later come later. */
  readonly #rises: boolean

  constructor(limit: number, rises: boolean) {
    this.#limit = limit
    this.#rises = rises
  }

  get newest(): Group | undefined {
    this.#trim()
    return this.groups.at(-1)
  }

  put(groups: Group[]): void {
    this.groups = groups
    this.any.value = groups.length > 0
  }

  /** Puts it where it belongs: that is last, unless it comes back after others because what it took has failed. */
  push(group: Group): void {
    let at = this.groups.length
    while (at > 0 && this.groups[at - 1]!.at > group.at === this.#rises) at--
    this.groups.splice(at, 0, group)
    // Those past the limit go many at a time, and before anybody looks.
    if (this.groups.length > 2 * this.#limit) this.#trim()
    this.any.value = true
  }

  without(group: Group): void {
    this.put(this.groups.filter(each => each !== group))
  }

  #trim(): void {
    if (this.groups.length > this.#limit) this.groups.splice(0, this.groups.length - this.#limit)
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
export class History {
  /** Whether there is something to undo. */
  readonly canUndo: ReadonlySignal<boolean>
  readonly canRedo: ReadonlySignal<boolean>
  /** What the last undo or redo failed with; undefined when it did not. */
  readonly error: ReadonlySignal<unknown>
  readonly #host: StepHost
  readonly #limit: number
  readonly #past: Side
  readonly #future = new Side(Infinity, false)
  readonly #error = signal<unknown>(undefined)
  #open: Group | undefined
  #count = 0
  /** What was being undone when everything was forgotten does not come back. */
  #epoch = 0

  /** @internal */
  constructor(host: Omit<StepHost, 'readdress' | 'inTurn'>, limit: number) {
    this.#host = { ...host, inTurn: createTurns(), readdress: (key, from, to) => this.#readdress(key, from, to, false) }
    this.#limit = limit
    this.#past = new Side(limit, true)
    this.canUndo = this.#past.any
    this.canRedo = this.#future.any
    this.error = this.#error
  }

  /** Takes back what was done last. What cannot be taken back is passed over. When its request fails, it is as if nothing had been undone. */
  readonly undo = (): Promise<Undone> =>
    quiet(
      this.#move(this.#past, this.#future, async group => {
        const kept: Kept[] = []
        const done = await each([...group.steps].reverse(), step => step.undo()?.then(left => kept.push(...left)), step => step.redo())
        return done > 0 ? { kept } : PASSED
      }).then(undone => undone ?? { kept: [] }),
    )

  /** Does again what was undone last. */
  readonly redo = (): Promise<void> =>
    quiet(
      this.#move<void>(this.#future, this.#past, async group => {
        await each([...group.steps], step => step.redo(), step => step.undo())
      }),
    )

  /** Makes one step of everything that `work` does before it returns. */
  readonly group = <T>(work: () => T): T => {
    if (this.#open !== undefined) return work()
    this.#open = this.#group()
    try {
      return work()
    } finally {
      this.#open = undefined
    }
  }

  /** Forgets everything that was done. */
  readonly clear = (): void => {
    this.#epoch++
    if (this.#open !== undefined) this.#open = this.#group()
    this.#past.put([])
    this.#future.put([])
    this.#error.value = undefined
  }

  /** @internal Makes a local write. What readers do when they hear of it is another step, after this one. */
  write(write: LocalWrite): void {
    const written = this.#host.write(write, 'set')
    if (written.before !== written.after && this.#limit > 0) this.#record(new SetStep(this.#host, write, written))
  }

  /** @internal A call is being made; whoever makes it tells the returned step what becomes of it. */
  calls(endpoint: AnyEndpoint, args: readonly unknown[]): CallWatcher {
    const step = new CallStep(this.#host, endpoint, args, gone => this.#vanish(gone))
    this.#record(step)
    return step
  }

  /** @internal A temporary pk has become real. */
  move(key: string, from: string, to: string): void {
    this.#readdress(key, from, to, true)
  }

  #record(step: Step): void {
    this.#error.value = undefined
    if (this.#future.groups.length > 0) this.#future.put([])
    if (this.#limit <= 0) return
    const group = this.#open ?? this.#group()
    // Also one that is still open: a step may come to nothing while it is.
    if (group.steps.push(step) === 1) this.#past.push(group)
  }

  #group(): Group {
    return { at: this.#count++, steps: [] }
  }

  /** Moves the newest group over at once, and back again when what it takes fails. */
  async #move<T>(from: Side, to: Side, act: (group: Group) => Promise<T | typeof PASSED>): Promise<T | undefined> {
    const epoch = this.#epoch
    this.#error.value = undefined
    for (;;) {
      const group = from.newest
      if (group === undefined) return undefined
      from.without(group)
      to.push(group)
      try {
        const done = await act(group)
        if (done !== PASSED) return done
        to.without(group)
      } catch (error) {
        // A call that was ended by moving it back did not fail: it is where it was moved to.
        if (epoch === this.#epoch && !from.groups.includes(group)) {
          to.without(group)
          from.push(group)
          this.#error.value = error
        }
        throw error
      }
    }
  }

  #vanish(step: Step): void {
    for (const side of [this.#past, this.#future]) {
      const group = side.groups.find(({ steps }) => steps.includes(step))
      // In place: the group may be under way from one side to the other.
      if (group?.steps.splice(group.steps.indexOf(step), 1) && group.steps.length === 0) side.without(group)
    }
  }

  #readdress(key: string, from: string, to: string, temporary: boolean): void {
    for (const { steps } of [...this.#past.groups, ...this.#future.groups]) for (const step of steps) step.readdress(key, from, to, temporary)
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
