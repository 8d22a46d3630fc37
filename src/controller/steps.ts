import { equal } from '../base/plain.ts'
import type { AnyEndpoint, UndoCall } from '../endpoint/types.ts'
import type { LocalWrite } from '../order/answer.ts'
import { renamed } from '../order/temporary.ts'
import type { Fields } from '../schema/interface.ts'
import { readRow, type State } from '../store/state.ts'
import { changesOf, inverseOf, type Kept, type RowChange } from './inverse.ts'

/** What a step needs to be taken back and done again. */
export interface StepHost {
  /** What the server has said, now. */
  base(): State
  /** Sends a call that enters no history; gives the pk that its answer names, if it names one. */
  send(endpoint: AnyEndpoint, args: readonly unknown[], watcher: CallWatcher): Promise<unknown>
  /** Takes a local write out of the order of things; false when it is too late for that. */
  withdraw(handle: unknown): boolean
  /** Writes locally. */
  write(write: LocalWrite, cause: 'set' | 'redo'): Written
  patch(patches: ReturnType<typeof inverseOf>['patches']): void
  /** Does what takes back a call about `target`, once what takes back a later one about the same is over: it looks at what that leaves. */
  inTurn(target: Settled['target'], takeBack: () => Promise<readonly Kept[]> | undefined): Promise<readonly Kept[]> | undefined
  /** (key, from) is called (key, to) from now on: later calls are to be addressed to that. */
  readdress(key: string, from: string, to: string): void
}

/** What a local write did. */
export interface Written {
  readonly handle: unknown
  readonly before: State
  readonly after: State
}

/** Told what becomes of a call. */
export interface CallWatcher {
  /** It is under way; `abort` ends it. */
  called(abort: () => void): void
  settled(outcome: Settled): void
  failed(): void
}

/** What a settled call did. */
export interface Settled {
  readonly args: readonly unknown[]
  /** The row that it was about, if it was about one. */
  readonly target: { readonly key: string; readonly pk: string } | undefined
  readonly previous: Fields | undefined
  readonly after: Fields | undefined
  /** The processed answer. */
  readonly result: unknown
  /** The pk of what was answered. */
  readonly pk: string | undefined
}

/** One thing that the user did. `undo` gives undefined when it cannot be taken back. */
export interface Step {
  undo(): Promise<readonly Kept[]> | undefined
  redo(): Promise<unknown>
  /** What it was about is called otherwise now. A temporary pk is so wherever it is spoken of. */
  readdress(key: string, from: string, to: string, temporary: boolean): void
}

/** A local write. */
export class SetStep implements Step {
  readonly #host: StepHost
  readonly #write: LocalWrite
  #handle: unknown
  #changes!: readonly RowChange[]

  constructor(host: StepHost, write: LocalWrite, written: Written) {
    this.#host = host
    this.#write = write
    this.#note(written)
  }

  undo(): Promise<readonly Kept[]> {
    if (this.#host.withdraw(this.#handle)) return Promise.resolve([])
    const { patches, kept } = inverseOf(this.#changes, this.#host.base())
    this.#host.patch(patches)
    return Promise.resolve(kept)
  }

  redo(): Promise<unknown> {
    this.#note(this.#host.write(this.#write, 'redo'))
    return Promise.resolve()
  }

  /** Anew each time that it is done: others may have changed what it is done over. */
  #note({ handle, before, after }: Written): void {
    this.#handle = handle
    this.#changes = changesOf(before, after)
  }

  readdress(key: string, from: string, to: string, temporary: boolean): void {
    if (temporary) this.#changes = renamed(this.#changes, new Map([[from, to]]))
    else this.#changes = this.#changes.map(change => (change.key === key && change.pk === from ? { ...change, pk: to } : change))
  }
}

/** A call that changes something at the server. */
export class CallStep implements Step, CallWatcher {
  readonly #host: StepHost
  readonly #endpoint: AnyEndpoint
  #args: readonly unknown[]
  /** Takes the step out of the history: it came to nothing. */
  readonly #vanish: (step: Step) => void
  #abort: (() => void) | undefined
  /** It was undone once, and so has not come to nothing when it fails: it is still to be done again. */
  #undone = false
  #done: Settled | undefined

  constructor(host: StepHost, endpoint: AnyEndpoint, args: readonly unknown[], vanish: (step: Step) => void) {
    this.#host = host
    this.#endpoint = endpoint
    this.#args = args
    this.#vanish = vanish
  }

  called(abort: () => void): void {
    this.#abort = abort
  }

  settled(outcome: Settled): void {
    this.#abort = undefined
    const before = this.#done?.pk
    this.#done = outcome
    this.#args = outcome.args
    if (before !== undefined && outcome.pk !== undefined && before !== outcome.pk && outcome.target) this.#host.readdress(outcome.target.key, before, outcome.pk)
  }

  failed(): void {
    this.#abort = undefined
    if (!this.#undone) this.#vanish(this)
  }

  undo(): Promise<readonly Kept[]> | undefined {
    this.#undone = true
    if (this.#abort !== undefined) {
      this.#abort()
      return Promise.resolve([])
    }
    return this.#done && this.#host.inTurn(this.#done.target, () => this.#takeBack(this.#done!))
  }

  redo(): Promise<unknown> {
    return this.#host.send(this.#endpoint, this.#args, this)
  }

  readdress(key: string, from: string, to: string): void {
    const target = this.#done?.target
    if (target?.key !== key || target.pk !== from) return
    const [params, ...rest] = this.#args
    this.#args = [renameIn(params, from, to), ...rest]
    this.#done = { ...this.#done!, args: this.#args, target: { key, pk: to }, result: renameIn(this.#done!.result, from, to), pk: to }
  }

  #takeBack({ result, args }: Settled): Promise<readonly Kept[]> | undefined {
    const { previous, kept } = this.#guarded()
    const call = this.#endpoint.getUndo?.({ previous, result }, ...(args as unknown[]))
    return call && this.#compensate(call).then(() => kept)
  }

  async #compensate({ endpoint, args }: UndoCall): Promise<void> {
    const { target } = this.#done!
    let answered: string | undefined
    await this.#host.send(endpoint, args, {
      called: () => {},
      settled: ({ pk }) => void (answered = pk),
      failed: () => {},
    })
    if (target !== undefined && answered !== undefined && answered !== target.pk) this.#host.readdress(target.key, target.pk, answered)
  }

  /** What was there before the call; in fields that somebody else has changed since, what is there now. */
  #guarded(): { readonly previous: Fields | undefined; readonly kept: readonly Kept[] } {
    const { target, previous, after } = this.#done ?? {}
    const now = target && (readRow(this.#host.base(), target.key, target.pk) as Fields | undefined)
    if (!target || !previous || !after || !now) return { previous, kept: [] }
    const changed = Object.keys(after).filter(field => !equal(now[field], after[field]) && !equal(previous[field], after[field]))
    return {
      previous: { ...previous, ...Object.fromEntries(changed.map(field => [field, now[field]])) },
      kept: changed.map(field => ({ ...target, field })),
    }
  }
}

/** `params` with the members that spell `from` spelling `to`. */
function renameIn(params: unknown, from: string, to: string): unknown {
  if (typeof params === 'string' || typeof params === 'number') return String(params) === from ? to : params
  if (typeof params !== 'object' || params === null || Array.isArray(params)) return params
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, renameIn(typeof value === 'object' ? undefined : value, from, to) ?? value]))
}
