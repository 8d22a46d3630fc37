import { equal, hasOwn, isPlain } from '../base/plain.ts'
import { rebaseValue } from '../normalize/rebase.ts'
import type { Patch } from '../store/immer.ts'
import { eachChange } from '../store/patches.ts'
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
export interface UndoableChange {
  readonly key: string
  readonly pk: string
  readonly before: Row | undefined
  readonly after: Row | undefined
  /** The same with the former pk of a row that was created again since: the store may still have it. */
  readonly former?: Row | undefined
}

export function rowChanges(from: State, to: State): UndoableChange[] {
  const changes: UndoableChange[] = []
  eachChange(from, to, ({ isEntity, table, pk }, before, after) => isEntity && changes.push({ key: table.key, pk, before, after }))
  return changes
}

/** The patches that undo `changes` in `now`. Fields that others have changed since are conflicts, and stay as they are. */
export function inverseOf(changes: readonly UndoableChange[], now: State): { readonly patches: Patch[]; readonly kept: Kept[] } {
  const patches: Patch[] = []
  const conflicts: Kept[] = []
  for (const { key, pk, before, after, former } of changes) {
    const current = now.row(key, pk)
    const revert = (values: readonly unknown[], field?: string): void => {
      const [before, after, current] = values
      const path = ['entities', key, pk, field ?? []].flat()
      if (equal(before, after) || equal(before, current)) return
      if (field === undefined && values.every(Array.isArray)) patches.push({ op: 'replace', path, value: rebaseValue(current, after, before) })
      else if (field === undefined && values.every(isPlain)) for (const name of Object.keys({ ...(before as object), ...(after as object) })) revert(values.map(value => (hasOwn(value, name) ? value[name] : undefined)), name)
      else if (!equal(after, current)) conflicts.push({ key, pk, ...(field !== undefined && { field }) })
      else patches.push({ op: before === undefined ? 'remove' : 'replace', path, value: before })
    }
    revert([before, after, former && equal(former, current) ? after : current])
  }
  return { patches, kept: conflicts }
}
