import { handlerOf } from './dispatch.ts'
import type { Resolved, Tagged } from './Tagging.ts'

/** What makes two members of a collection the same: the pk, and the type where there are several. */
export function memberKey(member: unknown): unknown {
  if (typeof member !== 'object' || member === null) return member
  const { id, schema } = member as Partial<Tagged>
  return typeof id === 'string' && typeof schema === 'string' ? JSON.stringify([schema, id]) : member
}

/** The pk of an entity, of one type or of several, as it is stored. */
export function memberPk(member: unknown): string | undefined {
  const { id, schema } = (member ?? {}) as { readonly id?: unknown; readonly schema?: unknown }
  return typeof member === 'string' ? member : typeof id === 'string' && typeof schema === 'string' ? id : undefined
}

/** A list that names each member once, at its first place. */
export function distinct(members: readonly unknown[]): readonly unknown[] {
  const seen = new Set<unknown>()
  for (let i = 0; i < members.length; i++) seen.add(memberKey(members[i]))
  if (seen.size === members.length) return members
  return Object.freeze(members.filter(member => seen.delete(memberKey(member))))
}

/** The table and pk behind a member of a collection over `definition`. */
export function memberIdentity(definition: unknown, member: unknown): { key: string; pk: string } | undefined {
  const [type, pk] = resolved(Array.isArray(definition) ? definition[0] : definition, member) ?? []
  return typeof pk === 'string' && typeof type === 'function' && 'key' in type ? { key: String(type.key), pk } : undefined
}

/** The class that is behind `schema`, and what is stored of it; undefined where there are none. */
export function resolved(schema: unknown, stored: unknown): Resolved | undefined {
  let at: Resolved | undefined = [schema, stored]
  while (at !== undefined && typeof at[0] !== 'function') at = (handlerOf(at[0]) as { resolve?(stored: unknown): Resolved | undefined } | undefined)?.resolve?.(at[1])
  return at
}
