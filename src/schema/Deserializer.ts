import { isPlain } from '../base/plain.ts'
import { describe } from './describe.ts'
import { Schema, type Traits, type ViewHost, type Walk } from './interface.ts'

/** Functions that have members on their prototype and are still meant to be called without `new`. */
const PLAIN: ReadonlySet<unknown> = /* @__PURE__ */ new Set<unknown>([Number, String, Boolean, BigInt, Symbol])

/** A class or function instead of a schema: the store has JSON, and a view has the value that the function returns. */
export class Deserializer extends Schema {
  readonly #make: (stored: unknown) => unknown
  readonly #name: string
  #warned = false

  constructor(make: Function) {
    super()
    this.#name = make.name || 'a deserializer'
    const call = make as (stored: unknown) => unknown
    this.#make = isConstructor(make) ? stored => new (make as new (value: unknown) => unknown)(stored) : stored => call(stored)
  }

  override normalize(input: unknown, _parent: unknown, _key: string, walk: Walk): unknown {
    return walk.take(input)
  }

  /** A value that cannot be read shows as undefined, with one warning: bad data must not break a render. */
  override denormalize(stored: unknown, _host?: ViewHost): unknown {
    try {
      return this.#make(stored)
    } catch (error) {
      if (!this.#warned) console.warn(`patchcord: ${this.#name} could not read ${describe(stored)}; the field is undefined.`, error)
      this.#warned = true
      return undefined
    }
  }
}

/** Classes, and functions whose prototype has members (`Date`, `BigNumber`), are called with `new`. */
function isConstructor(make: Function): boolean {
  const proto = make.prototype as object | undefined
  if (proto === undefined || PLAIN.has(make)) return false
  return Object.getOwnPropertyNames(proto).length > 1 || /^class\b/.test(Function.prototype.toString.call(make))
}

/** Whether a schema shows values that deserializers made, and no entities. */
export function isDeserialized(schema: unknown): boolean {
  if (typeof schema === 'function') return !('normalize' in schema)
  if (Array.isArray(schema)) return schema.length === 1 && isDeserialized(schema[0])
  if (typeof schema !== 'object' || schema === null) return false
  if (isPlain(schema)) return Object.values(schema).some(isDeserialized) && Object.values(schema).every(member => isDeserialized(member) || typeof member !== 'object')
  return isDeserialized((schema as Traits).member)
}
