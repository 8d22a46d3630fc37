/** The name of a schema in an error message. */
export function nameOf(schema: unknown): string {
  if (typeof schema === 'function') return schema.name || 'an unnamed class'
  if (Array.isArray(schema)) return `[${schema.map(nameOf).join(', ')}]`
  if (typeof schema !== 'object' || schema === null) return String(schema)
  const name = (Object.getPrototypeOf(schema) as { constructor?: { name?: string } } | null)?.constructor?.name
  return name && name !== 'Object' ? name : `{ ${Object.keys(schema).join(', ')} }`
}

/** The name of a value in an error message. */
export function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (typeof value === 'string') return `the string ${JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)}`
  if (typeof value !== 'object') return `the ${typeof value} ${String(value)}`
  if (Array.isArray(value)) return 'a list'
  const fields = Object.keys(value)
  return fields.length === 0 ? 'an empty object' : `an object with ${fields.slice(0, 8).join(', ')}`
}
