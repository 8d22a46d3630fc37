import { text } from '../base/keys.ts'
import { equal, isPlain } from '../base/plain.ts'
import type { AnyEndpoint, UndoCall } from '../endpoint/types.ts'
import type { LocalWrite } from '../order/answer.ts'
import type { LocalSet, Mutation } from '../order/timeline.ts'
import { footprintOfCall } from '../order/footprint.ts'
import { renamed } from '../order/temporary.ts'
import type { Fields } from '../schema/interface.ts'
import { readRow, type State } from '../store/state.ts'
import { changesOf, inverseOf, type Kept, type RowChange } from './inverse.ts'
import type { Target } from './readerOf.ts'

/** What a step needs to be taken back and done again. */
export interface StepHost {
  /** What was said so far. */
  told(): State
  /** Sends a call that enters no history, in place of the call `id` if that came to nothing; gives the pk that its answer names, if it names one. */
  send(endpoint: AnyEndpoint, args: readonly unknown[], watcher: CallWatcher, id?: number): Promise<unknown>
  /** Takes a local write out of the order of things; false when it is too late for that. */
  withdraw(handle: LocalSet): boolean
  /** Writes locally. */
  write(write: LocalWrite, cause: 'set' | 'redo'): Written
  patch(patches: ReturnType<typeof inverseOf>['patches']): void
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
  /** It is under way, about `target`; `abort` ends it. */
  called?(abort: () => void, target: Settled['target']): void
  settled(outcome: Settled): void
  failed?(call: Mutation): void
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
  /** Whether it is taken back, or being so, until it is done again. */
  undone: boolean
  /** The rows that it is about. */
  rows(): readonly Target[]
  /** Ends it where it is under way. */
  end?(): void
  undo(): Promise<readonly Kept[]> | undefined
  redo(): Promise<unknown>
  /** What it was about is called otherwise now. A temporary pk is so wherever it is spoken of. */
  readdress(key: string, from: string, to: string, temporary: boolean): void
}

/** A local write. `vanish` takes a step out of the history that came to nothing. */
export function createSetStep(host: StepHost, write: LocalWrite, written: Written, vanish: (step: Step) => void): Step {
  let handle!: LocalSet
  let changes!: readonly RowChange[]
  /** Anew each time that it is done: others may have changed what it is done over. */
  const note = (done: Written): void => {
    handle = done.handle
    handle.sunk = (before, after) => {
      changes = changesOf(before, after)
      if (changes.length === 0) vanish(step)
    }
    handle.sunk(done.before, done.after)
    handle.lost = () => vanish(step)
  }
  const step: Step = {
    undone: false,
    rows: () => changes,
    async undo() {
      if (host.withdraw(handle)) return []
      const { patches, kept } = inverseOf(changes, host.told())
      host.patch(patches)
      return kept
    },
    async redo() {
      note(host.write(write, 'redo'))
    },
    readdress(key, from, to, temporary) {
      const { schema, args, value } = write
      if (temporary) {
        const names = new Map([[from, to]])
        changes = renamed(changes, names)
        write = { schema, args: renamed(args, names), value: renamed(value, names) }
        return
      }
      if (!changes.some(change => change.key === key && change.pk === from)) return
      changes = changes.map(change => (change.key === key && change.pk === from ? { ...change, pk: to } : change))
      write = { schema, args: addressed(schema, args, key, from, to), value: addressed(schema, [value], key, from, to)[0] }
    },
  }
  note(written)
  return step
}

/** A call that changes something at the server. `vanish` takes a step out of the history that came to nothing. */
export function createCallStep(host: StepHost, endpoint: AnyEndpoint, args: readonly unknown[], vanish: (step: Step) => void): CallWatcher & Step {
  let abort: (() => void) | undefined
  let target: Settled['target']
  let done: Settled | undefined
  /** The call that came to nothing: what was done to what it made speaks of that by its pks. */
  let id: number | undefined

  /** What was there before the call; in fields that somebody else has changed since, what is there now. */
  function guarded({ previous, after }: Settled): { readonly previous: Fields | undefined; readonly kept: readonly Kept[] } {
    const about = target
    const now = about && (readRow(host.told(), about.key, about.pk) as Fields | undefined)
    if (!previous || !after || !now) return { previous, kept: [] }
    const changed = Object.keys(after).filter(field => !equal(now[field], after[field]) && !equal(previous[field], after[field]))
    return {
      previous: { ...previous, ...Object.fromEntries(changed.map(field => [field, now[field]])) },
      kept: changed.map(field => ({ ...about, field })),
    }
  }

  async function compensate(call: UndoCall): Promise<void> {
    const about = target
    let answered: string | undefined
    await host.send(call.endpoint, call.args, { settled: ({ pk }) => void (answered = pk) })
    if (about !== undefined && answered !== undefined && answered !== about.pk) host.readdress(about.key, about.pk, answered)
  }

  function takeBack(outcome: Settled): Promise<readonly Kept[]> | undefined {
    const { previous, kept } = guarded(outcome)
    const call = endpoint.getUndo?.({ previous, result: outcome.result }, ...(outcome.args as unknown[]))
    return call && compensate(call).then(() => kept)
  }

  const step: CallWatcher & Step = {
    // What is made again is about what was made before, until it has another name.
    called: (end, about = target) => void ([abort, target] = [end, about]),
    settled(outcome) {
      abort = undefined
      const before = done?.pk
      done = outcome
      args = outcome.args
      target = outcome.target
      if (before !== undefined && outcome.pk !== undefined && before !== outcome.pk && outcome.target) host.readdress(outcome.target.key, before, outcome.pk)
    },
    failed(call) {
      abort = undefined
      ;({ id, args } = call)
      // What was undone has not come to nothing: it is still to be done again.
      if (!step.undone) vanish(step)
    },
    undone: false,
    rows: () => (target ? [target] : []),
    end: () => abort?.(),
    undo() {
      if (abort === undefined && done) return takeBack(done)
      abort?.()
      return Promise.resolve([])
    },
    redo: () => host.send(endpoint, args, step, done ? undefined : id),
    readdress(key, from, to) {
      if (target?.key !== key || target.pk !== from) return
      target = { key, pk: to }
      const { schema } = endpoint
      args = addressed(schema, args, key, from, to)
      done &&= { ...done, args, result: addressed(schema, [done.result], key, from, to)[0], pk: to }
    },
  }
  return step
}

/** `args` that speak of (key, from) as (key, to): in the one parameter that says so, as others may have the same number. */
function addressed(schema: unknown, args: readonly unknown[], key: string, from: string, to: string): readonly unknown[] {
  const [params, ...rest] = args
  const names = isPlain(params) ? Object.keys(params).filter(name => text(params[name]) === from) : []
  // A number stays one, unless what was made again is called by something else.
  const as = (param: unknown): unknown => (typeof param === 'number' && text(Number(to)) === to ? Number(to) : to)
  const others = text(params) === from ? [as(params)] : names.map(name => ({ ...(params as Fields), [name]: as((params as Fields)[name]) }))
  for (const other of others) {
    const { target, tables } = footprintOfCall({ schema }, [other, ...rest])
    // Where arguments do not say a type, the answer has said what they are about; a creation's are about nothing that has a pk.
    if (target ? target.key === key && target.pk === to : tables.size === 0) return [other, ...rest]
  }
  return args
}
