import type { Meta } from '../base/stamp.ts'

/**
 * The contract between schemas and their hosts. A schema knows the shape of data. A `Walk` takes a response apart
 * and knows where its parts go; a `ViewHost` builds a view and knows where the parts are.
 */

/**
 * A schema object. Shorthands (`[S]`, `{ a: S }`), entity classes and deserializers are accepted beside it.
 *
 * @example
 * const todos: Schema<Todo[]> = new schema.Collection([Todo])
 */
export abstract class Schema<V = unknown> {
  /** Type-level only: the view of this schema. */
  declare readonly '~view': V

  /** Takes `input` apart; returns its stored form: a pk, a list of pks, plain data. */
  abstract normalize(input: unknown, parent: unknown, key: string, walk: Walk): unknown

  /** Builds a view from the stored form that `normalize` returned. */
  abstract denormalize(stored: unknown, host: ViewHost): unknown

  /** The stored form for these arguments, as `denormalize` takes it, if the store can answer them; else undefined. */
  queryKey(_args: readonly unknown[], _host: ViewHost): unknown {
    return undefined
  }
}

/** A handler of a schema: a `Schema`, an entity class, or the compiled form of a shorthand. */
export interface Handler {
  normalize(input: unknown, parent: unknown, key: string, walk: Walk): unknown
  denormalize(stored: unknown, host: ViewHost): unknown
  queryKey(args: readonly unknown[], host: ViewHost): unknown
}

/** How two records of one row become one. Entity classes and collections have one. */
export interface MergePolicy {
  readonly key: string
  /** Merges two records of one response. */
  merge(existing: object, incoming: object): object
  /** Merges an incoming record into the stored one. */
  mergeWithStore(existingMeta: Meta, incomingMeta: Meta, existing: object, incoming: object): object
  /** The meta that the merged row gets. */
  mergeMetaWithStore(existingMeta: Meta, incomingMeta: Meta, existing: object, incoming: object): Meta
}

/** A change of every stored collection of one table, such as adding a member. */
export interface MembershipChange {
  /** The table of the collections. */
  readonly key: string
  /** Whether `change` looks records up. */
  readonly readsRecords?: boolean
  /** Whether the server may have other members in a list than the store has after `change`. */
  readonly unsure?: ((collectionKey: { readonly [name: string]: string }, existing: object, recordOf: (key: string, pk: string) => object | undefined) => boolean) | undefined
  /** The next members of one collection; returning `existing` leaves it alone. */
  change(existing: object, collectionKey: { readonly [name: string]: string }, lookup: RecordLookup): object
}

/** The lookups of a membership change. */
export interface RecordLookup {
  /** The records before this response: when it arrived, and when it was asked for. */
  before(key: string, pk: string): readonly object[]
  /** The record after this response. */
  after(key: string, pk: string): object | undefined
}

/** The methods that a schema calls while it takes a response apart. A throw ends the walk, so nothing has to be restored. */
export interface Walk {
  readonly args: readonly unknown[]
  /** The nearest enclosing entity. */
  readonly owner: { readonly key: string; readonly pk: string } | undefined
  /** The input is only looked at to find out which rows it is about. */
  readonly shallow: boolean | undefined
  visit(schema: unknown, value: unknown, parent: unknown, key: string): unknown
  /** Visits each member of a list with one schema. */
  list(element: unknown, items: readonly unknown[], parent: unknown, key: string): readonly unknown[]
  /** The fields of an object: those in `schema` by their schema, the others as plain data. */
  fields(schema: Fields, value: object): { [field: string]: unknown }
  /** Plain data that belongs to the store. */
  take(value: unknown): unknown
  /** Takes one entity in; returns its pk, or what stands for it. */
  entity(entity: EntityClass, input: unknown, parent: unknown, key: string): unknown
  /** Writes a record that belongs to the store. */
  write(policy: MergePolicy, pk: string, record: object): void
  /** Marks a row as deleted. */
  remove(entity: EntityClass, pk: string): void
  /** Runs `visit` inside of a creation: an optimistic entity without a pk gets a temporary one. */
  creating<T>(visit: () => T): T
  changeMembers(change: MembershipChange): void
}

/** The methods that a schema calls while it builds a view, or looks for one. */
export interface ViewHost {
  readonly args: readonly unknown[]
  visit(schema: unknown, stored: unknown): unknown
  /** The view of an entity: an instance, undefined when it is missing, or INVALID. An object instead of a pk is shown as its record. */
  entity(entity: EntityClass, stored: unknown): unknown
  /** The view of a stored collection. */
  collection(collection: CollectionSource, pk: string): unknown
  /** The views of `members`, without those that are missing or INVALID. */
  list(element: unknown, members: readonly unknown[]): unknown
  /** The result of `schema.queryKey` for these arguments. */
  queryKey(schema: unknown, args: readonly unknown[]): unknown
  /** The result of `compute`; the same for as long as `inputs` are the same. */
  computed(by: object, inputs: unknown, compute: () => unknown): unknown
  has(key: string, pk: string): boolean
  /** The pks of all entities of a type in order of arrival; undefined when it was never stored. */
  all(key: string): readonly string[] | undefined
  /** The pk of the first row whose `field` has this value. */
  lookup(key: string, field: string, value: unknown): string | undefined
}

/** Optional members of a schema, for those who show it or follow what it shows. */
export interface Traits {
  /** Of an object: the schemas of its fields. */
  readonly shape?: Fields
  /** Of a list or map: the schema of one member. */
  readonly member?: unknown
  /** Of a list or map: encloses the key of a collection over it. */
  readonly brackets?: string
  /** Its view may be undefined though there is an answer. */
  readonly computes?: boolean
  /** Of a lazy relation: the schema that reads it. */
  readonly query?: unknown
  /** It takes a pk instead of a response. */
  readonly takesPk?: boolean
  /** The view of an answer, where that is not the view of what is stored. */
  answerView?(value: unknown, args: readonly unknown[]): unknown
  /** Of several types: what tells them apart. */
  readonly attribute?: unknown
  /** Of several types: the type and the pk of a stored member. */
  resolve?(stored: unknown): readonly [type: unknown, pk: unknown] | undefined
}

/** A collection, as hosts see it. */
export interface CollectionSource extends MergePolicy {
  /** @internal The schema of the stored members. */
  readonly definition: unknown
}

/**
 * The fields of a record, as stored.
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

/** An entity class, as hosts see it. */
export interface EntityClass extends MergePolicy {
  new (): object
  readonly schema: Fields
  readonly indexes?: readonly string[]
  readonly prototype: { pk(parent?: unknown, key?: string, args?: readonly unknown[]): unknown }
  pk(value: object, parent?: unknown, key?: string, args?: readonly unknown[]): unknown
  process(input: object, parent: unknown, key: string, args: readonly unknown[]): Fields | undefined
  validate(processed: object): string | undefined | void
  createIfValid(props: object): object | undefined
  // Internal here as in `Entity`: with declarations in only one of them, no user class would count as an entity.
  /** @internal */
  normalize(input: unknown, parent: unknown, key: string, walk: Walk): unknown
  /** @internal */
  denormalize(stored: unknown, host: ViewHost): unknown
  queryKey(args: readonly unknown[], host: ViewHost): unknown
}

/** Stands for data that must not be shown. It never reaches a user. */
export const INVALID: unique symbol = Symbol('INVALID')

/** Whether a view is there: neither missing nor INVALID. */
export function isVisible(view: unknown): boolean {
  return view !== undefined && view !== INVALID
}
