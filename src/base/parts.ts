import { isObject, isPlain, type Plain } from './plain.ts'
import { attempt } from './report.ts'

/** Every part of `value` once, with a copy of those that have members. A value may contain itself. */
export function partsOf(value: unknown): Map<unknown, Plain | undefined> {
  const parts = new Map([[value, copyOf(value)]])
  for (const copy of parts.values()) for (const part of Object.values(copy ?? {})) if (!parts.has(part)) parts.set(part, copyOf(part))
  return parts
}

/** A copy of a list, a literal or a live object (an instance of an entity class that is not frozen). Undefined for other values, and for one that cannot be read: sending that fails later. */
function copyOf(value: unknown): Plain | undefined {
  return attempt(() => (Array.isArray(value) ? ([...(value as unknown[])] as unknown as Plain) : isPlain(value) || (isObject(value) && !Object.isFrozen(value) && 'normalize' in value.constructor) ? { ...value } : undefined))
}

/** A copy of `value` with the parts replaced that have no members. */
export function replaceParts<T>(value: T, replace = (part: unknown): unknown => part): T {
  const parts = partsOf(value)
  const next = (part: unknown): unknown => parts.get(part) ?? replace(part)
  for (const copy of parts.values()) for (const name of Object.keys(copy ?? {})) copy![name] = next(copy![name])
  return next(value) as T
}

/** `value` with strings replaced by what `names` says; the very same when it contains none of them. */
export function rename<T>(value: T, names: ReadonlyMap<unknown, unknown>): T {
  if (!names.size || ![...partsOf(value).keys()].some(part => names.has(part))) return value
  return replaceParts(value, part => names.get(part) ?? part)
}
