import { equal } from '../base/plain.ts'
import type { AnyEndpoint, UndoCall } from '../endpoint/types.ts'
import type { LocalWrite } from '../order/answer.ts'
import type { LocalSet } from '../order/timeline.ts'
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
  withdraw(handle: LocalSet): boolean
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
  readonly handle: LocalSet
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
export function createSetStep(host: StepHost, write: LocalWrite, written: Written): Step {
  let handle!: LocalSet
  let changes!: readonly RowChange[]
  /** Anew each time that it is done: others may have changed what it is done over. */
  const note = (done: Written): void => {
    handle = done.handle
    handle.sunk = (before, after) => void (changes = changesOf(before, after))
    handle.sunk(done.before, done.after)
  }
  note(written)
  return {
    async undo() {
      if (host.withdraw(handle)) return []
      const { patches, kept } = inverseOf(changes, host.base())
      host.patch(patches)
      return kept
    },
    async redo() {
      note(host.write(write, 'redo'))
    },
    readdress(key, from, to, temporary) {
      if (temporary) changes = renamed(changes, new Map([[from, to]]))
      else changes = changes.map(change => (change.key === key && change.pk === from ? { ...change, pk: to } : change))
    },
  }
}

/** A call that changes something at the server. `vanish` takes a step out of the history that came to nothing. */
export function createCallStep(host: StepHost, endpoint: AnyEndpoint, args: readonly unknown[], vanish: (step: Step) => void): CallWatcher & Step {
  let abort: (() => void) | undefined
  /** It was undone once, and so has not come to nothing when it fails: it is still to be done again. */
  let undone = false
  let done: Settled | undefined

  /** What was there before the call; in fields that somebody else has changed since, what is there now. */
  function guarded({ target, previous, after }: Settled): { readonly previous: Fields | undefined; readonly kept: readonly Kept[] } {
    const now = target && (readRow(host.base(), target.key, target.pk) as Fields | undefined)
    if (!target || !previous || !after || !now) return { previous, kept: [] }
    const changed = Object.keys(after).filter(field => !equal(now[field], after[field]) && !equal(previous[field], after[field]))
    return {
      previous: { ...previous, ...Object.fromEntries(changed.map(field => [field, now[field]])) },
      kept: changed.map(field => ({ ...target, field })),
    }
  }

  async function compensate(call: UndoCall, { target }: Settled): Promise<void> {
    let answered: string | undefined
    await host.send(call.endpoint, call.args, {
      called: () => {},
      settled: ({ pk }) => void (answered = pk),
      failed: () => {},
    })
    if (target !== undefined && answered !== undefined && answered !== target.pk) host.readdress(target.key, target.pk, answered)
  }

  function takeBack(): Promise<readonly Kept[]> | undefined {
    const outcome = done!
    const { previous, kept } = guarded(outcome)
    const call = endpoint.getUndo?.({ previous, result: outcome.result }, ...(outcome.args as unknown[]))
    return call && compensate(call, outcome).then(() => kept)
  }

  const step: CallWatcher & Step = {
    called: end => void (abort = end),
    settled(outcome) {
      abort = undefined
      const before = done?.pk
      done = outcome
      args = outcome.args
      if (before !== undefined && outcome.pk !== undefined && before !== outcome.pk && outcome.target) host.readdress(outcome.target.key, before, outcome.pk)
    },
    failed() {
      abort = undefined
      if (!undone) vanish(step)
    },
    undo() {
      undone = true
      if (abort === undefined) return done && host.inTurn(done.target, takeBack)
      abort()
      return Promise.resolve([])
    },
    redo: () => host.send(endpoint, args, step),
    readdress(key, from, to) {
      const target = done?.target
      if (target?.key !== key || target.pk !== from) return
      const [params, ...rest] = args
      args = [renameIn(params, from, to), ...rest]
      done = { ...done!, args, target: { key, pk: to }, result: renameIn(done!.result, from, to), pk: to }
    },
  }
  return step
}

/** `params` with the members that spell `from` spelling `to`. */
function renameIn(params: unknown, from: string, to: string): unknown {
  if (typeof params === 'string' || typeof params === 'number') return String(params) === from ? to : params
  if (typeof params !== 'object' || params === null || Array.isArray(params)) return params
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, renameIn(typeof value === 'object' ? undefined : value, from, to) ?? value]))
}
