import { PatchcordError, ValidationError } from '../base/errors.ts'
import { isPlain, keep, take } from '../base/plain.ts'
import type { EntityClass } from '../schema/interface.ts'
import { planOf } from '../schema/plan.ts'
import type { Draft } from '../store/Draft.ts'
import { produceRecord } from '../store/immer.ts'
import type { Cell, Row } from '../store/State.ts'
import { fold, type EditOperation, type FoldOptions } from './fold.ts'
import { ResponseWalk } from './ResponseWalk.ts'

/** Lets `recipe` change an Immer draft of a record. An object that it writes into a schema field is normalized. */
export function updater(entity: EntityClass, cell: Cell, recipe: (record: never) => unknown, args: readonly unknown[]): EditOperation {
  const change = (draft: Draft, options: FoldOptions): readonly Cell[] => {
    const existing = draft.read(cell)
    const plan = planOf(entity)
    if (existing === undefined) throw new PatchcordError('MISSING', `There is no ${plan.key} ${cell.pk} to update. Fetch it first.`)
    const produced = produceRecord(existing, recipe)
    if (!isPlain(produced)) throw new ValidationError(`${plan.key}: an updater must change or return a record.`, produced)
    if (produced === existing) return []
    const walk = new ResponseWalk(draft.directory, args, { copies: true })
    const next = walk.members(plan, cell, produced, true)
    const nested = walk.operations
    draft.write(cell, keep(existing, take(next, false) as Row))
    fold(draft, nested, options)
    return nested.flatMap(each => (each.type === 'members' ? [] : [each.cell]))
  }
  const operation: EditOperation = {
    type: 'edit',
    cell,
    nested: [],
    apply(draft, options) {
      try {
        operation.nested = change(draft, options)
      } catch (error) {
        if (!options.isReplay) throw error
      }
    },
  }
  return operation
}

/** Stores the result of an endpoint. With `report` it changes one that is there, and an error is reported. */
export function editResult(cell: Cell, next: (previous: Row | undefined) => unknown, report?: (error: unknown) => void): EditOperation {
  return {
    type: 'edit',
    cell,
    apply(draft, { overtaken }) {
      const known = draft.read(cell)
      if (overtaken && (report || known !== undefined)) return
      try {
        draft.write(cell, keep(known, next(known) as Row))
      } catch (error) {
        if (!report) throw error
        report(error)
      }
    },
  }
}
