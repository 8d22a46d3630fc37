import { SchemaError, ValidationError } from '../base/errors.ts'
import { recordKey } from '../base/keys.ts'
import { isObject } from '../base/plain.ts'
import type { Meta } from '../base/stamp.ts'
import { append, assign, Creation, Move, prepend, unique, without, type Merge } from './Creation.ts'
import { describe, nameOf } from './describe.ts'
import { isNonFilter, matches, type CollectionFilter, type NonFilterKeys } from './filter.ts'
import { Schema, type CollectionSource, type Traits, type ViewHost, type Walk } from './interface.ts'
import type { Denormalize } from './types.ts'
import { typesOf } from './Variants.ts'

/**
 * Options of a collection.
 *
 * @example
 * const options: CollectionOptions = { argsKey: ({ list }: { list: string }) => ({ list }) }
 * const todos = new schema.Collection([Todo], options)
 */
export interface CollectionOptions {
  /** Identifies the collection by the arguments of the endpoint. */
  argsKey?: (...args: never[]) => object
  /** Identifies the collection by the object it is nested in. */
  nestKey?: (parent: never, key: string) => object
  /** Decides which collections a creation is added to. */
  createCollectionFilter?: CollectionFilter
  /** Members of the key that say how a list is shown, not what it contains. Default: names that begin with `order`. */
  nonFilterArgumentKeys?: NonFilterKeys
}

type Kind = 'push' | 'unshift' | 'assign' | 'remove' | 'move' | 'paginate'

/**
 * A list (or, over `schema.Values`, a map) of entities that is itself an entity: responses replace it, and `push`,
 * `unshift`, `assign`, `remove` and `move` change every stored collection that a value belongs to.
 *
 * @example
 * const todos = new schema.Collection([Todo])
 * const create = new RestEndpoint({ path: '/todos', method: 'POST', schema: todos.push })
 */
export class Collection<D = unknown> extends Schema<Denormalize<D>> implements CollectionSource {
  declare readonly key: string
  /** @internal */ declare readonly definition: D
  /** @internal */ declare readonly options: CollectionOptions
  /** @internal */ declare readonly isList: boolean
  /** @internal The schema of one member. */ declare readonly memberSchema: unknown
  readonly #creations = new Map<Kind, Creation<D>>()
  /** The entity around the list that is being normalized. Not an argument of `pk`: overrides would have to pass it on. */
  #owner: Walk['owner']

  constructor(definition: D & (readonly unknown[] | Schema), options: CollectionOptions = {}) {
    super()
    const isShorthand = Array.isArray(definition) && definition.length === 1
    if (!isShorthand && !(definition instanceof Schema)) throw new SchemaError(`schema.Collection takes [Entity] or new schema.Values(Entity), not ${nameOf(definition)}.`)
    this.definition = definition
    this.options = options
    const { member = definition, brackets = '()' }: Traits = isShorthand ? { member: (definition as readonly unknown[])[0], brackets: '[]' } : (definition as Traits)
    this.memberSchema = member
    this.isList = brackets === '[]'
    this.key = brackets[0]! + typesOf(this.memberSchema).map(typeName).join(';') + brackets[1]!
  }

  /** Creation schema: new members go to the end. */
  get push(): Creation<D> {
    return this.#creation('push', append)
  }

  /** Creation schema: new members go to the start. */
  get unshift(): Creation<D> {
    return this.#creation('unshift', prepend)
  }

  /** Creation schema for collections over `schema.Values`: members are set by name. */
  get assign(): Creation<D> {
    return this.#creation('assign', assign)
  }

  /** Takes members out; the entities stay. */
  get remove(): Creation<D> {
    return this.#creation('remove', without)
  }

  /** Takes an entity out of the collections that it no longer belongs to, and adds it to those that it now belongs to. */
  get move(): Move<D> {
    return this.#creation('move', append, Move) as Move<D>
  }

  /** A page of the list that all arguments except one, the cursor, name: its members are appended. */
  get paginate(): Creation<D> {
    return this.#creation('paginate', append, Creation, pageFilter)
  }

  /** A creation schema of your own: `merge(collection, creation)` returns the next members. */
  addWith(merge: Merge, createCollectionFilter: CollectionFilter = this.#filter): Creation<D> {
    return new Creation(this, merge, createCollectionFilter)
  }

