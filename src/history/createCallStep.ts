import { PatchcordError } from '../base/errors.ts'
import { equal } from '../base/plain.ts'
import { markHandled } from '../base/report.ts'
import type { CallObserver, CallOutcome, RowName, StartedCall } from '../controller/Requests.ts'
import type { AnyEndpoint } from '../endpoint/types.ts'
import type { Fields } from '../schema/interface.ts'
import { inverseOf, type Kept } from './inverse.ts'
import { renameRow, rowsIn } from './renameRow.ts'
import type { Step, StepHost } from './Step.ts'

/** A mutation. It observes its call. */
export function createCallStep(host: StepHost, endpoint: AnyEndpoint, args: readonly unknown[]): Step & CallObserver {
  const { controller } = host
  const { timeline } = controller
  let target: RowName | undefined
  /** The row that the arguments name: its calls are sent one after the other. */
  let named: RowName | undefined
  let sent: StartedCall | undefined
  /** `former`: the record that the call left, with the former pk of a row that was created again since. The store may still have it. */
  let outcome: (CallOutcome & { readonly former?: Fields | undefined }) | undefined
  /** The id of a call that failed. Its temporary pks are used again when it is made again. */
  let failedId: string | undefined
  /** The call that undoes it, in flight. */
  let compensation: StartedCall | undefined
  let undoing: Promise<readonly Kept[]> | undefined

  const values = (): [previous: Fields | undefined, after: Fields | undefined, result: unknown, ...args: unknown[]] => [outcome?.previous, outcome?.after, outcome?.result, ...controller.temporaryPks.resolve(args)]
  const schemas = (): unknown[] => [endpoint.schema, target && timeline.directory.find(target.key)?.owner]
  const start = (): Promise<unknown> => controller.requests.start(endpoint, args, () => step, failedId)
  const renameTo = (from: string | undefined, to: string | undefined): void => {
    if (target && from && to && from !== to) host.rename({ key: target.key, from, to })
  }

  /** Undoes a settled call by the request that its endpoint names, if it names one. Returns the fields that somebody else has changed since. */
  const compensate = async (): Promise<readonly Kept[]> => {
    const { previous, records, result, after, former } = outcome!
    const { visible } = timeline
    const now = target && visible.row(target.key, target.pk)
    const { kept: conflicts } = inverseOf(previous && after && now ? [{ ...target!, before: previous, after, former }] : [], visible)
    const present = Object.fromEntries(conflicts.map(({ field }) => [field, now![field!]]))
    const undo = endpoint.getUndo?.({ previous: previous && { ...previous, ...present }, result, after, conflicts: present, recordOf: (key, pk) => records.get(`${key} ${pk}`) ?? visible.row(key, pk) }, ...(args as unknown[]))
    if (undo) {
      await controller.requests.start(undo.endpoint, undo.args, () => ({
        called: started => void (compensation = started),
        settled({ pk }) {
          compensation = undefined
          step.isDone = false
          renameTo(target?.pk, pk)
        },
        failed() {
          compensation = undefined
          sent?.abort()
          step.isDone = true
        },
      }))
      // It has changed nothing, or somebody else has changed all of it since.
    } else step.isDone = undo !== null
    return conflicts
  }

  const step: Step & CallObserver = {
    isDone: true,
    called(started) {
      sent = started
      ;({ args, target: named } = sent.call)
      target = named ?? target
    },
    settled(settled) {
      const before = outcome?.pk
      const isUnwanted = sent!.call.isHidden
      ;({ args, target = settled.target } = sent!.call)
      outcome = settled
      sent = undoing = failedId = undefined
      step.isDone = true
      renameTo(before, settled.pk)
      // In the same batch, so that no reader sees what was undone.
      if (isUnwanted) undoing = markHandled(compensate())
      else if (!endpoint.getUndo) host.remove(step)
    },
    failed(isUndone) {
      ;({ args, id: failedId } = sent!.call)
      sent = undefined
      step.isDone = false
      if (!isUndone) host.remove(step)
    },
    rows: () => (target ? [`${target.key} ${target.pk}`] : []),
    names: () => rowsIn(values(), schemas()),
    async undo() {
      if (sent) await sent.outcome.catch(() => {})
      else undoing ??= compensate()
      const request = undoing
      undoing = undefined
      return request ?? []
    },
    redo: () => sent?.outcome ?? start(),
    steer(isUndone) {
      if (compensation) {
        if (isUndone) sent?.abort()
        else if (!compensation.call.sentAt) compensation.abort()
        // The request of the undo is on its way. The redo is made at once: it waits for that request in the lane of the row, and is sent before what the user does next. A deleted row gets another pk, and so another lane.
        else if (named && outcome?.after && compensation.call.lane === step.rows()[0]) void start()
      } else if (sent) {
        // The server may do a call that was sent: it is hidden now, and compensated when it was done.
        if (!isUndone || (sent.call.sentAt && endpoint.getUndo)) controller.batch(() => timeline.alter(() => void (sent!.call.isHidden = isUndone), isUndone ? 'undo' : 'redo'))
        else sent.abort()
      }
    },
    rename(renaming) {
      const { key, from, to } = renaming
      const isTarget = step.rows()[0] === `${key} ${from}`
      const [previous, after, result, ...next] = renameRow(values(), renaming, schemas())
      if (isTarget && outcome?.previous && equal(next, args)) {
        controller.report(new PatchcordError('RENAME', `${endpoint.name} has no undo: ${key} ${from} is now ${to}.`))
        return host.remove(step)
      }
      args = next
      if (sent && !sent.call.sentAt && !equal(next, sent.call.args)) timeline.alter(() => sent!.call.address(next), 'undo')
      if (isTarget) target = { key, pk: to }
      if (outcome) outcome = { former: outcome.after, ...outcome, previous, after, result, pk: isTarget && outcome.pk === from ? to : outcome.pk }
    },
  }
  return step
}
