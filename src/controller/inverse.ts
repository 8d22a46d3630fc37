import { canonical } from '../base/keys.ts'
import { equal } from '../base/plain.ts'
import { forEachRow } from '../store/changes.ts'
import type { Patch } from '../store/immer.ts'
import type { Row } from '../store/rows.ts'
import { readRow, type State } from '../store/state.ts'

/**
 * A field that was left alone, because somebody else has changed it since.
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

/** A row that a step has changed. Kept instead of the versions before and after, which would hold everything else too. */
export interface RowChange {
  readonly key: string
  readonly pk: string
  readonly old: Row | undefined
  readonly made: Row | undefined
}

export function changesOf(before: State, after: State): RowChange[] {
  const changes: RowChange[] = []
  forEachRow(before, after, ({ table, pk }, old, made) => void changes.push({ key: table.key, pk, old, made }))
  return changes
}

/** What takes `changes` back in `now`, without touching what others have done since. */
export function inverseOf(changes: readonly RowChange[], now: State): { readonly patches: Patch[]; readonly kept: Kept[] } {
  const patches: Patch[] = []
  const kept: Kept[] = []
  for (const change of changes) {
    const { key, pk, old, made } = change
    const current = readRow(now, key, pk)
    if (current === old) continue
    if (old === undefined || made === undefined || current === undefined || Array.isArray(current) !== Array.isArray(old)) wholeRow(change, current, patches, kept)
    else if (Array.isArray(current)) members(change, old as readonly unknown[], made as readonly unknown[], current, patches)
    else fields(change, old as Fields, made as Fields, current as Fields, patches, kept)
  }
  return { patches, kept }
}

interface Fields {
  readonly [field: string]: unknown
}

/** A row that came or went with the step goes or comes back, unless somebody has changed it meanwhile. */
function wholeRow({ key, pk, old, made }: RowChange, now: Row | undefined, patches: Patch[], kept: Kept[]): void {
  const path = ['entities', key, pk]
  if (!equal(made, now)) kept.push({ key, pk })
  else if (old === undefined) patches.push({ op: 'remove', path })
  else patches.push({ op: 'add', path, value: old })
}

function fields({ key, pk }: RowChange, old: Fields, made: Fields, now: Fields, patches: Patch[], kept: Kept[]): void {
  for (const field of new Set([...Object.keys(old), ...Object.keys(made)])) {
    if (equal(old[field], made[field]) && Object.hasOwn(old, field) === Object.hasOwn(made, field)) continue
    const path = ['entities', key, pk, field]
    if (!equal(now[field], made[field])) kept.push({ key, pk, field })
    else if (!Object.hasOwn(old, field)) patches.push({ op: 'remove', path })
    else patches.push({ op: Object.hasOwn(now, field) ? 'replace' : 'add', path, value: old[field] })
  }
}

type Named = Map<string, unknown>

/** By pk and not by place: what the step put in goes, what it took out comes back beside its old neighbour. */
function members({ key, pk }: RowChange, old: readonly unknown[], made: readonly unknown[], now: readonly unknown[], patches: Patch[]): void {
  const [was, put, left] = [old, made, now].map(list => new Map(list.map(member => [canonical(member), member]))) as [Named, Named, Named]
  for (const name of put.keys()) if (!was.has(name)) left.delete(name)
  /** What comes back, behind the neighbour that it stood behind, or first. */
  let behind: unknown[] = []
  const next = [behind]
  const returning = new Map<string, unknown[]>()
  was.forEach((member, name) => {
    if (left.has(name)) returning.set(name, (behind = []))
    else if (!put.has(name)) behind.push(member)
  })
  left.forEach((member, name) => next.push([member], returning.get(name) ?? []))
  patches.push({ op: 'replace', path: ['entities', key, pk], value: next.flat() })
}
