import { DepthError, SchemaError, ValidationError } from '../base/errors.ts'
import { identical, isPlain, put } from '../base/plain.ts'
import { deserialize, deserializeAt } from './deserialize.ts'
import { INVALID, Schema, type EntityClass, type NormalizeHost, type QueryHost, type ViewHost } from './interface.ts'

/**
 * From anything that may stand where a schema is expected to the code that handles it.
 * `[S]` is a list, `{ a: S }` an object, a function without `normalize` a deserializer; falsy values mean "as it is".
 */

interface Handler {
  normalize(input: unknown, parent: unknown, key: string, host: NormalizeHost): unknown
  denormalize(stored: unknown, host: ViewHost): unknown
  queryKey(args: readonly unknown[], host: QueryHost): unknown
}

/** The class or object that handles `schema`; undefined for shorthands, deserializers and plain values. */
export function handlerOf(schema: unknown): Handler | undefined {
  if (typeof schema === 'function') {
    if ('normalize' in schema) return schema as unknown as Handler
    // It would be taken for a deserializer, and a view would send a request, or wait for ever.
    if ('testKey' in schema) throw new SchemaError(`${schema.name || 'This'} is an endpoint, and a schema is wanted: give its .schema. Endpoints are read with useSuspense, useCache or getResponse.`)
    return undefined
  }
  // Most schemas that are no classes are literals, and to look at this name is quicker than to ask for a prototype.
  if (typeof schema !== 'object' || schema === null || schema.constructor === Object || Array.isArray(schema)) return undefined
  const proto: unknown = Object.getPrototypeOf(schema)
  // A literal is a shorthand even when one of its fields is called "normalize".
  if (proto === Object.prototype || proto === null) return undefined
  if (typeof (schema as Partial<Handler>).normalize !== 'function') {
    throw new SchemaError(`${nameOf(schema)} is no schema. Give the class of an entity, not an instance.`)
  }
  return schema as Handler
}

export function normalizeWith(schema: unknown, value: unknown, parent: unknown, key: string, host: NormalizeHost, known?: unknown): unknown {
  if (value === null || value === undefined) return value
  if (!schema || (typeof schema !== 'object' && typeof schema !== 'function')) return host.own(value)
  const handler = handlerOf(schema)
  if (handler !== undefined) return handler.normalize(value, parent, key, host)
  if (typeof schema === 'function') return host.own(value)
  if (Array.isArray(schema)) return normalizeList(elementOf(schema), value, parent, key, host, known)
  return normalizeObject(schema as Shape, value, host, known)
}

export function denormalizeWith(schema: unknown, stored: unknown, host: ViewHost): unknown {
  if (stored === null || stored === undefined || !schema) return stored
  if (typeof schema !== 'object' && typeof schema !== 'function') return stored
  const handler = handlerOf(schema)
  if (handler !== undefined) return handler.denormalize(stored, host)
  if (typeof schema === 'function') return deserialize(schema, stored)
  if (Array.isArray(schema)) return Array.isArray(stored) ? host.list(elementOf(schema), stored) : stored
  return denormalizeObject(schema as Shape, stored, host)
}

/** The view of one member of what is stored. */
export function denormalizeMember(
  schema: unknown,
  holder: object,
  key: string | number,
  host: ViewHost,
  stored: unknown = (holder as { readonly [key: string | number]: unknown })[key],
): unknown {
  if (!isDeserializer(schema) || stored === null || stored === undefined) return host.visit(schema, stored)
  return deserializeAt(schema, holder, key, stored)
}

export function isDeserializer(schema: unknown): schema is object {
  return typeof schema === 'function' && handlerOf(schema) === undefined
}

export function isEntityClass(schema: unknown): schema is EntityClass {
  return typeof schema === 'function' && handlerOf(schema) !== undefined
}

export function queryKeyOf(schema: unknown, args: readonly unknown[], host: QueryHost): unknown {
  const handler = handlerOf(schema)
  if (handler !== undefined) return handler.queryKey(args, host)
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return undefined
  const keys: { [name: string]: unknown } = {}
  for (const name of Object.keys(schema)) {
    const found = queryKeyOf((schema as Shape)[name], args, host)
    if (found === undefined) return undefined
    keys[name] = found
  }
  return keys
}

/** The fields of an object and their schemas; undefined for a schema of anything else. */
export function shapeOf(schema: unknown): Shape | undefined {
  return schema instanceof Schema ? schema.shape : isPlain(schema) ? schema : undefined
}

/** The one schema in `[S]`. */
export function elementOf(schema: readonly unknown[]): unknown {
  if (schema.length !== 1) {
    throw new SchemaError(
      `[${schema.map(nameOf).join(', ')}] must hold exactly one schema. For several types write new schema.Array({ type: Entity, … }, 'attribute').`,
    )
  }
  return schema[0]
}

/** What to call a schema in a sentence. */
export function nameOf(schema: unknown): string {
  if (typeof schema === 'function') return schema.name || 'an unnamed class'
  if (Array.isArray(schema)) return `[${schema.map(nameOf).join(', ')}]`
  if (typeof schema === 'object' && schema !== null) {
    const maker = (Object.getPrototypeOf(schema) as { constructor?: { name?: string } } | null)?.constructor?.name
    return maker && maker !== 'Object' ? maker : `{ ${Object.keys(schema).join(', ')} }`
  }
  return String(schema)
}

