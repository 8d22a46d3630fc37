import { indexed } from '../store/lookup.ts'
import type { Row } from '../store/rows.ts'
import type { LiveEntity } from './liveEntity.ts'
import { LiveIndex } from './liveIndex.ts'
import type { LiveType } from './liveType.ts'
import type { Source } from './tracker.ts'
import type { Use } from './use.ts'

/** The rows of a table, as a list. */
export interface TableMembers {
  /** In the order of arrival, until one comes or goes. */
  pks: readonly string[] | undefined
  source: Source | undefined
}

/** The live objects of one class. */
export interface LiveObjects {
  readonly type: LiveType
  readonly byPk: LiveIndex<LiveEntity>
}

/** What is being read of one table. Each part is here for as long as somebody holds or reads it. */
export class LiveTable {
  /** One for each class: they may share a table. */
  readonly objects: LiveObjects[] = []
  /** Who asked whether a row is there, and who looked into it; by pk. */
  readonly presence: LiveIndex<Source> = new LiveIndex()
  readonly content: LiveIndex<Source> = new LiveIndex()
  /** Who asked for a row by the value of a field. */
  readonly lookups: Map<string, LiveIndex<Source>> = new Map()
  members: WeakRef<TableMembers> | undefined

  /** Triggers what readers of the table, other than live objects, depend on. Where a row has moved another of one value may be the first. */
  tell(pk: string, before: Row | undefined, after: Row | undefined, moved: boolean): void {
    if (before !== after) this.content.get(pk)?.trigger()
    if ((before === undefined) !== (after === undefined)) this.presence.get(pk)?.trigger()
    if (before === undefined || after === undefined) this.#tellMembers(moved || before !== after)
    for (const [field, byValue] of this.lookups) {
      if (moved) byValue.forEach(value => byValue.get(value)?.trigger())
      const from = indexed(before, field)
      const to = indexed(after, field)
      if (from === to) continue
      if (from !== undefined) byValue.get(from)?.trigger()
      if (to !== undefined) byValue.get(to)?.trigger()
    }
  }

  /** Tells which rows somebody looks at, other than as live objects. */
  forEachUse(key: string, use: Use): void {
    for (const rows of [this.presence, this.content]) rows.forEach(pk => use.row(key, pk))
    if (this.members?.deref()?.source !== undefined) use.table(key)
  }

  /** A mark of what is not there says nothing to them, unless it is all that is known of the table. */
  #tellMembers(changed: boolean): void {
    const members = this.members?.deref()
    if (members === undefined || (!changed && members.pks?.length)) return
    members.pks = undefined
    members.source?.trigger()
  }
}
