import { equal } from '../base/plain.ts'
import type { AnyEndpoint, UndoCall } from '../endpoint/types.ts'
import type { Fields } from '../schema/interface.ts'
import { readRow } from '../store/state.ts'
import { addressed, spoken } from './addressed.ts'
import type { Kept } from './inverse.ts'
import type { CallWatcher, Settled, Step, StepHost } from './step.ts'

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
      const { schema } = endpoint
      const renaming = { key, from, to }
      const about = target?.key === key && target.pk === from
      args = addressed(schema, args, about, renaming)
      if (done?.previous) done = { ...done, args, previous: spoken(schema, [done.previous], renaming)[0] }
      if (!about) return
      target = { key, pk: to }
      done &&= { ...done, args, result: addressed(schema, [done.result], about, renaming)[0], pk: to }
    },
  }
  return step
}
