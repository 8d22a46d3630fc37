import { isObject } from '../base/plain.ts'
import type { Meta } from '../base/stamp.ts'
import type { EntityClass, Fields, ViewHost, Walk } from './interface.ts'
import { defaultsOf, planOf, usablePk } from './plan.ts'

/** As a method, because the arguments of methods are compared both ways: it may say what its record looks like. */
interface Version {
  of(record: object): number | string
}

/**
 * Something with a primary key. Extend it, give each field a default, and say what is nested in `static schema`.
 *
 * @example
 * class User extends Entity {
 *   id = ''
 *   name = ''
 *   createdAt = new Date(0)
 *   static override key = 'User'
 *   static override schema = { createdAt: Date }
 * }
 */
export abstract class Entity {
  /** @internal Where the default of `key` comes from. */
  static readonly '~base': true = true

  /** Names the table. State it: bundlers rename classes. */
  static get key(): string {
    return this.name
  }

  static set key(key: string) {
    // A subclass may be given its key by assignment as well as by a static field.
    Object.defineProperty(this, 'key', { value: key, writable: true, configurable: true, enumerable: true })
  }

  /** Nested schemas and deserializers by field name. */
  static schema: { readonly [field: string]: unknown } = {}
  /** Fields to look entities up by. */
  static indexes?: readonly string[]
  /** The version of a record: a field, or a function of the record. The higher version is newer, whatever their order. */
  static version?: string | Version['of']

  /** The primary key. `this` is the plain object while a response is taken apart. */
  pk(_parent?: unknown, _key?: string, _args?: readonly unknown[]): string | number | bigint | undefined {
    return (this as { id?: string }).id
  }

  /** The primary key of `value`: by the class, never by a `pk` that came with the payload. */
  static pk(value: object, parent?: unknown, key?: string, args?: readonly unknown[]): string | number | bigint | undefined {
    return this.prototype.pk.call(value as Entity, parent, key, args)
  }

  // Records are objects here and no more, so that a class may say by an interface, which has no index signature, what its own look like.

  /** Returns the record to store for `input`. Returning undefined deletes the entity. */
  static process(input: object, _parent: unknown, _key: string, _args: readonly unknown[]): Fields | undefined {
    return { ...input } as Fields
  }

  /** A sentence when the data must not be used: an error while normalizing, not shown while reading. */
  static validate(_processed: object): string | undefined | void {}

  static shouldUpdate(_existingMeta: Meta, _incomingMeta: Meta, _existing: object, _incoming: object): boolean {
    return true
  }

  /** Whether the incoming record is the older one, so that existing fields win. */
  static shouldReorder(existingMeta: Meta, incomingMeta: Meta, existing: object, incoming: object): boolean {
    const order = this.version === undefined ? 0 : compareVersions(versionOf(this.version, existing as Fields), versionOf(this.version, incoming as Fields))
    return order === 0 ? incomingMeta.fetchedAt < existingMeta.fetchedAt : order > 0
  }

  static merge(existing: object, incoming: object): Fields {
    return { ...existing, ...incoming } as Fields
  }

  static mergeWithStore(existingMeta: Meta, incomingMeta: Meta, existing: object, incoming: object): Fields {
    if (!this.shouldUpdate(existingMeta, incomingMeta, existing, incoming)) return existing as Fields
    return this.shouldReorder(existingMeta, incomingMeta, existing, incoming)
      ? this.merge(incoming, existing)
      : this.merge(existing, incoming)
  }

  static mergeMetaWithStore(existingMeta: Meta, incomingMeta: Meta, existing: object, incoming: object): Meta {
    return this.shouldUpdate(existingMeta, incomingMeta, existing, incoming) &&
      !this.shouldReorder(existingMeta, incomingMeta, existing, incoming)
      ? incomingMeta
      : existingMeta
  }

  /** An instance: the defaults of the class, then `props`. */
  static fromJS<T extends abstract new () => Entity>(this: T, props: Partial<InstanceType<T>> = {}): InstanceType<T> {
    const { members } = planOf(this as unknown as EntityClass)
    const instance = new (this as unknown as new () => InstanceType<T>)()
    for (const field of Object.keys(props)) {
      if (!members.has(field)) (instance as { [field: string]: unknown })[field] = (props as Fields)[field]
    }
    return instance
  }

  /** `fromJS`, or undefined when `validate` objects. */
  static createIfValid<T extends abstract new () => Entity>(this: T, props: Partial<InstanceType<T>>): InstanceType<T> | undefined {
    if ((this as T & typeof Entity).validate(props)) return undefined
    return (this as T & typeof Entity).fromJS(props) as InstanceType<T>
  }

  /** An instance without props. */
  static get defaults(): Fields {
    return defaultsOf(this as unknown as EntityClass)
  }

  /** The pk that answers these arguments, if the entity is there: by pk, else by the first index present. */
  static queryKey(args: readonly unknown[], host: { has(key: string, pk: string): boolean; lookup(key: string, field: string, value: unknown): string | undefined }): string | undefined {
    const arg = args[0]
    if (typeof arg === 'string' || typeof arg === 'number' || typeof arg === 'bigint') {
      return host.has(this.key, `${arg}`) ? `${arg}` : undefined
    }
    if (!isObject(arg)) return undefined
    const pk = usablePk(this.pk(arg, undefined, '', args), arg)
    if (pk !== undefined && host.has(this.key, pk)) return pk
    const index = this.indexes?.find(field => Object.hasOwn(arg, field))
    return index === undefined ? undefined : host.lookup(this.key, index, (arg as Fields)[index])
  }

  /** @internal */
  static normalize(input: unknown, parent: unknown, key: string, walk: Walk): unknown {
    return walk.entity(this as unknown as EntityClass, input, parent, key)
  }

  /** @internal */
  static denormalize(stored: unknown, host: ViewHost): unknown {
    return host.entity(this as unknown as EntityClass, stored)
  }
}

function versionOf(version: string | Version['of'], record: Fields): unknown {
  return typeof version === 'function' ? version(record) : Object.hasOwn(record, version) ? record[version] : undefined
}

/** Below zero when `a` is older. Versions that cannot be compared are equal, so that order decides. */
function compareVersions(a: unknown, b: unknown): number {
  if (typeof a !== typeof b || !/number|string/.test(typeof a)) return 0
  return (a as string) < (b as string) ? -1 : (a as string) > (b as string) ? 1 : 0
}
