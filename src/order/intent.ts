import type { State } from '../store/state.ts'
import type { Footprint } from './footprint.ts'
import type { Prepared } from './prepare.ts'
import type { Moved } from './temporary.ts'

/** Something that is shown over the base: a call that is not settled, or a write that must wait for one. */
export interface Intent {
  readonly footprint: Footprint
  /** What it was last going to do. */
  readonly prepared: Prepared | undefined
  /** What it makes of a version. Never throws: what fails has no effect this time. */
  show(beneath: State): State
  /** Temporary pks have become real. Whatever lies over the one who made them is shown anew. */
  rename(names: ReadonlyMap<string, string>): void
}

/** An intent, and what was last made of it. */
interface Place {
  readonly intent: Intent
  beneath: State | undefined
  after: State | undefined
}

/** The intents in the order in which they were called. The view is the base with all of them over it. */
export class Intents {
  #places: Place[] = []

  get size(): number {
    return this.#places.length
  }

  *[Symbol.iterator](): IterableIterator<Intent> {
    for (const { intent } of this.#places) yield intent
  }

  has(intent: Intent): boolean {
    return this.#places.some(place => place.intent === intent)
  }

  add(intent: Intent): void {
    this.#places.push({ intent, beneath: undefined, after: undefined })
  }

  delete(intent: Intent): void {
    this.#places = this.#places.filter(place => place.intent !== intent)
  }

  /** Puts another intent where one was, or none. */
  replace(intent: Intent, next: Intent | undefined): void {
    if (next === undefined) return this.delete(intent)
    this.#places = this.#places.map(place => (place.intent === intent ? { intent: next, beneath: undefined, after: undefined } : place))
  }

  clear(): void {
    this.#places = []
  }

  /** Whether an intent before `until`, or any at all, is about something that `footprint` is about too. */
  overlap(footprint: Footprint, until?: Intent): boolean {
    for (const { intent } of this.#places) {
      if (intent === until) return false
      if (intent.footprint.overlaps(footprint)) return true
    }
    return false
  }

  /** The first intent after which `test` holds. */
  find(test: (after: State) => boolean): Intent | undefined {
    return this.#places.find(({ after }) => after !== undefined && test(after))?.intent
  }

  /** Temporary pks that `maker` made have become real. Who waited for one is sent only now: after those who are about the real one already. */
  move(moved: readonly Moved[], maker: Intent | undefined): void {
    for (const { key, from, to } of moved) {
      const isAbout = ({ intent }: Place, table: string, pk: string): boolean => intent !== maker && intent.footprint.rows.get(table)?.has(pk) === true
      const isLate = (place: Place): boolean => isAbout(place, '', from)
      const at = this.#places.map(place => isAbout(place, key, to) && !isLate(place)).lastIndexOf(true) + 1
      const earlier = this.#places.splice(0, at)
      this.#places.unshift(...earlier.filter(place => !isLate(place)), ...earlier.filter(isLate))
    }
    const names = new Map(moved.map(({ from, to }) => [from, to]))
    for (const place of this.#places) {
      const { prepared } = place.intent
      place.intent.rename(names)
      // What it expects is another thing now, though nothing beneath it has changed.
      if (place.intent.prepared !== prepared) place.beneath = undefined
    }
  }

  /** What the base shows. An intent is asked again only where something beneath it has changed. */
  over(base: State): State {
    let at = base
    for (const place of this.#places) {
      if (place.beneath !== at) place.after = place.intent.show(at)
      place.beneath = at
      at = place.after!
    }
    return at
  }

  /** The base has become another one that says the very same. */
  rebase(from: State, to: State): void {
    for (const place of this.#places) {
      if (place.beneath !== from) return
      place.beneath = to
      // Whoever has no effect passes on what is beneath.
      if (place.after === from) place.after = to
    }
  }
}
