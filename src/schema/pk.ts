import { MissingPkError } from '../base/errors.ts'
import { isObject } from '../base/plain.ts'

/** The results of `${id}` for an id that is missing. */
const SPILLED: ReadonlySet<string> = /* @__PURE__ */ new Set(['undefined', 'null', 'NaN', '[object Object]'])

/** The string form of a primary key; undefined when it cannot be one. The same in development and production. */
export function usablePk(pk: unknown, value: object): string | undefined {
  if (typeof pk === 'string') {
    // A server may really use the word "null" as an id; then a field says so.
    return pk === '' || (SPILLED.has(pk) && !Object.values(value).includes(pk)) ? undefined : pk
  }
  if (typeof pk === 'number') return Number.isFinite(pk) ? `${pk}` : undefined
  return typeof pk === 'bigint' ? `${pk}` : undefined
}

/** Two integers beyond this range may have become one number while the response was parsed. */
export function isUnsafe(pk: unknown): boolean {
  return Number.isInteger(pk) && !Number.isSafeInteger(pk)
}

export function missingPk(key: string, pk: unknown, value: object): MissingPkError {
  const fields = Object.keys(value)
  const cause =
    fields.length === 0
      ? 'The value is empty. Check the response.'
      : fields.includes('id')
        ? 'Its "id" must be a non-empty string, finite number or bigint.'
        : `It has the fields ${fields.slice(0, 8).join(', ')}; give ${key} a pk() that reads one of them, or, if it is inside, the schema { ${fields[0]}: ${key} }.`
  const given = typeof pk === 'string' ? JSON.stringify(pk) : isObject(pk) ? 'an object' : String(pk)
  return new MissingPkError(`${key}: pk() gave ${given}, which is no pk. ${cause}`, key, value)
}
