import { SchemaError, ValidationError } from '../base/errors.ts'
import { recordKey } from '../base/keys.ts'
import type { Meta } from '../base/stamp.ts'
import { append, assign, Creation, prepend, without, type Merge } from './Creation.ts'
import { defaultFilter, pageFilter, type CollectionFilter, type NonFilterKeys } from './filter.ts'
import { describe, elementOf, nameOf } from './dispatch.ts'
import { Schema, type NormalizeHost, type Policy, type QueryHost, type ViewHost } from './interface.ts'
import { distinct } from './member.ts'
import { Move } from './Move.ts'
import type { Denormalize } from './types.ts'

/**
 * Options of a collection.
 *
 * @example
 * const options: CollectionOptions = { argsKey: ({ list }: { list: string }) => ({ list }) }
 * const todos = new schema.Collection([Todo], options)
 */
export interface CollectionOptions {
  /** What identifies the collection, from the endpoint's arguments. */
  argsKey?: (...args: never[]) => object
  /** What identifies the collection, from the object it is nested in. */
  nestKey?: (parent: never, key: string) => object
  /** Which collections a creation goes into. */
  createCollectionFilter?: CollectionFilter
  /** Which members of the key say how a list is shown and not what is in it. Default: names that begin with `order`. */
  nonFilterArgumentKeys?: NonFilterKeys
}

/**
 * A list (or, over `schema.Values`, a map) of entities that is itself an entity: responses replace it,
 * and `push`, `unshift`, `assign`, `remove`, `move` change every stored collection that a new value belongs to.
 *
 * @example
 * const todos = new schema.Collection([Todo])
 * const create = new RestEndpoint({ path: '/todos', method: 'POST', schema: todos.push })
 */
export class Collection<D = unknown> extends Schema<Denormalize<D>> implements Policy {
  readonly key: string
  /** @internal */ readonly definition: D
  /** @internal */ readonly options: CollectionOptions
  /** @internal */ readonly isList: boolean
  readonly #filter: CollectionFilter
  /** The entity that the list which is being taken in is nested in. No argument of `pk`: who overrides that would have to pass it on. */
  #owner: { readonly key: string; readonly pk: string } | undefined
  /** Creation schema: new members go to the end. */
  readonly push: Creation<D>
  /** Creation schema: new members go to the start. */
  readonly unshift: Creation<D>
  /** Creation schema for collections over `schema.Values`: members are set by name. */
  readonly assign: Creation<D>
  /** Takes members out; the entities stay. */
  readonly remove: Creation<D>
  /** Takes an entity out of the collections that it no longer belongs to, and puts it into those that it now does. */
  readonly move: Move<D>
  /** A page of the list that all arguments but one, the cursor, name: its members are appended. */
  readonly paginate: Creation<D>

