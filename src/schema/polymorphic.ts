import { SchemaError } from '../base/errors.ts'
import { nameOf, type Shape } from './dispatch.ts'

/**
 * A field name, or a function of the value that gives a key of the mapping, and may say what it expects. What one that
 * does not say it is given stands in the schemas, as their default, and spelled out: it is part of types that others export.
 */
export type Attribute = string | ((value: never, parent: never, key: string) => unknown)

/** One schema, or several told apart by an attribute of the data. */
export class Alternatives {
  /** The one schema, or the mapping. */
  definition: unknown
  readonly attribute: Attribute | undefined

  /** Refuses a definition and attribute that do not fit each other. */
  constructor(label: string, definition: unknown, attribute: Attribute | undefined) {
    if (attribute !== undefined && (typeof definition !== 'object' || definition === null || Array.isArray(definition))) {
      throw new SchemaError(`${label} with an attribute needs a mapping of attribute values to entities, not ${nameOf(definition)}.`)
    }
    this.definition = definition
    this.attribute = attribute
  }

  /** Merges `definition` into what the constructor was given. */
  define(definition: Shape): void {
    this.definition =
      typeof this.definition === 'object' && !Array.isArray(this.definition) ? { ...this.definition, ...definition } : definition
  }

  /** The schema that the mapping has under `name`; own entries only. */
  named(name: unknown): unknown {
    const mapping = this.definition as Shape
    return typeof name === 'string' && Object.hasOwn(mapping, name) ? mapping[name] : undefined
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
}
