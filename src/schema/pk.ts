import { MissingPkError } from '../base/errors.ts'

/** The string form of a primary key, or undefined when the value cannot be one. The same in development and production. */
export function usablePk(pk: unknown, value: object): string | undefined {
  if (typeof pk === 'string') {
    if (pk === '') return undefined
    if (isSpilled(pk) && !Object.values(value).includes(pk)) return undefined
    return pk
  }
  if (typeof pk === 'number') return Number.isFinite(pk) ? `${pk}` : undefined
  return typeof pk === 'bigint' ? `${pk}` : undefined
}

/** What `${id}` gives for an id that is not there. A server may use the word as an id; then a field says it. */
function isSpilled(pk: string): boolean {
  // By length first: comparing characters would cost as much as all other checks of a pk together.
  switch (pk.length) {
    case 3:
      return pk === 'NaN'
    case 4:
      return pk === 'null'
    case 9:
      return pk === 'undefined'
    case 15:
      return pk === '[object Object]'
    default:
      return false
  }
}

/** Two ids beyond this may have become one number while the response was parsed. */
export function isUnsafe(pk: unknown): boolean {
  return typeof pk === 'number' && Number.isInteger(pk) && !Number.isSafeInteger(pk)
}

export function missingPk(key: string, pk: unknown, value: object): MissingPkError {
  const fields = Object.keys(value)
  // An object that came as data may have a toString of its own, which is data too.
  const found = typeof pk === 'string' ? JSON.stringify(pk) : typeof pk === 'object' && pk !== null ? 'an object' : String(pk)
  const cause =
    fields.length === 0
      ? 'The value is empty: was the response what you expected?'
      : fields.includes('id')
        ? 'Its "id" is not a non-empty string, finite number or bigint.'
        : `It has the fields ${fields.slice(0, 8).join(', ')}; give ${key} a pk() that reads one of them.`
  return new MissingPkError(`${key}: pk() gave ${found}, which cannot identify anything. ${cause}`, key, value)
}
