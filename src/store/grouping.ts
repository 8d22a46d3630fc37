import type { Stamp } from '../base/stamp.ts'
import type { StampGroup } from './apply.ts'
import type { Cell } from './cell.ts'

interface Open extends StampGroup {
  readonly pks: string[]
}

/** Stamps as they are set, gathered into groups of rows that follow each other with the same one. */
export class Grouping {
  readonly #groups: Open[] = []
  /** For each table the group that is being added to. */
  readonly #last: (Open | undefined)[] = []

  add({ pk, table }: Cell, stamp: Stamp | null): void {
    let group = this.#last[table.ordinal]
    if (group === undefined || group.stamp !== stamp) {
      this.#groups.push((group = this.#last[table.ordinal] = { key: table.key, pks: [], stamp }))
    }
    // Not a push: V8 takes a list that began empty for one of numbers, and then calls instead of writing.
    group.pks[group.pks.length] = pk
  }

  /** The groups. Ends the gathering. */
  finish(): readonly StampGroup[] {
    for (const group of this.#groups) Object.freeze(Object.freeze(group).pks)
    return Object.freeze(this.#groups)
  }
}
