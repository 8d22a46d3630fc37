import type { Meta } from '../base/stamp.ts'
import type { Keeper } from './copy.ts'
import type { Plan, PlanSource } from './plan.ts'

export type { Plan }

/**
 * What schemas and their hosts ask of each other. A schema knows what data looks like; a host knows where it goes
 * (while normalizing) and where it is (while reading). Neither knows how the other does it.
 */

/**
 * A schema object. Shorthands (`[S]`, `{ a: S }`), entity classes and deserializers stand beside it.
 *
 * @example
 * const todos: Schema<Todo[]> = new schema.Collection([Todo])
 */
export abstract class Schema<V = unknown> {
  /** Type-level only: what a view of this schema is. */
  declare readonly '~view': V

  /** Takes `input` apart; returns what is kept in its place: a pk, a list of pks, plain data. */
  abstract normalize(input: unknown, parent: unknown, key: string, host: NormalizeHost): unknown

  /** Puts a view together from what `normalize` returned. */
  abstract denormalize(stored: unknown, host: ViewHost): unknown

  /** What `denormalize` would be given for these arguments, if the store can answer them; else undefined. */
  queryKey(_args: readonly unknown[], _host: QueryHost): unknown {
    return undefined
  }

  // What hosts have to know of some schemas is asked and not found by their class, so that who does not use those does not load them.

  /** @internal The fields of an object, and their schemas. */
  get shape(): { readonly [field: string]: unknown } | undefined {
    return undefined
  }

  /** @internal What it shows is computed. */
  get computes(): boolean {
    return false
  }

  /** @internal What shows everything that it refers to. */
  get followed(): Schema {
    return this
  }

  /** @internal A pk alone is a whole response. */
  get takesPk(): boolean {
    return false
  }
}

/** How rows of one table are merged. Entity classes and collections are policies. */
export interface Policy {
  readonly key: string
  /** How an incoming record, or list, becomes part of what is stored. */
  mergeWithStore(existingMeta: Meta, incomingMeta: Meta, existing: object, incoming: object): object
  /** Whose meta the merged row gets. */
  mergeMetaWithStore(existingMeta: Meta, incomingMeta: Meta, existing: object, incoming: object): Meta
  /** How two records of one response become one. */
  merge(existing: object, incoming: object): object
}

/** A change of every stored collection of one kind; see `Collection.addWith`. */
export interface Membership {
  /** The table of the collections. */
  readonly key: string
  /** What is made by this: nobody can have known it before. */
  created?(): readonly ({ readonly key: string; readonly pk: string } | undefined)[]
  /** Told what there was when it was asked for. A read that was answered meanwhile may tell of its outcome already. */
  since?(before: MembershipHost['before']): void
  /** The collection's next record, fresh; returning `existing` leaves it alone. `has` answers for a list of any length at once. */
  change(
    existing: object,
    collectionKey: { readonly [name: string]: string },
    has: (member: unknown) => boolean,
    store: MembershipHost,
  ): object
}

/** What a membership change may look up. */
export interface MembershipHost {
  /** The record before this response, if there was one. */
  before(key: string, pk: string): object | undefined
  /** The record as this response left it. */
  now(key: string, pk: string): object | undefined
  /** Set by a change that knows which one piece of the list it put in: nobody has to compare two long lists then. */
  added?: { readonly at: number; readonly count: number } | undefined
}

/** A class or collection that a response speaks of. What else is known of it is the host's affair. */
export interface Known {
  readonly policy: Policy
  /** The plan of an entity class; undefined for collections. */
  readonly plan: Plan | undefined
}

/** A row that a response speaks of. What it is made of is the host's affair. */
export interface Entry {
  /** Its `pk` is the one string that everybody uses for it, so that comparing two is looking at two addresses. */
  readonly cell: { readonly pk: string }
}

