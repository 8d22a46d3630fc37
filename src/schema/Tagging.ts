import { SchemaError } from '../base/errors.ts'
import type { Shape } from './dispatch.ts'
import type { NormalizeHost, ViewHost } from './interface.ts'
import { Alternatives, type Attribute } from './polymorphic.ts'

/** What is stored for a member of a list of several types. */
export interface Tagged {
  readonly id: unknown
  readonly schema: string
}

/** A schema and what is stored in its place. */
export type Resolved = readonly [schema: unknown, stored: unknown]

/** Stores what is one of several types together with the name of its own. */
export class Tagging extends Alternatives {
  readonly #label: string
  #warned = false

  constructor(label: string, definition: unknown, attribute: Attribute | undefined) {
    super(label, definition, attribute)
    if (definition === undefined || definition === null) {
      throw new SchemaError(`${label} needs a schema; it was given ${String(definition)}. Circular imports? Give it later with define().`)
    }
    this.#label = label
  }

  /** The types that a member may have. */
  types(): unknown[] {
    return this.attribute === undefined ? [this.definition] : Object.values(this.definition as Shape)
  }

  /** The schema that a stored member is of, and what is stored of it. */
  resolve(stored: unknown): Resolved | undefined {
    if (this.attribute === undefined) return [this.definition, stored]
    return isTagged(stored, this) ? [this.named(stored.schema), stored.id] : undefined
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
    this.#warned = host.warn(sentence)
  }
}

/** Whether a value is what `normalize` left behind, and not an object that nobody mapped. */
function isTagged(value: unknown, alternatives: Tagging): value is Tagged {
  if (typeof value !== 'object' || value === null) return false
  const fields = Object.keys(value)
  return fields.length === 2 && fields[0] === 'id' && fields[1] === 'schema' && alternatives.named((value as Tagged).schema) !== undefined
}
