import { computed, signal, type ReadonlySignal, type Signal } from '@preact/signals-core'
import type { AnyEndpoint } from '../endpoint/types.ts'
import type { State } from '../store/state.ts'
import { changesOf, type Kept } from './inverse.ts'
import { quiet } from './quiet.ts'
import { CallStep, SetStep, type CallWatcher, type Step, type StepHost } from './steps.ts'

/** What an undo left alone. */
export interface Undone {
  /** Fields that somebody else has changed since. */
  readonly kept: readonly Kept[]
}

/** Steps that are taken back and done again as one. */
type Group = Step[]
type Side = Signal<readonly Group[]>

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
  readonly #past: Side = signal<readonly Group[]>([])
  readonly #future: Side = signal<readonly Group[]>([])
  readonly #error = signal<unknown>(undefined)
  #open: Group | undefined

  /** @internal */
  constructor(host: Omit<StepHost, 'readdress'>, limit: number) {
    this.#host = { ...host, readdress: (key, from, to) => this.#readdress(key, from, to) }
    this.#limit = limit
    this.canUndo = computed(() => this.#past.value.length > 0, { name: 'history.canUndo' })
    this.canRedo = computed(() => this.#future.value.length > 0, { name: 'history.canRedo' })
    this.error = this.#error
  }

  /** Takes back what was done last. What cannot be taken back is passed over. When its request fails, it is as if nothing had been undone. */
  readonly undo = (): Promise<Undone> =>
    quiet(
      this.#move(this.#past, this.#future, async group => {
        const kept: Kept[] = []
        const done = await each([...group].reverse(), step => step.undo()?.then(left => kept.push(...left)), step => step.redo())
        return done > 0 ? { kept } : PASSED
      }).then(undone => undone ?? { kept: [] }),
    )

  /** Does again what was undone last. */
  readonly redo = (): Promise<void> =>
    quiet(
      this.#move<void>(this.#future, this.#past, async group => {
        await each(group, step => step.redo(), step => step.undo())
      }),
    )

  /** Makes one step of everything that `work` does before it returns. */
  readonly group = <T>(work: () => T): T => {
    if (this.#open !== undefined) return work()
    const group: Group = (this.#open = [])
    try {
      return work()
    } finally {
      this.#open = undefined
      if (group.length > 0) this.#push(group)
    }
  }

  /** Forgets everything that was done. */
  readonly clear = (): void => {
    this.#past.value = []
    this.#future.value = []
    this.#error.value = undefined
  }

  /** @internal A local write has been made. */
  wrote(write: readonly [unknown, readonly unknown[], unknown], handle: unknown, before: State, after: State): void {
    if (before !== after && this.#limit > 0) this.#record(new SetStep(this.#host, write, handle, changesOf(before, after)))
  }

  /** @internal A call is being made; whoever makes it tells the returned step what becomes of it. */
  calls(endpoint: AnyEndpoint, args: readonly unknown[]): CallWatcher {
    const step = new CallStep(this.#host, endpoint, args, gone => this.#vanish(gone))
    this.#record(step)
    return step
  }

  #record(step: Step): void {
    this.#error.value = undefined
    this.#future.value = []
    if (this.#open !== undefined) this.#open.push(step)
    else this.#push([step])
  }

  #push(group: Group): void {
    if (this.#limit > 0) this.#past.value = [...this.#past.value, group].slice(-this.#limit)
  }

  /** Moves the newest group over at once, and back again when what it takes fails. */
  async #move<T>(from: Side, to: Side, act: (group: Group) => Promise<T | typeof PASSED>): Promise<T | undefined> {
    this.#error.value = undefined
    for (;;) {
      const group = from.peek().at(-1)
      if (group === undefined) return undefined
      from.value = from.peek().slice(0, -1)
      to.value = [...to.peek(), group]
      try {
        const done = await act(group)
        if (done !== PASSED) return done
        to.value = to.peek().filter(each => each !== group)
      } catch (error) {
        to.value = to.peek().filter(each => each !== group)
        from.value = [...from.peek(), group]
        this.#error.value = error
        throw error
      }
    }
  }

  #vanish(step: Step): void {
    for (const side of [this.#past, this.#future]) {
      if (side.peek().some(group => group.includes(step))) side.value = side.peek().map(group => group.filter(each => each !== step)).filter(group => group.length > 0)
    }
  }

  #readdress(key: string, from: string, to: string): void {
    for (const group of [...this.#past.peek(), ...this.#future.peek()]) for (const step of group) step.readdress(key, from, to)
  }
}

/** Does `act` to each step, one after the other; when one fails, what was done is taken `back`. Gives how many could be done. */
async function each(steps: Group, act: (step: Step) => Promise<unknown> | undefined, back: (step: Step) => Promise<unknown> | undefined): Promise<number> {
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
