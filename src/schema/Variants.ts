import { SchemaError } from '../base/errors.ts'
import { hasOwn, isObject } from '../base/plain.ts'
import { nameOf } from './describe.ts'
import { memberOf } from './filter.ts'
import { Schema, type Fields, type ViewHost, type Walk } from './interface.ts'
import type { Denormalize } from './types.ts'

/** A field name, or a function of the value that returns a key of the mapping. Schemas spell their default out: users' types name it. */
export type Attribute = string | ((value: never, parent: never, key: string) => unknown)

/** The view of a member: of `D`, or, with an attribute, of the types in the mapping `D`. */
export type MemberView<D, A> = undefined extends A ? Denormalize<D> : D extends object ? Denormalize<D[keyof D]> : never

/** A schema and its stored value. */
export type Resolved = readonly [schema: unknown, stored: unknown]

/** Several types that an attribute distinguishes; stored as `{ id, schema }`. The one polymorphic mechanism. */
export class Variants<V = unknown> extends Schema<V> {
  declare readonly attribute: Attribute
  declare mapping: Fields
  readonly #label: string
  #warned = false

  constructor(label: string, mapping: unknown, attribute: Attribute) {
    super()
    if (!isObject(mapping) || Array.isArray(mapping)) throw new SchemaError(`${label} with an attribute needs a mapping to entities, not ${nameOf(mapping)}.`)
    this.#label = label
    this.mapping = mapping as Fields
    this.attribute = attribute
  }

  /** Merges `definition` into the constructor's; for circular references. */
  define(definition: Fields): void {
    this.mapping = { ...this.mapping, ...definition }
  }

  /** The schema under `name`; own entries only. */
  named(name: unknown): unknown {
    return typeof name === 'string' && hasOwn(this.mapping, name) ? this.mapping[name] : undefined
  }

  /** Which entry of the mapping `value` belongs to. */
  nameFor(value: unknown, parent: unknown, key: string): string | undefined {
    const { attribute } = this
    const name: unknown = !isObject(value) ? undefined : typeof attribute === 'function' ? attribute(value as never, parent as never, key) : memberOf(value, attribute)
    return /string|number|boolean/.test(typeof name) ? String(name) : undefined
  }

  /** The schema and value behind a stored member; undefined for plain data that nothing was mapped to. */
  resolve(stored: unknown): Resolved | undefined {
    if (!isObject(stored)) return undefined
    const { id, schema } = stored as { readonly id?: unknown; readonly schema?: unknown }
    const found = Object.keys(stored).length === 2 && id !== undefined ? this.named(schema) : undefined
    return found === undefined ? undefined : [found, id]
  }

  override normalize(input: unknown, parent: unknown, key: string, walk: Walk): unknown {
    if (!isObject(input)) return input
    const name = this.nameFor(input, parent, key)
    const schema = this.named(name)
    if (schema !== undefined) return Object.freeze({ id: walk.visit(schema, input, parent, key), schema: name! })
    if (this.resolve(input) === undefined && !walk.shallow) this.#warnUnmapped(name)
    return walk.take(input)
  }

  override denormalize(stored: unknown, host: ViewHost): unknown {
    const resolved = this.resolve(stored)
    return resolved ? host.visit(...resolved) : stored
  }

  /** The stored form itself; by the attribute of the first argument; otherwise the first type that has the entity. */
  override queryKey(args: readonly unknown[], host: ViewHost): unknown {
    const stored = this.resolve(args[0])
    if (stored !== undefined) return host.queryKey(stored[0], [stored[1]]) === undefined ? undefined : args[0]
    const given = this.nameFor(args[0], undefined, '')
    for (const name of this.named(given) === undefined ? Object.keys(this.mapping) : [given!]) {
      const id = host.queryKey(this.mapping[name], args)
      if (id !== undefined) return { id, schema: name }
    }
    return undefined
  }

  #warnUnmapped(name: string | undefined): void {
    if (this.#warned) return
    this.#warned = true
    const found = name === undefined ? 'an object without the attribute' : JSON.stringify(name)
    console.warn(`patchcord: ${this.#label}: no schema for ${found}; stored as plain data. Known: ${Object.keys(this.mapping).join(', ')}.`)
  }
}

/** Many members of one type, or of several that an attribute distinguishes. */
export abstract class Many<V> extends Schema<V> {
  /** @internal The schema of one member. */ declare member: unknown

  constructor(label: string, definition: unknown, attribute: Attribute | undefined) {
    super()
    if (definition == null) throw new SchemaError(`${label} needs a schema, not ${String(definition)}. With circular imports, pass it later with define().`)
    this.member = attribute === undefined ? definition : new Variants(label, definition, attribute)
  }

  /** Merges `definition` into the constructor's; for circular references. */
  define(definition: Fields): void {
    const { member } = this
    if (member instanceof Variants) member.define(definition)
    else this.member = isObject(member) && !Array.isArray(member) ? { ...member, ...definition } : definition
  }
}

/** The types behind a schema of one member. */
export function typesOf(schema: unknown): unknown[] {
  return schema instanceof Variants ? Object.values(schema.mapping) : [schema]
}
