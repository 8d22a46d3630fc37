import { isObject, type Plain } from '../base/plain.ts'
import type { WriteOperation } from '../normalize/fold.ts'
import type { Parts } from '../normalize/normalize.ts'
import type { Cell, State } from '../store/State.ts'
import type { Layer, PendingCall } from './Layer.ts'

/** A temporary pk and the real one. */
export interface Renamed {
  readonly from: Cell
  readonly to: Cell
}

/** Entities that a creation made and that were unknown when it was called: existing data about them is newer. */
export function markFirst({ operations, created }: Parts, before: State): void {
  const unknown = new Set(created.filter(cell => !before.read(cell) && !before.stamp(cell)))
  for (const operation of operations) if (operation.type === 'write' && unknown.has(operation.cell)) operation.isFirst = true
}

/** Which real pk each temporary one became: the answer has it where the optimistic response had the temporary one. */
export function matchCreated({ parts, temporary }: PendingCall, answer: Parts): Renamed[] {
  const names = new Map<Cell, Cell>()
  const expected = writesOf(parts!)
  const answered = writesOf(answer)
  const match = (a: unknown, b: unknown): void => {
    if (typeof a === 'string' && typeof b === 'string') {
      for (const write of expected.get(a) ?? []) {
        const other = answered.get(b)?.find(each => each.cell.table === write.cell.table)
        if (temporary.get(a) === write.cell.table.key && !names.has(write.cell)) names.set(write.cell, other?.cell ?? write.cell.table.cell(b))
        else if (write.plan) continue
        match(write.record, other?.record)
      }
    } else if (isObject(a) && isObject(b)) {
      for (const [name, member] of Object.entries(a)) if (Object.hasOwn(b, name)) match(member, (b as Plain)[name])
    }
  }
  match(parts!.result, answer.result)
  return [...names].flatMap(([from, to]) => (from === to ? [] : [{ from, to }]))
}

function writesOf({ operations }: Parts): Map<string, WriteOperation[]> {
  const writes = new Map<string, WriteOperation[]>()
  for (const operation of operations) if (operation.type === 'write') writes.set(operation.cell.pk, [...(writes.get(operation.cell.pk) ?? []), operation])
  return writes
}

/** Layers that waited for a real pk come after those that already used it. The answer that brought it stays. */
export function moveBehind(layers: readonly Layer[], names: readonly Renamed[], answer: Layer | undefined): Layer[] {
  let order = [...layers]
  for (const { from, to } of names) {
    const isLate = (layer: Layer): boolean => layer !== answer && layer.targets.has(from.pk)
    const at = order.findLastIndex(layer => layer !== answer && layer.targets.has(to) && !isLate(layer)) + 1
    const earlier = order.splice(0, at)
    order = [...earlier.filter(layer => !isLate(layer)), ...earlier.filter(isLate), ...order]
  }
  return order
}
