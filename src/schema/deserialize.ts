import { obtain } from '../base/obtain.ts'

type Deserializer = ((value: unknown) => unknown) & { prototype?: object }

/** Functions that have a prototype with members, and are meant to be called plainly all the same. */
const plainly: ReadonlySet<unknown> = /* @__PURE__ */ new Set<unknown>([Number, String, Boolean, BigInt, Symbol])

/** What each deserializer has made, by the object that holds the stored value and its place there. */
const made = /* @__PURE__ */ new WeakMap<object, WeakMap<object, Map<string | number, unknown>>>()

/** Deserializers that threw, and were told of. */
const warned = /* @__PURE__ */ new WeakSet<object>()

/** The same, made once for each place of what never changes: two views of one record show the same object. */
export function deserializeAt(schema: object, holder: object, key: string | number, stored: unknown): unknown {
  if (!Object.isFrozen(holder)) return deserialize(schema, stored)
  const holders = obtain(made, schema, () => new WeakMap<object, Map<string | number, unknown>>())
  const known = obtain(holders, holder, () => new Map<string | number, unknown>())
  if (!known.has(key)) known.set(key, deserialize(schema, stored))
  return known.get(key)
}

/**
 * The value that `schema` makes of what is stored. Classes, and functions whose prototype has members
 * (`Date`, `BigNumber`), are called with `new`; all others (arrows, `Temporal.Instant.from`) plainly.
 * One that throws gives undefined and, once, a warning: a bad string in a response must not break a render.
 */
export function deserialize(schema: object, stored: unknown): unknown {
  const make = schema as Deserializer
  try {
    return isConstructor(make) ? new (make as unknown as new (value: unknown) => unknown)(stored) : make(stored)
  } catch (error) {
    if (!warned.has(make)) {
      warned.add(make)
      const found = typeof stored === 'object' ? 'an object' : `the ${typeof stored} ${typeof stored === 'string' ? JSON.stringify(stored) : String(stored)}`
      console.warn(`patchcord: ${make.name || 'a deserializer'} could not read ${found}; the field is undefined.`, error)
    }
    return undefined
  }
}

function isConstructor(make: Deserializer): boolean {
  if (plainly.has(make)) return false
  const proto = make.prototype
  if (proto === undefined) return false
  return Object.getOwnPropertyNames(proto).length > 1 || /^class\b/.test(Function.prototype.toString.call(make))
}
