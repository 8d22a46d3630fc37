import { middleOf } from '../base/middle.ts'
import { INVALID } from '../schema/interface.ts'
import { alike } from './alike.ts'
import type { Follower, LiveHost, Member } from './liveHost.ts'
import type { Source } from './tracker.ts'

/**
 * An array of live objects: another one only when members came, went or moved. Its members tell it when they may be
 * shown or no longer so; a change of their fields is none of its business.
 */
export class LiveList implements Follower {
  declare readonly element: unknown
  /** Where it is shown; kept alive by it. */
  declare readonly place: object
  readonly ref: WeakRef<LiveList> = new WeakRef(this)
  /** The walk of its place that last showed it. */
  used: number = 0
  stored: readonly unknown[] = NONE
  #members: readonly (Member | null)[] = []
  #value: readonly unknown[] | undefined
  #stale = true
  #source: Source | undefined

  constructor(element: unknown, place: object) {
    this.element = element
    this.place = place
  }

  /** The array for `stored`; undefined when its members are not plainly entities. */
  show(host: LiveHost, stored: readonly unknown[]): readonly unknown[] | undefined {
    if (stored !== this.stored && !this.#place(host, stored)) return undefined
    if (this.#stale) this.#fill(host)
    if (host.tracker.isTracking()) (this.#source ??= host.tracker.source(this)).track()
    return this.#value
  }

  memberChanged(member: Member): boolean {
    if (this.#stale) return true
    if (!this.#members.includes(member)) return false
    // Deleted without ever having been there, say: the list was without it, and stays so.
    if (typeof member.shown !== 'object' && !this.#value!.includes(member.last)) return true
    this.#stale = true
    this.#source?.trigger()
    return true
  }

  /** Most members stay where they were, or move together: only those between are looked up. */
  #place(host: LiveHost, stored: readonly unknown[]): boolean {
    const members = this.#members
    const { start, end, shift } = middleOf(this.stored, stored, members.length)
    const fresh: (Member | null)[] = []
    for (let i = start; i < end; i++) {
      const member = host.member(this.element, stored[i])
      if (member === undefined) return false
      fresh.push(member)
    }
    for (const member of fresh) member?.follow(this.ref)
    // Members that left still know this list. It says so when they next tell it something.
    this.#members = members.slice(0, start).concat(fresh, members.slice(end - shift))
    this.stored = stored
    this.#stale = true
    return true
  }

  #fill(host: LiveHost): void {
    const next: unknown[] = []
    for (const member of this.#members) {
      const shown = member === null ? null : member.shown
      if (shown !== undefined && shown !== INVALID) next.push(shown)
    }
    this.#stale = false
    if (alike(this.#value, next)) return
    this.#value = Object.freeze(next)
    // Whoever holds the array will find it here again.
    host.origins.set(next, this)
  }
}

const NONE: readonly unknown[] = []
