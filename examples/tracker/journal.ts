import { signal, type ReadonlySignal } from '@preact/signals-core'
import type { Controller } from 'patchcord'
import { createHistory, type History } from 'patchcord/history'
import { canRetry, isRefused } from './errors.ts'

/** Something the user did. */
export interface Step {
  readonly label: string
  /** How many were done before it. */
  readonly at: number
}

/** Something that failed. It can be tried again, unless the server refused what was sent: then it can be edited. */
export interface Problem {
  readonly label: string
  readonly error: unknown
  /** Whether it was an undo or redo: that is no longer what comes next once something else is done. */
  readonly isTurn: boolean
  readonly retry: (() => void) | undefined
  readonly edit: (() => void) | undefined
}

/** What else the page does about an action. */
export interface ActOptions {
  /** A message for a few seconds, with an undo beside it: for an action whose effect is easy to miss. */
  readonly notice?: string
  /** Opens what was sent, so that the user can correct it. */
  readonly edit?: () => void
}

/** How many steps can be undone. */
const STEPS = 100
/** How long a notice stays, in milliseconds. */
const NOTICE = 8000

/** What the user did, and what became of it. */
export class Journal {
  readonly #problems = signal<readonly Problem[]>([])
  readonly #done = signal<readonly Step[]>([])
  readonly #undone = signal<readonly Step[]>([])
  readonly #pending = signal(0)
  readonly #notice = signal<string | undefined>(undefined)
  #noticeTimer: ReturnType<typeof setTimeout> | undefined
  readonly #history: History
  #steps = 0

  constructor(controller: Controller) {
    this.#history = createHistory(controller, { limit: STEPS })
  }

  get problems(): ReadonlySignal<readonly Problem[]> {
    return this.#problems
  }

  /** What can be undone, the newest last. */
  get done(): ReadonlySignal<readonly Step[]> {
    return this.#done
  }

  /** What can be done again. */
  get undone(): ReadonlySignal<readonly Step[]> {
    return this.#undone
  }

  /** How much of what the user did the server has not answered yet. */
  get pending(): ReadonlySignal<number> {
    return this.#pending
  }

  /** What was done last, if that is easy to miss. It can be undone. */
  get notice(): ReadonlySignal<string | undefined> {
    return this.#notice
  }

  /** Does something for the user. A failed action is stored, to be retried or edited. */
  readonly act = (label: string, work: () => Promise<unknown>, options: ActOptions = {}): void => {
    const step: Step = { label, at: this.#steps++ }
    this.#dropTurns()
    this.#say(options.notice)
    this.#done.value = [...this.#done.value, step].slice(-STEPS)
    this.#undone.value = []
    this.#follow(work).catch((error: unknown) => {
      // Undone while it was under way: that is what the user wanted.
      if (!this.#done.value.includes(step)) return
      if (this.#done.value.at(-1) === step) this.#say(undefined)
      this.#done.value = this.#done.value.filter(each => each !== step)
      this.#fail(label, error, { isTurn: false, again: () => this.act(label, work, options), edit: options.edit })
    })
  }

  /** Gives whether it went well; what failed is among the problems. */
  readonly undo = (): Promise<boolean> => this.#turn('Undo', this.#done, this.#undone, () => this.#history.undo())

  readonly redo = (): Promise<boolean> => this.#turn('Redo', this.#undone, this.#done, () => this.#history.redo())

  readonly dismiss = (problem: Problem): void => {
    this.#problems.value = this.#problems.value.filter(each => each !== problem)
  }

  async #turnTo(step: Step, from: { value: readonly Step[] }, turn: () => Promise<boolean>): Promise<void> {
    while (from.value.includes(step) && (await turn()));
  }

  #dropTurns(): void {
    this.#problems.value = this.#problems.value.filter(({ isTurn }) => !isTurn)
  }

  async #turn(verb: string, from: { value: readonly Step[] }, to: { value: readonly Step[] }, move: () => Promise<unknown>): Promise<boolean> {
    const step = from.value.at(-1)
    if (step === undefined) return false
    this.#dropTurns()
    this.#say(undefined)
    from.value = from.value.slice(0, -1)
    to.value = [...to.value, step]
    const label = `${verb}: ${step.label}`
    try {
      await this.#follow(move)
      return true
    } catch (error) {
      to.value = to.value.filter(each => each !== step)
      // Others may have come back before it.
      from.value = [...from.value, step].sort((a, b) => (from === this.#done ? a.at - b.at : b.at - a.at))
      this.#fail(label, error, { isTurn: true, again: () => void this.#turnTo(step, from, () => this.#turn(verb, from, to, move)), edit: undefined })
      return false
    }
  }

  #fail(label: string, error: unknown, { isTurn, again, edit }: { isTurn: boolean; again: () => void; edit: (() => void) | undefined }): void {
    const leaving = (next: () => void) => (): void => {
      this.dismiss(problem)
      next()
    }
    const problem: Problem = { label, error, isTurn, retry: canRetry(error) ? leaving(again) : undefined, edit: edit && isRefused(error) ? leaving(edit) : undefined }
    this.#problems.value = [...this.#problems.value, problem]
  }

  #say(notice: string | undefined): void {
    clearTimeout(this.#noticeTimer)
    this.#notice.value = notice
    if (notice) this.#noticeTimer = setTimeout(() => (this.#notice.value = undefined), NOTICE)
  }

  /** Does `work`, and counts it until it is settled. */
  async #follow<T>(work: () => Promise<T>): Promise<T> {
    this.#pending.value++
    try {
      return await work()
    } finally {
      this.#pending.value--
    }
  }
}
