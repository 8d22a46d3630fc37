import type { Item } from './place.ts'
import type { Step, Version } from './step.ts'

/** One step of an item, and what its cell holds after it. */
export interface Entry extends Version {
  readonly item: Item
  readonly step: Step
}

/** What was done to one cell since the oldest read that is under way began, in order of place. Never changes. */
export class Column {
  /** What the cell held before all of it. */
  declare readonly floor: Version
  declare readonly entries: readonly Entry[]

  constructor(floor: Version, entries: readonly Entry[]) {
    this.floor = floor
    this.entries = entries
  }

  /** The place of the last entry. */
  get top(): number {
    return placeOf(this.entries[this.entries.length - 1])
  }

  /** The entries and, at `index`, one more. */
  with(index: number, entry: Entry): Entry[] {
    return [...this.entries.slice(0, index), entry, ...this.entries.slice(index)]
  }

  /** Where something at `place` belongs: after what has the same place. */
  indexFor(place: number): number {
    let at = this.entries.length
    while (at > 0 && placeOf(this.entries[at - 1]) > place) at--
    return at
  }

  /** The first that does not lie below `place`. */
  firstFrom(place: number): number {
    const from = this.entries.findIndex(entry => placeOf(entry) >= place)
    return from < 0 ? this.entries.length : from
  }

  /** What the cell holds just before the entry at `index`. */
  before(index: number): Version {
    return index > 0 ? this.entries[index - 1]! : this.floor
  }

  /** Without what lies below `place`: that becomes the floor. */
  above(place: number): Column {
    const count = this.firstFrom(place)
    return count === 0 ? this : new Column(this.before(count), this.entries.slice(count))
  }
}

function placeOf(entry: Entry | undefined): number {
  return entry === undefined ? -Infinity : entry.item.stamp.fetchedAt
}
