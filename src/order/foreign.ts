import { PatchError } from '../base/errors.ts'
import { isPlain, put } from '../base/plain.ts'
import type { Stamp } from '../base/stamp.ts'
import { deletedAt } from '../normalize/fold.ts'
import { memberKey } from '../schema/member.ts'
import { checkLists, patchDraft, rootOf, stampDraft } from '../store/apply.ts'
import type { Cell } from '../store/cell.ts'
import { Draft } from '../store/draft.ts'
import type { Patch } from '../store/immer.ts'
import type { ForeignWrite } from './answer.ts'
import { Edit } from './step.ts'

/** What patches say of one cell: the whole of it, or some fields. */
interface Told {
  whole: boolean
  readonly fields: Set<string>
}

/** Does patches and stamps to a draft. A row that they remove is deleted, unless `lost`: then it is only not there. */
export function applyForeign(draft: Draft, { patches, stamps }: ForeignWrite, at: Stamp, lost: boolean): void {
  patchDraft(draft, patches)
  for (const { path } of patches) {
    if (path.length !== 3 || path[0] !== 'entities') continue
    const cell = draft.intern(draft.cells.table(path[1] as string), path[2] as string)
    if (draft.row(cell) !== undefined) draft.mark(cell, alive(draft.stamp(cell), at))
    else if (!lost) draft.mark(cell, deletedAt(at))
  }
  stampDraft(draft, stamps)
}

/** The same as edits, which can be done to other versions too. */
export function foreignEdits(before: Draft, { patches, stamps }: ForeignWrite, at: Stamp, lost: boolean): Edit[] {
  const draft = new Draft(before.before)
  try {
    applyForeign(draft, { patches, stamps }, at, lost)
  } catch (error) {
    draft.abandon()
    throw error
  }
  const edits: Edit[] = []
  for (const [cell, told] of toldBy(draft, patches)) edits.push(new Edit(cell, changeOf(before.row(cell), draft.row(cell), told, lost)))
  for (const { key, pks, stamp } of stamps) {
    const frozen = stamp === null ? undefined : Object.freeze({ ...stamp })
    for (const pk of pks) edits.push(new Edit(draft.intern(draft.cells.table(key), pk), ({ value }) => ({ value, stamp: frozen })))
  }
  return edits
}

/** The newest moment that stamps from outside speak of. One that no clock could pass is refused. */
export function newestOf({ patches, stamps }: ForeignWrite): number {
  checkLists(patches, stamps)
  let newest = 0
  for (const { stamp } of stamps) {
    if (stamp === null || stamp === undefined) continue
    if (!(stamp.fetchedAt <= Number.MAX_SAFE_INTEGER / 2)) throw new PatchError('A stamp was fetched at no moment that can be passed.', stamp)
    newest = Math.max(newest, stamp.fetchedAt)
  }
  return newest
}

function toldBy(draft: Draft, patches: readonly Patch[]): Map<Cell, Told> {
  const cells = new Map<Cell, Told>()
  for (const patch of patches) {
    const { path } = patch
    const { table, pk, length } = rootOf(draft, patch)
    const cell = draft.intern(table, pk)
    const told = cells.get(cell) ?? { whole: false, fields: new Set<string>() }
    if (path.length === length) told.whole = true
    else told.fields.add(String(path[length]))
    cells.set(cell, told)
  }
  return cells
}

function changeOf(from: unknown, to: unknown, { whole, fields }: Told, lost: boolean): Edit['change'] {
  if (to === undefined) return (_, __, at) => ({ value: undefined, stamp: lost ? undefined : deletedAt(at) })
  return (before, _, at) => {
    const { value } = before
    const stamp = alive(before.stamp, at)
    // There is nothing left to change in part.
    if (!whole && value === undefined) return before
    if (!whole && Array.isArray(from) && Array.isArray(to) && Array.isArray(value)) return { value: relist(value, from, to), stamp }
    if (whole || !isPlain(to) || !isPlain(value)) return { value: to, stamp }
    const next: { [field: string]: unknown } = {}
    for (const field of Object.keys(value)) if (!fields.has(field) || Object.hasOwn(to, field)) put(next, field, value[field])
    for (const field of fields) if (Object.hasOwn(to, field)) put(next, field, to[field])
    return { value: Object.freeze(next), stamp }
  }
}

/** What led from one list to another, done to a third: what left leaves, and what came stands after whom it came after. */
function relist(list: readonly unknown[], from: readonly unknown[], to: readonly unknown[]): readonly unknown[] {
  // By what they name: where there are several types a member is an object, and another one in every response.
  const kept = new Set(to.map(memberKey))
  const known = new Set(from.map(memberKey))
  const next = list.filter(member => kept.has(memberKey(member)) || !known.has(memberKey(member)))
  const names = next.map(memberKey)
  to.forEach((member, i) => {
    const name = memberKey(member)
    if (known.has(name) || names.includes(name)) return
    const at = i === 0 ? 0 : names.indexOf(memberKey(to[i - 1])) + 1 || next.length
    next.splice(at, 0, member)
    names.splice(at, 0, name)
  })
  return Object.freeze(next)
}

/** What is there is not deleted. */
function alive(stamp: Stamp | undefined, at: Stamp): Stamp | undefined {
  return stamp?.deleted ? at : stamp
}
