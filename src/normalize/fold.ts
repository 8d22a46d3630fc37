import { ValidationError } from '../base/errors.ts'
import { parsed } from '../base/keys.ts'
import { middleOf } from '../base/middle.ts'
import { copyRecord, own, put, share } from '../base/plain.ts'
import type { Stamp } from '../base/stamp.ts'
import { memberKey } from '../schema/member.ts'
import type { Fields, MembershipHost, Plan } from '../schema/interface.ts'
import type { Cell } from '../store/cell.ts'
import type { Draft, RowWriting } from '../store/draft.ts'
import type { Row } from '../store/rows.ts'
import { cellOf, readRow, rowOf } from '../store/state.ts'
import { NEW, Remove, UNSURE, Write, type Members, type Operation } from './operation.ts'

/** A row that came without a stamp is older than everything. */
export const UNSTAMPED: Stamp = /* @__PURE__ */ Object.freeze({ fetchedAt: 0, date: 0, expiresAt: 0 })

/**
 * The second phase: does `operations` to a draft, with `stamp` as their place in time. They are `fresh` where they were made
 * over this draft and nothing was done to it since: then what the first phase has found there is still true.
 */
export function fold(draft: Draft, operations: readonly Operation[], stamp: Stamp, fresh = false): void {
  let deleted: Stamp | undefined
  for (let i = 0; i < operations.length; i++) {
    const operation = operations[i]!
    if (operation instanceof Write) {
      if (!fresh || operation.found === UNSURE) foldWrite(draft, operation, stamp)
      else if (operation.found === NEW) foldNew(draft, operation, stamp)
      else foldSame(draft, operation.cell, stamp)
    } else if (operation instanceof Remove) foldRemove(draft, operation, (deleted ??= deletedAt(stamp)))
    else foldMembers(draft, operation, draft.filled(operation.table), membershipHost(draft))
  }
}

/** Does to one row what concerns no other. */
export function foldRow(draft: RowWriting, operation: Write | Remove, stamp: Stamp): void {
  if (operation instanceof Write) foldWrite(draft, operation, stamp)
  else foldRemove(draft, operation, deletedAt(stamp))
}

/** The stamp of a row that was deleted then. */
export function deletedAt(stamp: Stamp): Stamp {
  return Object.freeze({ ...stamp, deleted: true })
}

function foldNew(draft: Draft, added: Write, stamp: Stamp): void {
  const row = Object.freeze(added.record as Row)
  // It is kept for as long as its patch is, and must not keep the response.
  added.input = undefined
  draft.insert(added as Write & { readonly record: Row }, stamp)
  if (added.about.plan === undefined) keepMembers(added.cell, row)
}

function foldSame(draft: Draft, cell: Cell, stamp: Stamp): void {
  const known = draft.stamp(cell)
  if (known === undefined || stamp.fetchedAt >= known.fetchedAt) draft.mark(cell, stamp)
}

function foldWrite(draft: RowWriting, { cell, about, record }: Write, at: Stamp): void {
  const { policy, plan } = about
  const existing = draft.row(cell)
  const incoming = record as Row
  const known = draft.stamp(cell)
  const existingMeta = known ?? UNSTAMPED
  // Just before what is known: where a version says that it is the newer one all the same, this becomes the row's own stamp.
  const stamp = about.first && (existing !== undefined || known?.deleted) ? Object.freeze({ ...at, fetchedAt: existingMeta.fetchedAt - 1 }) : at
  if (existing === undefined) {
    // An answer from before the deletion does not bring the entity back.
    if (known?.deleted && stamp.fetchedAt < known.fetchedAt) return
    // A response may delete a row and write it again; if nothing differs in the end, nothing has changed.
    const before = known?.deleted ? rowOf(draft.before, cell) : undefined
    const next = before === undefined ? Object.freeze(incoming) : following(before, Object.freeze(incoming))
    draft.write(cell, next)
    if (plan === undefined) keepMembers(cell, next)
    draft.mark(cell, stamp)
    return
  }
  if (plan !== undefined && !plan.custom.merge) {
    const older = stamp.fetchedAt < existingMeta.fetchedAt
    if (incoming !== existing) {
      // Of the older only the fields that nobody has told of since.
      const next = older ? following(existing, { ...incoming, ...existing }) : overlay(existing as Fields, incoming as Fields, plan)
      if (next !== existing) draft.write(cell, next)
    }
    if (!older) draft.mark(cell, stamp)
    return
  }
  // Frozen before anybody else sees it: an operation may be kept, and done again.
  const merged = policy.mergeWithStore(existingMeta, stamp, existing, Object.freeze(incoming))
  if (typeof merged !== 'object' || merged === null) {
    throw new ValidationError(`${policy.key}: merge must return the record, it gave ${String(merged)}.`, merged)
  }
  const next = merged === existing ? existing : following(existing, merged === incoming ? incoming : (own(merged) as Row))
  if (next !== existing) draft.write(cell, next)
  if (plan === undefined) keepMembers(cell, next)
  const meta = policy.mergeMetaWithStore(existingMeta, stamp, existing, incoming)
  if (meta !== existingMeta) draft.mark(cell, meta === stamp ? stamp : Object.freeze({ ...meta }))
}

