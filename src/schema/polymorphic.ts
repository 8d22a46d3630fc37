import { SchemaError } from '../base/errors.ts'
import { nameOf, type Shape } from './dispatch.ts'
import type { NormalizeHost, ViewHost } from './interface.ts'

/** A field name, or a function of the value that gives a key of the mapping. */
export type Attribute = string | ((value: never, parent: never, key: string) => string | undefined)

/** What is stored for a member of a list of several types. */
export interface Tagged {
  readonly id: unknown
  readonly schema: string
}

/** A schema and what is stored in its place. */
export type Resolved = readonly [schema: unknown, stored: unknown]

/** One schema, or several told apart by an attribute of the data. */
export class Alternatives {
  /** The one schema, or the mapping. */
  definition: unknown
  readonly attribute: Attribute | undefined
  readonly #label: string
  #warned = false

  /** Refuses a definition and attribute that do not fit each other. */
  constructor(label: string, definition: unknown, attribute: Attribute | undefined, mandatory = false) {
    if (attribute === undefined && mandatory) {
      throw new SchemaError(`${label} of ${nameOf(definition)} needs an attribute: the name of the field, or a function, that tells the types apart.`)
    }
    if (attribute !== undefined && (typeof definition !== 'object' || definition === null || Array.isArray(definition))) {
      throw new SchemaError(`${label} with an attribute needs a mapping of attribute values to entities, not ${nameOf(definition)}.`)
    }
    if (definition === undefined || definition === null) {
      throw new SchemaError(`${label} needs a schema; it was given ${String(definition)}. Circular imports? Give it later with define().`)
    }
    this.definition = definition
    this.attribute = attribute
    this.#label = label
  }

  /** Merges `definition` into what the constructor was given. */
  define(definition: Shape): void {
    this.definition =
      typeof this.definition === 'object' && !Array.isArray(this.definition) ? { ...this.definition, ...definition } : definition
  }

  /** The types that a member may have. */
  types(): unknown[] {
    return this.attribute === undefined ? [this.definition] : Object.values(this.definition as Shape)
  }

  /** The schema that the mapping has under `name`; own entries only. */
  named(name: unknown): unknown {
    const mapping = this.definition as Shape
    return typeof name === 'string' && Object.hasOwn(mapping, name) ? mapping[name] : undefined
  }

  /** The schema that a stored member is of, and what is stored of it. */
  resolve(stored: unknown): Resolved | undefined {
    if (this.attribute === undefined) return [this.definition, stored]
    return isTagged(stored, this) ? [this.named(stored.schema), stored.id] : undefined
  }

  /** Which entry of the mapping `value` belongs to; what is no object does not say. */
  nameFor(value: unknown, parent: unknown, key: string): string | undefined {
    const { attribute } = this
    if (typeof value !== 'object' || value === null) return undefined
    const name: unknown =
      typeof attribute === 'function'
        ? attribute(value as never, parent as never, key)
        : Object.hasOwn(value, attribute!)
          ? (value as Shape)[attribute!]
          : undefined
    return typeof name === 'number' || typeof name === 'boolean' ? String(name) : typeof name === 'string' ? name : undefined
  }

  normalize(value: unknown, parent: unknown, key: string, host: NormalizeHost): unknown {
    if (this.attribute === undefined) return host.visit(this.definition, value, parent, key)
    if (typeof value !== 'object' || value === null) return host.own(value)
    const name = this.nameFor(value, parent, key)
    const schema = this.named(name)
    if (schema !== undefined) return Object.freeze({ id: host.visit(schema, value, parent, key), schema: name! })
    if (!isTagged(value, this)) this.#warnUnmapped(name, host)
    return host.own(value)
  }

  denormalize(stored: unknown, host: ViewHost): unknown {
    if (this.attribute === undefined) return host.visit(this.definition, stored)
    if (!isTagged(stored, this)) return stored
    return host.visit(this.named(stored.schema), stored.id)
  }

  #warnUnmapped(name: string | undefined, host: NormalizeHost): void {
    if (this.#warned) return
    const known = Object.keys(this.definition as Shape).join(', ')
    const found = name === undefined ? 'an object without the attribute' : JSON.stringify(name)
    const sentence = `${this.#label}: no schema for ${found}; it is kept as plain data. Known: ${known}.`
    this.#warned = host.warn(sentence, sentence)
  }
}

/** Whether a value is what `normalize` left behind, and not an object that nobody mapped. */
function isTagged(value: unknown, alternatives: Alternatives): value is Tagged {
  if (typeof value !== 'object' || value === null) return false
  const fields = Object.keys(value)
  return fields.length === 2 && fields[0] === 'id' && fields[1] === 'schema' && alternatives.named((value as Tagged).schema) !== undefined
}