/** What a schema may ask while it takes a response apart. A throw ends the whole pass, so nothing needs to be put back. */
export interface NormalizeHost extends Keeper {
  readonly args: readonly unknown[]
  /** The nearest enclosing entity; '' outside of any. Set and put back by whoever goes into one. */
  ownerKey: string
  ownerPk: string
  /** True inside a creation schema: an entity without a pk gets a temporary one. */
  creating: boolean
  /** `known` is what the store has in this place, if anything: a hint, given back where it is no different. */
  visit(schema: unknown, value: unknown, parent: unknown, key: string, known?: unknown): unknown
  /** Takes one entity in; gives its pk, or what stands for it. */
  readonly entity: (entity: EntityClass, input: unknown, parent: unknown, key: string, host: NormalizeHost) => unknown
  /** How many are kept. The list is not made shorter, because V8 would give back its room each time. */
  keptCount: number
  /** What is known of a class or collection, looked up once a pass. */
  meet(policy: Policy): Known
  /** Whether a loop over an object literal would meet names that a polluted `Object.prototype` lends it. */
  readonly polluted: boolean
  /** Says that `input` is the row of this pk; undefined when the same object was met there before. */
  enter(about: Known, pk: string, input: object): Entry | undefined
  /** What the store has for it, if that is known: a hint that saves copying what is there already. */
  stored(entry: Entry): Fields | undefined
  /** Leaves what was entered as `stored` gave it. */
  keep(entry: Entry, stored: object): void
  /** Writes the record of what was entered: a fresh one, the host's from here on. */
  write(entry: Entry, record: object): void
  /** A pk for an entity that the server has not named yet. */
  temporaryPk(key: string): string
  /** Marks (policy, pk) deleted. */
  remove(policy: Policy, pk: string): void
  membership(change: Membership): void
  /** Tells the developer, once a pass, what was odd about the data. False where it is no data, but only being tried. */
  warn(sentence: string): boolean
}

/** What a schema may ask while it puts a view together. */
export interface ViewHost {
  readonly args: readonly unknown[]
  visit(schema: unknown, stored: unknown): unknown
  /** The same, with everything it reaches complete: for whoever is going to look into it. */
  settled(schema: unknown, stored: unknown): unknown
  /** What `compute` makes of `entries`; the same result for as long as they are the same. */
  computed(by: object, entries: unknown, compute: () => unknown): unknown
  /** The view of a list of `element`s; the same array for the same stored list, until one of its members changes. */
  list(element: unknown, stored: readonly unknown[]): unknown
  /** The view of an entity: an instance, undefined when it is not there, or INVALID. */
  entity(entity: EntityClass, pk: string): unknown
  /** The members of a collection, as stored; undefined when it is not there. */
  record(key: string, pk: string): object | undefined
  /** The pks of all live entities of a type in the order of arrival; undefined when it was never stored. */
  all(key: string): readonly string[] | undefined
}

/** What a schema may ask to find out whether the store can answer. */
export interface QueryHost {
  has(key: string, pk: string): boolean
  /** The pk of the first row whose `field` has this value. */
  lookup(key: string, field: string, value: unknown): string | undefined
  /** Whether the type was ever stored. */
  known(key: string): boolean
  /** The stored record, for schemas that look into it. */
  record(key: string, pk: string): object | undefined
}

/**
 * A record of an entity: its fields as stored.
 *
 * @example
 * class Trimmed extends Entity {
 *   id = 0
 *   title = ''
 *   static override key = 'Trimmed'
 *   static override process(input: Fields): Fields {
 *     return { ...input, title: String(input['title']).trim() }
 *   }
 * }
 */
export interface Fields {
  readonly [field: string]: unknown
}

/** An entity class, as hosts and plans see it. */
export interface EntityClass extends Policy, PlanSource {
  new (): object
  readonly indexes?: readonly string[]
  readonly prototype: { pk(parent?: unknown, key?: string, args?: readonly unknown[]): unknown }
  pk(value: object, parent?: unknown, key?: string, args?: readonly unknown[]): unknown
  process(input: object, parent: unknown, key: string, args: readonly unknown[]): Fields | undefined
  validate(processed: object): string | undefined | void
  createIfValid(props: object): object | undefined
  // Internal here as they are in `Entity`: declarations that kept them here alone would make no class of a user's an entity.
  /** @internal */
  normalize(input: unknown, parent: unknown, key: string, host: NormalizeHost): unknown
  /** @internal */
  denormalize(stored: unknown, host: ViewHost): unknown
  queryKey(args: readonly unknown[], host: QueryHost): unknown
}

/** Stands for data that must not be shown; never reaches a user. */
export const INVALID: unique symbol = Symbol('INVALID')