/** `existing` with the fields of `incoming` that differ; `existing` itself when none does. */
function overlay(existing: Fields, incoming: Fields, plan: Plan): Fields {
  let next: { [field: string]: unknown } | undefined
  for (const field of Object.keys(incoming)) {
    const value = incoming[field]
    const old = existing[field]
    if (old === value && Object.hasOwn(existing, field)) continue
    const shared = share(old, value)
    if (Object.is(shared, old) && Object.hasOwn(existing, field)) continue
    next ??= copyOf(existing, plan)
    put(next, field, shared)
  }
  return next === undefined ? existing : Object.freeze(next)
}

/** An open copy, by the class's own copier: this is done for every field that changes. */
function copyOf(record: Fields, plan: Plan): { [field: string]: unknown } {
  try {
    const copy = plan.copy(record, plan, 0, undefined)
    if (copy !== undefined) return copy
  } catch {
    // A name that a frozen `Object.prototype` has.
  }
  return copyRecord(record)
}

/** An owned row, with what did not change as `existing` has it, and its fields first: the order that patches would give it. */
function following(existing: Row, row: Row): Row {
  const next = share(existing, row) as Row
  if (next === existing || Array.isArray(existing) || Array.isArray(next)) return next
  const record: { [field: string]: unknown } = {}
  for (const field of [...Object.keys(existing), ...Object.keys(next)]) {
    if (Object.hasOwn(next, field)) put(record, field, (next as Fields)[field])
  }
  return Object.freeze(record)
}

function foldRemove(draft: RowWriting, { cell }: Remove, deleted: Stamp): void {
  const known = draft.stamp(cell)
  // A deletion that was asked for before the row was fetched again says nothing about the new one.
  if (known !== undefined && deleted.fetchedAt < known.fetchedAt) return
  draft.write(cell, undefined)
  draft.mark(cell, deleted)
}

/** What is derived from a collection's cell: its parsed pk, and a set of the members of the list last asked about. */
class CollectionMemo {
  declare readonly key: { readonly [name: string]: string } | undefined
  #list: readonly unknown[] = []
  readonly #members = new Set<unknown>()

  constructor(pk: string) {
    // A collection whose pk is no JSON object has no arguments that a creation could match.
    this.key = parsed(pk) as { [name: string]: string } | undefined
  }

  has(list: Row, member: unknown): boolean {
    if (!Array.isArray(list)) return Object.values(list).some(each => memberKey(each) === memberKey(member))
    if (this.#list !== list) this.#moveTo(list)
    return this.#members.has(memberKey(member))
  }

  /** The list that was last asked about became `next` by `count` members at one place. */
  add(list: Row, next: readonly unknown[], at: number, count: number): void {
    if (this.#list !== list) return
    for (let i = at; i < at + count; i++) this.#members.add(memberKey(next[i]))
    this.#list = next
  }

  /** Versions of a list differ in few places: only what differs leaves and enters the set. */
  #moveTo(list: readonly unknown[]): void {
    const from = this.#list
    const { start, end, shift } = middleOf(from, list, from.length)
    for (let i = start; i < end - shift; i++) this.#members.delete(memberKey(from[i]))
    for (let i = start; i < end; i++) this.#members.add(memberKey(list[i]))
    // A list from outside may name a member twice; then what left may still be there.
    if (this.#members.size !== list.length) for (const member of list) this.#members.add(memberKey(member))
    this.#list = list
  }
}

/** What a change of members may look up while it is done to a draft. */
function membershipHost(draft: Draft): MembershipHost {
  return {
    before: (key, pk) => readRow(draft.before, key, pk),
    now: (key, pk) => {
      const cell = cellOf(draft, key, pk)
      return cell && draft.row(cell)
    },
  }
}

/** Changes the members of `cells`, which are collections of one table. */
export function foldMembers(draft: RowWriting, { membership }: Members, cells: readonly Cell[], host: MembershipHost): void {
  for (const cell of cells) {
    const memo = memoOf(cell)
    const existing = draft.row(cell)
    if (memo.key === undefined || existing === undefined) continue
    host.added = undefined
    const next = membership.change(existing, memo.key, member => memo.has(existing, member), host) as Row
    if (next === existing) continue
    if (host.added === undefined) draft.write(cell, Object.freeze(next))
    else {
      const { at, count } = host.added
      memo.add(existing, next as readonly unknown[], at, count)
      draft.write(cell, Object.freeze(next), { from: at, removed: 0, at, added: count })
    }
  }
}

/** A long list keeps a set of its members from the start: the first push must not cost what all later ones save. */
function keepMembers(cell: Cell, list: Row): void {
  if (Array.isArray(list) && list.length > 1000) memoOf(cell).has(list, undefined)
}

function memoOf(cell: Cell): CollectionMemo {
  if (!(cell.memo instanceof CollectionMemo)) cell.memo = new CollectionMemo(cell.pk)
  return cell.memo as CollectionMemo
}