  /** A `move` of your own: `merge(collection, entering)` returns the next members of the collections that it enters. */
  moveWith(merge: Merge): Move<D> {
    return new Move(this, merge, this.#filter)
  }

  /** Which collections a creation with these arguments is added to. */
  createCollectionFilter(urlParams?: unknown, body?: unknown): ReturnType<CollectionFilter> {
    if (this.options.createCollectionFilter) return this.options.createCollectionFilter(urlParams, body)
    return collectionKey =>
      Object.keys(collectionKey).every(
        name => this.nonFilterArgumentKeys(name) || matches(urlParams, name, collectionKey[name]!) || matches(body, name, collectionKey[name]!),
      )
  }

  /** Whether a member of the key says how the list is shown, not what it contains. */
  nonFilterArgumentKeys(name: string): boolean {
    return isNonFilter(name, this.options.nonFilterArgumentKeys)
  }

  // The lifecycle: stated by methods or by statics, as for an entity. `this` is the collection in both.

  /** The pk: what `argsKey`, `nestKey`, the enclosing entity or the first argument says, as sorted JSON of strings. */
  static pk(_value: unknown, parent: unknown, key: string, args: readonly unknown[]): string {
    const collection = this as unknown as Collection
    const { argsKey, nestKey } = collection.options
    const owner = parent ? collection.#owner : undefined
    const identity: unknown = argsKey
      ? argsKey(...(args as never[]))
      : nestKey
        ? nestKey(parent as never, key)
        : // An entity type that is itself called "field" must not lose its pk to the name of the field.
          owner
          ? { [owner.key === 'field' ? '(field)' : owner.key]: owner.pk, field: key }
          : args[0]
    return recordKey(isObject(identity) ? identity : { 0: identity ?? undefined })
  }

  static shouldReorder(existingMeta: Meta, incomingMeta: Meta, _existing: object, _incoming: object): boolean {
    return incomingMeta.fetchedAt < existingMeta.fetchedAt
  }

  static merge(_existing: object, incoming: object): object {
    return incoming
  }

  static mergeWithStore(existingMeta: Meta, incomingMeta: Meta, existing: object, incoming: object): object {
    return this.shouldReorder(existingMeta, incomingMeta, existing, incoming) ? this.merge(incoming, existing) : this.merge(existing, incoming)
  }

  pk(...args: Parameters<typeof Collection.pk>): string {
    return (this.constructor as typeof Collection).pk.apply(this as never, args)
  }

  shouldReorder(...args: Parameters<typeof Collection.shouldReorder>): boolean {
    return (this.constructor as typeof Collection).shouldReorder.apply(this as never, args)
  }

  merge(...args: Parameters<typeof Collection.merge>): object {
    return (this.constructor as typeof Collection).merge.apply(this as never, args)
  }

  mergeWithStore(...args: Parameters<typeof Collection.mergeWithStore>): object {
    return (this.constructor as typeof Collection).mergeWithStore.apply(this as never, args)
  }

  mergeMetaWithStore(existingMeta: Meta, incomingMeta: Meta, existing: object, incoming: object): Meta {
    return this.shouldReorder(existingMeta, incomingMeta, existing, incoming) ? existingMeta : incomingMeta
  }

  override normalize(input: unknown, parent: unknown, key: string, walk: Walk): unknown {
    // A string is the pk of a collection that is stored already.
    if (typeof input === 'string' || typeof input === 'boolean') return input
    if (!isObject(input)) throw new ValidationError(`Expected ${this.key}, found ${describe(input)}.`, input)
    this.#owner = walk.owner
    const pk = this.pk(input, parent, key, walk.args)
    const members = walk.visit(this.definition, input, parent, key) as object
    walk.write(this, pk, Array.isArray(members) ? unique(members) : members)
    return pk
  }

  override denormalize(stored: unknown, host: ViewHost): unknown {
    return typeof stored === 'string' ? host.collection(this.#shared, stored) : host.visit(this.definition, stored)
  }

  override queryKey(args: readonly unknown[], host: ViewHost): unknown {
    // A string may be the pk itself, as in a response.
    if (typeof args[0] === 'string' && host.has(this.key, args[0])) return args[0]
    // A list that is named by the object around it can only be found there.
    if (this.options.nestKey && !this.options.argsKey) return undefined
    const pk = this.pk(undefined, undefined, '', args)
    return host.has(this.key, pk) ? pk : undefined
  }

  /** Views are cached by schema: lists of one class share theirs, so that one stored list is one array wherever it is shown. */
  get #shared(): Collection {
    const { definition, memberSchema } = this
    if (!Array.isArray(definition) || typeof memberSchema !== 'function') return this
    const first = firstOf.get(memberSchema) ?? this
    firstOf.set(memberSchema, first)
    return first.key === this.key ? first : this
  }

  readonly #filter: CollectionFilter = (urlParams, body) => this.createCollectionFilter(urlParams, body)

  #creation(kind: Kind, merge: Merge, Class: typeof Creation = Creation, filter: CollectionFilter = this.#filter): Creation<D> {
    let creation = this.#creations.get(kind)
    if (creation === undefined) this.#creations.set(kind, (creation = new Class<D>(this, merge, filter)))
    return creation
  }
}

/** The first collection of each class. */
const firstOf = new WeakMap<Function, Collection>()

/** The list that a page continues: every member of its key is an argument, and all arguments except the cursor are in its key. */
const pageFilter: CollectionFilter = urlParams => collectionKey => {
  const names = Object.keys(collectionKey)
  const given = isObject(urlParams) ? Object.values(urlParams).filter(value => value !== undefined).length : 0
  return names.length >= given - 1 && names.every(name => matches(urlParams, name, collectionKey[name]!))
}

function typeName(type: unknown): string {
  return typeof type === 'function' && 'key' in type ? String(type.key) : nameOf(type)
}
