import { SchemaError } from '../base/errors.ts'
import { isObject } from '../base/plain.ts'
import { Array as ArraySchema } from './Array.ts'
import { nameOf } from './describe.ts'
import { Deserializer } from './Deserializer.ts'
import type { EntityClass, Handler, Traits } from './interface.ts'
import { Object as ObjectSchema } from './Object.ts'

const compiled = new WeakMap<object, Handler>()

/**
 * The handler of a schema; undefined for one that passes values through (any falsy value, `[]`, a plain default).
 * `[S]` is a list, `{ a: S }` an object, a function without `normalize` a deserializer.
 */
export function compile(schema: unknown): Handler | undefined {
  if (typeof schema === 'function') {
    if ('normalize' in schema) return schema as unknown as Handler
    if ('testKey' in schema) throw new SchemaError(`${schema.name || 'This'} is an endpoint where a schema is expected. Pass its .schema, or read it with useSuspense.`)
  } else if (!isObject(schema)) return undefined
  let handler = compiled.get(schema)
  if (!handler && (handler = make(schema))) compiled.set(schema, handler)
  return handler
}

function make(schema: object): Handler | undefined {
  if (typeof schema === 'function') return new Deserializer(schema)
  if (Array.isArray(schema)) {
    if (schema.length === 0) return undefined
    if (schema.length === 1) return new ArraySchema(schema[0])
    throw new SchemaError(`[${schema.map(nameOf).join(', ')}] must contain exactly one schema. For several types write new schema.Array({ type: Entity, … }, 'attribute').`)
  }
  const proto: unknown = Object.getPrototypeOf(schema)
  // A literal is a shorthand, even when one of its fields is called "normalize".
  if (proto === Object.prototype || proto === null) return new ObjectSchema(schema as never)
  if (typeof (schema as Partial<Handler>).normalize !== 'function') throw new SchemaError(`${nameOf(schema)} is not a schema. Pass an entity class, not an instance.`)
  return schema as Handler
}

/** What a schema states about itself. A class states nothing: its statics are the user's. */
export function traitsOf(schema: unknown): Traits {
  return (typeof schema === 'function' ? undefined : (compile(schema) as Traits | undefined)) ?? {}
}

export function isEntityClass(schema: unknown): schema is EntityClass {
  return typeof schema === 'function' && 'normalize' in schema
}
