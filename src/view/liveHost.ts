import type { EntityClass, Fields, Schema, ViewHost } from '../schema/interface.ts'
import type { Tracker } from './tracker.ts'

/** Somebody who shows a live entity, and is told when it comes or goes. What it follows refers to it weakly. */
export interface Follower {
  /** Told that `member` came or went; false when this shows it no longer, and need not be told again. */
  memberChanged(member: Member): boolean
}

/** A live entity, to those who show it. */
export interface Member {
  /** The live object; undefined when there is no row, INVALID when it must not be shown. */
  readonly shown: unknown
  /** The live object, also of a row that is gone; undefined when there never was one. */
  readonly last: object | undefined
  /** What is shown; whoever is running depends on it. */
  look(): unknown
  follow(follower: WeakRef<Follower>): void
}

/** Where something is shown: an entity's field, a root. It makes sure that the same things are shown by the same objects. */
export interface Surroundings {
  readonly args: readonly unknown[]
  list(host: LiveHost, element: unknown, stored: readonly unknown[]): unknown
  query(host: LiveHost, schema: Schema, stored: unknown): unknown
  /** A live entity of a raw object that stands where a pk is expected. */
  inPlace(host: LiveHost, entity: EntityClass, stored: Fields): unknown
}

/** What live objects ask of the store they show, besides what schemas ask. */
export interface LiveHost extends ViewHost {
  readonly tracker: Tracker
  /** Where the walk under way is. */
  place: Surroundings | undefined
  /** The live entity that `stored` stands for; `null` for null, undefined when it is not plainly an entity. */
  member(schema: unknown, stored: unknown): Member | null | undefined
  /** The live entity of a record that is no row. */
  rowless(entity: EntityClass, record: Fields): Member
  /** Who shows an array or object: alive as long as that is held, so that it is found again. */
  readonly origins: WeakMap<object, object>
  report(error: unknown): void
}
