import { detached, isPlain } from '../base/plain.ts'
import { denormalizeWith, shapeOf, type Shape } from '../schema/dispatch.ts'
import { INVALID, Schema, type Fields } from '../schema/interface.ts'
import { LiveObject } from './liveObject.ts'
import { Place } from './livePlace.ts'
import type { LiveReader } from './liveReader.ts'
import { Probe } from './liveValidity.ts'

/** What somebody asked for: a schema with arguments, or an endpoint's result. */
export class LiveRoot {
  /** What is there now. Tracked; readers run again only when it is another object or value. */
  readonly read: () => unknown
  readonly args: readonly unknown[]
  readonly #reader: LiveReader
  readonly #schema: unknown
  readonly find: (args: readonly unknown[]) => unknown
  readonly #place: Place
  #object: LiveObject | undefined

  constructor(reader: LiveReader, schema: unknown, args: readonly unknown[], find: LiveRoot['find']) {
    this.#reader = reader
    this.#schema = schema
    // Who asked may change theirs, and others ask by the same key.
    this.args = detached(args) as readonly unknown[]
    this.find = find
    this.#place = new Place(this, this.args)
    this.read = reader.tracker.memo(() => this.#show())
  }

  /** The fields of a plain object, and their schemas. */
  shape(): Shape {
    return shapeOf(this.#schema) ?? NO_SHAPE
  }

  stored(): Fields | undefined {
    const stored = this.find(this.args)
    return isPlain(stored) ? stored : undefined
  }

  #show(): unknown {
    const reader = this.#reader
    const schema = this.#schema
    const stored = this.find(this.args)
    if (stored === undefined || stored === null) return stored
    if ((!schema || shapeOf(schema)) && isPlain(stored)) return this.#showObject(stored)
    const make = (): unknown => denormalizeWith(schema, stored, reader)
    const value = schema instanceof Schema && schema.computes ? this.#place.compute(reader, make) : this.#place.walk(reader, stored, make)
    return value === INVALID ? undefined : value
  }

  /** One declared member that must not be shown makes the whole object one. */
  #showObject(stored: Fields): object | undefined {
    const probe = new Probe((entity, pk) => this.#reader.entity(entity, pk))
    if (probe.fails(Object.entries(this.shape()), stored)) return undefined
    return (this.#object ??= new LiveObject(this.#reader, this)).proxy
  }
}

const NO_SHAPE: Shape = /* @__PURE__ */ Object.freeze({})