/** A list of the stored forms of each member; `known`, if it has the same. An object is taken as its values. */
export function normalizeList(element: unknown, input: unknown, parent: unknown, key: string, host: NormalizeHost, known?: unknown): unknown {
  if (typeof input === 'boolean') return input
  const list = Array.isArray(input) ? (input as readonly unknown[]) : valuesOf(input, element)
  const before: readonly unknown[] = Array.isArray(known) && known.length === list.length ? known : NONE
  let stored: unknown[] | undefined = before === NONE ? ROOM.slice(0, list.length) : undefined
  // The members of a list are on one level, which its own visit has counted; only lists of lists count again.
  const handler = typeof element === 'function' ? handlerOf(element) : undefined
  let i = 0
  for (; i < list.length; i++) {
    const item = list[i]
    const kept =
      handler === undefined || item === null || item === undefined
        ? host.visit(element, item, parent, key, before[i])
        : handler.normalize(item, parent, key, host)
    if (stored === undefined) {
      if (identical(kept, before[i])) continue
      stored = [...before]
    }
    stored[i] = kept
  }
  // A list with getters may have become shorter while it was read.
  if (stored === undefined && before.length === i) return before
  stored ??= [...before]
  if (stored.length > i) stored.length = i
  return Object.freeze(stored)
}

const NONE: readonly unknown[] = []

/** Short lists are copies of this, with exactly the room that they need: one that grows from nothing has room for seventeen, and keeps it. Spelt out, because a filled one counts as having holes. */
const ROOM: readonly unknown[] = [
  undefined, undefined, undefined, undefined, undefined, undefined, undefined, undefined,
  undefined, undefined, undefined, undefined, undefined, undefined, undefined, undefined,
]

function valuesOf(input: unknown, element: unknown): readonly unknown[] {
  if (typeof input === 'object' && input !== null) return Object.values(input)
  throw new ValidationError(`Expected a list of ${nameOf(element)}, found ${describe(input)}.`, input)
}

/** What was found, for an error sentence. */
export function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (typeof value === 'string') return `the string ${JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)}`
  return typeof value === 'object' ? (Array.isArray(value) ? 'a list' : 'an object') : `the ${typeof value} ${String(value)}`
}

/** Members that are not there, or must not be shown, are left out; `null` stays. */
export function denormalizeList(element: unknown, stored: readonly unknown[], host: ViewHost): readonly unknown[] {
  const view: unknown[] = []
  const deserialized = isDeserializer(element)
  for (let i = 0; i < stored.length; i++) {
    const member = deserialized ? denormalizeMember(element, stored, i, host) : host.visit(element, stored[i])
    if (member !== undefined && member !== INVALID) view.push(member)
  }
  return Object.freeze(view)
}

/** Not `Object.hasOwn`: V8 knows that what a loop meets is own only when it is asked in this way. */
const { hasOwnProperty } = Object.prototype

/** A literal schema: field names to schemas. */
/** Warned of wherever a field is copied. */
export const PROTO_DROPPED = 'the response has a key "__proto__", which was dropped.'

export interface Shape {
  readonly [field: string]: unknown
}

/** Declared fields are visited, all others copied; `known` is given back, if it has the same. */
export function normalizeObject(shape: Shape, input: unknown, host: NormalizeHost, known?: unknown): unknown {
  if (typeof input === 'boolean') return input
  if (typeof input !== 'object' || input === null) {
    throw new ValidationError(`Expected an object with ${Object.keys(shape).join(', ')}, found ${describe(input)}.`, input)
  }
  if (Array.isArray(input)) return host.own(input)
  const before = isPlain(known) ? known : undefined
  /** Made when something differs. */
  let stored: { [field: string]: unknown } | undefined = before === undefined ? {} : undefined
  let count = 0
  let at = 0
  for (const field in input) {
    if (!hasOwnProperty.call(input, field)) continue
    if (field === '__proto__') {
      host.warn(PROTO_DROPPED)
      continue
    }
    const value = (input as Shape)[field]
    const old = before?.[field]
    const kept = hasOwnProperty.call(shape, field)
      ? host.visit(shape[field], value, input, field, old)
      : typeof value === 'object'
        ? host.own(value)
        : value
    if (stored === undefined) {
      if (kept === undefined ? old === undefined : identical(kept, old)) {
        if (kept !== undefined) count++
        continue
      }
      stored = firstOf(before!, count, input)
    }
    if (kept === undefined) continue
    // For the first few a place of their own, of which V8 learns the name; see copy.ts.
    try {
      switch (at) {
        case 0: stored[field] = kept; at = 1; break
        case 1: stored[field] = kept; at = 2; break
        case 2: stored[field] = kept; at = 3; break
        default: stored[field] = kept
      }
    } catch {
      put(stored, field, kept)
    }
  }
  if (stored === undefined) {
    if (count === Object.keys(before!).length) return before
    stored = firstOf(before!, count, input)
  }
  return Object.freeze(stored)
}

/** An object with those `count` members of `before` that `input` names first. */
function firstOf(before: Shape, count: number, input: object): { [field: string]: unknown } {
  const first: { [field: string]: unknown } = {}
  for (const field of Object.keys(input)) {
    if (count === 0) break
    if (!Object.hasOwn(before, field)) continue
    count--
    put(first, field, before[field])
  }
  return first
}

/** One member that must not be shown makes the whole object one. */
export function denormalizeObject(shape: Shape, stored: unknown, host: ViewHost): unknown {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return stored
  const view: { [field: string]: unknown } = {}
  for (const field in stored) {
    if (!hasOwnProperty.call(stored, field)) continue
    const value = (stored as Shape)[field]
    const member = hasOwnProperty.call(shape, field) ? denormalizeMember(shape[field], stored, field, host, value) : value
    if (member === INVALID) return INVALID
    put(view, field, member)
  }
  return Object.freeze(view)
}

/** Thrown by hosts whose walk came too deep. */
export function nestedTooDeep(limit: number): DepthError {
  return new DepthError(
    `The response nests entities deeper than ${limit} levels. Send them side by side and refer to them by pk: chains may be of any length.`,
  )
}