  constructor(definition: D & (readonly unknown[] | Schema), options: CollectionOptions = {}) {
    super()
    const isShorthand = Array.isArray(definition)
    if (!isShorthand && !(definition instanceof Schema)) {
      throw new SchemaError(`schema.Collection takes [Entity] or new schema.Values(Entity), not ${nameOf(definition)}.`)
    }
    this.definition = definition
    this.options = options
    // Asked, and not found by their classes: who uses neither schema.Array nor schema.Values loads neither.
    const brackets = isShorthand ? '[]' : ((definition as { readonly brackets?: string }).brackets ?? '()')
    this.isList = brackets === '[]'
    this.key = brackets[0]! + typeName(isShorthand ? elementOf(definition) : definition) + brackets[1]!
    const filter = (this.#filter = options.createCollectionFilter ?? defaultFilter(options.nonFilterArgumentKeys))
    this.push = new Creation(this, append, filter)
    this.unshift = new Creation(this, prepend, filter)
    this.assign = new Creation(this, assign, filter)
    this.remove = new Creation(this, without, filter)
    this.move = new Move(this, filter)
    this.paginate = new Creation(this, append, pageFilter)
  }

  /** A creation schema of your own: `merge(collection, creation)` gives the next list. */
  addWith(merge: Merge, createCollectionFilter: CollectionFilter = this.#filter): Creation<D> {
    return new Creation(this, merge, createCollectionFilter)
  }

  // The lifecycle: stated by methods, or by statics, as that of an entity is. `this` is the collection in both.

  /** The pk: what `argsKey`, `nestKey`, the enclosing entity or the first argument says, as sorted JSON of strings. */
  static pk(_value: unknown, parent: unknown, key: string, args: readonly unknown[]): string {
    const collection = this as unknown as Collection
    const { argsKey, nestKey } = collection.options
    const owner = parent ? collection.#owner : undefined
    const said: unknown = argsKey
      ? argsKey(...(args as never[]))
      : nestKey
        ? nestKey(parent as never, key)
        : // An entity that is itself called "field" must not lose its pk to the name of the field.
          owner
          ? { [owner.key === 'field' ? '(field)' : owner.key]: owner.pk, field: key }
          : args[0]
    return recordKey(typeof said === 'object' && said !== null ? said : { 0: said ?? undefined })
  }

  static shouldReorder(existingMeta: Meta, incomingMeta: Meta, _existing: object, _incoming: object): boolean {
    return incomingMeta.fetchedAt < existingMeta.fetchedAt
  }

  static merge(_existing: object, incoming: object): object {
    return incoming
  }

  static mergeWithStore(existingMeta: Meta, incomingMeta: Meta, existing: object, incoming: object): object {
    return this.shouldReorder(existingMeta, incomingMeta, existing, incoming)
      ? this.merge(incoming, existing)
      : this.merge(existing, incoming)
  }

  pk(...told: Parameters<typeof Collection.pk>): string {
    return (this.constructor as typeof Collection).pk.apply(this as never, told)
  }

  shouldReorder(...told: Parameters<typeof Collection.shouldReorder>): boolean {
    return (this.constructor as typeof Collection).shouldReorder.apply(this as never, told)
  }

  merge(...told: Parameters<typeof Collection.merge>): object {
    return (this.constructor as typeof Collection).merge.apply(this as never, told)
  }

  mergeWithStore(...told: Parameters<typeof Collection.mergeWithStore>): object {
    return (this.constructor as typeof Collection).mergeWithStore.apply(this as never, told)
  }

  mergeMetaWithStore(existingMeta: Meta, incomingMeta: Meta, existing: object, incoming: object): Meta {
    return this.shouldReorder(existingMeta, incomingMeta, existing, incoming) ? existingMeta : incomingMeta
  }

  override normalize(input: unknown, parent: unknown, key: string, host: NormalizeHost): unknown {
    // A string is the pk of a collection that is already there.
    if (typeof input === 'string' || typeof input === 'boolean') return input
    if (typeof input !== 'object' || input === null) throw new ValidationError(`Expected ${this.key}, found ${describe(input)}.`, input)
    this.#owner = host.ownerKey === '' ? undefined : { key: host.ownerKey, pk: host.ownerPk }
    const pk = this.pk(input, parent, key, host.args)
    const members = host.visit(this.definition, input, parent, key)
    const entry = host.enter(host.meet(this), pk, input)
    if (entry !== undefined) host.write(entry, Array.isArray(members) ? distinct(members) : (members as object))
    return pk
  }

  override denormalize(stored: unknown, host: ViewHost): unknown {
    const record = typeof stored === 'string' ? host.record(this.key, stored) : stored
    return record === undefined ? undefined : host.visit(this.definition, record)
  }

  override queryKey(args: readonly unknown[], host: QueryHost): unknown {
    // A string may be the pk itself, as it may in a response.
    if (typeof args[0] === 'string' && host.has(this.key, args[0])) return args[0]
    // What is named by the object it is nested in can be found there only.
    if (this.options.nestKey && !this.options.argsKey) return undefined
    const pk = this.pk(undefined, undefined, '', args)
    return host.has(this.key, pk) ? pk : undefined
  }
}

/** What a type is called; several are joined by `;`. */
function typeName(type: unknown): string {
  if (typeof type === 'object' && type !== null && 'typeKeys' in type) {
    return (type as { typeKeys(): unknown[] }).typeKeys().map(typeName).join(';')
  }
  return typeof type === 'function' && 'key' in type ? String(type.key) : nameOf(type)
}
