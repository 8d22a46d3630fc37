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

/** What was last made of an intent. */
interface Made {
  beneath?: State | undefined
  after?: State
}

/** The intents in the order in which they were called. The view is the base with all of them over it. */
export class Intents extends Map<Intent, Made> {
  add(intent: Intent): void {
    this.set(intent, {})
  }

  /** Puts another intent where one was, or none. */
  replace(intent: Intent, next: Intent | undefined): void {
    if (next === undefined) this.delete(intent)
    else this.#arrange([...this.keys()].map(each => (each === intent ? next : each)))
  }

  /** Whether an intent before `until`, or any at all, is about something that `footprint` is about too. */
  overlap(footprint: Footprint, until?: Intent): boolean {
    for (const intent of this.keys()) {
      if (intent === until) return false
      if (intent.footprint.overlaps(footprint)) return true
    }
    return false
  }

  /** The first intent after which `test` holds. */
  find(test: (after: State) => boolean): Intent | undefined {
    for (const [intent, { after }] of this) if (after !== undefined && test(after)) return intent
    return undefined
  }

  /** Temporary pks that `maker` made have become real. Who waited for one is sent only now: after those who are about the real one already. */
  move(moved: readonly Moved[], maker: Intent | undefined): void {
    for (const { key, from, to } of moved) {
      const all = [...this.keys()]
      const isAbout = (intent: Intent, table: string, pk: string): boolean => intent !== maker && intent.footprint.rows.get(table)?.has(pk) === true
      const isLate = (intent: Intent): boolean => isAbout(intent, '', from)
      const at = all.map(intent => isAbout(intent, key, to) && !isLate(intent)).lastIndexOf(true) + 1
      const earlier = all.splice(0, at)
      this.#arrange([...earlier.filter(intent => !isLate(intent)), ...earlier.filter(isLate), ...all])
    }
    const names = new Map(moved.map(({ from, to }) => [from, to]))
    for (const [intent, made] of this) {
      const { prepared } = intent
      intent.rename(names)
      // What it expects is another thing now, though nothing beneath it has changed.
      if (intent.prepared !== prepared) made.beneath = undefined
    }
  }

  /** What the base shows. An intent is asked again only where something beneath it has changed. */
  over(base: State): State {
    let at = base
    for (const [intent, made] of this) {
      if (made.beneath !== at) made.after = intent.show(at)
      made.beneath = at
      at = made.after!
    }
    return at
  }

  /** The base has become another one that says the very same. */
  rebase(from: State, to: State): void {
    for (const made of this.values()) {
      if (made.beneath !== from) return
      made.beneath = to
      // Whoever has no effect passes on what is beneath.
      if (made.after === from) made.after = to
    }
  }

  #arrange(intents: readonly Intent[]): void {
    const made = new Map(this)
    this.clear()
    for (const intent of intents) this.set(intent, made.get(intent) ?? {})
  }
}
