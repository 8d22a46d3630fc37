import { canonical } from '../base/keys.ts'
import { equal, hasOwn } from '../base/plain.ts'
import type { Fields } from '../schema/interface.ts'
import { eachChange } from '../store/changes.ts'
import type { Patch } from '../store/immer.ts'
import type { Row, State } from '../store/State.ts'

/**
 * A field that an undo left alone, because somebody else has changed it since.
 *
 * @example
 * const name = ({ key, pk, field }: Kept): string => [key, pk, field].join('/') // 'Todo/1/title'
 */
export interface Kept {
  readonly key: string
  readonly pk: string
  /** Undefined: the whole row. */
  readonly field?: string
}

/** A row that a step changed. Stored instead of the states before and after, which would keep everything else alive. */
export interface RowChange {
  readonly key: string
  readonly pk: string
  readonly before: Row | undefined
  readonly after: Row | undefined
}

export function rowChanges(from: State, to: State): RowChange[] {
  const changes: RowChange[] = []
  eachChange(from, to, ({ table, pk }, before, after) => table.ordinal >= 0 && changes.push({ key: table.key, pk, before, after }))
  return changes
}

/** The patches that take `changes` back in `now`, without touching what others have done since. */
export function inverseOf(changes: readonly RowChange[], now: State): { readonly patches: Patch[]; readonly kept: Kept[] } {
  const patches: Patch[] = []
  const kept: Kept[] = []
  for (const change of changes) {
    const { key, pk, before, after } = change
    const path = ['entities', key, pk]
    const cell = now.cell(key, pk)
    const current = cell && now.read(cell)
    if (current === before) continue
    if (before === undefined || after === undefined || current === undefined || Array.isArray(current) !== Array.isArray(before)) {
      // A row that came or went with the step goes or comes back, unless somebody changed it meanwhile.
      if (!equal(after, current)) kept.push({ key, pk })
      else patches.push(before === undefined ? { op: 'remove', path } : { op: 'add', path, value: before })
    } else if (Array.isArray(current)) patches.push({ op: 'replace', path, value: members(before as unknown[], after as unknown[], current) })
    else fields(change, current as Fields, patches, kept)
  }
  return { patches, kept }
}

function fields({ key, pk, before, after }: RowChange, now: Fields, patches: Patch[], kept: Kept[]): void {
  const [old, made] = [before as Fields, after as Fields]
  for (const field of new Set([...Object.keys(old), ...Object.keys(made)])) {
    if (equal(old[field], made[field]) && hasOwn(old, field) === hasOwn(made, field)) continue
    const path = ['entities', key, pk, field]
    if (!equal(now[field], made[field])) kept.push({ key, pk, field })
    else if (!hasOwn(old, field)) patches.push({ op: 'remove', path })
    else patches.push({ op: hasOwn(now, field) ? 'replace' : 'add', path, value: old[field] })
  }
}

/** By member, not by index: added members go, removed ones come back behind their old neighbor. */
function members(before: readonly unknown[], after: readonly unknown[], now: readonly unknown[]): unknown[] {
  const [was, made, left] = [before, after, now].map(list => new Map(list.map(member => [canonical(member), member]))) as [Map<string, unknown>, Map<string, unknown>, Map<string, unknown>]
  for (const name of made.keys()) if (!was.has(name)) left.delete(name)
  let behind: unknown[] = []
  const next = [behind]
  const returning = new Map<string, unknown[]>()
  was.forEach((member, name) => {
    if (left.has(name)) returning.set(name, (behind = []))
    else if (!made.has(name)) behind.push(member)
  })
  left.forEach((member, name) => next.push([member], returning.get(name) ?? []))
  return next.flat()
}
