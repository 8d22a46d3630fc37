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
    const group = this.#last[table.ordinal]
    if (group === undefined || group.stamp !== stamp) this.#groups.push((this.#last[table.ordinal] = { key: table.key, pks: [pk], stamp }))
    else group.pks.push(pk)
  }

  /** The groups. Ends the gathering. */
  finish(): readonly StampGroup[] {
    for (const group of this.#groups) Object.freeze(Object.freeze(group).pks)
    return Object.freeze(this.#groups)
  }
}
