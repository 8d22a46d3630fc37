import { ValidationError } from '../base/errors.ts'
import { copyOf, equal, hasOwn, isObject, keep, take, type Plain } from '../base/plain.ts'
import { matches, memberOf, pagingIn, type CollectionFilter, type CollectionKey } from './filter.ts'
import { Schema, type RecordLookup, type ViewHost, type Walk } from './interface.ts'
import type { Denormalize } from './types.ts'
import { Variants } from './Variants.ts'

/** The stored members of a collection. */
export type Members = readonly unknown[] | { readonly [name: string]: unknown }

/** How new members become part of a collection. Returning `collection` leaves it alone. */
export type Merge = (collection: never, creation: never) => unknown

/** The part of a collection that a creation uses. */
export interface CreationTarget<D> {
  readonly key: string
  readonly definition: D
  /** A list of members, as opposed to a map of them. */
  readonly isList: boolean
  /** The schema of one member. */
  readonly memberSchema: unknown
}

/** The view of one member of a collection over `D`. */
export type ElementView<D> = Denormalize<D> extends readonly (infer E)[] ? E : Denormalize<D>

/** An entity behind a member of a collection. */
export interface Identity {
  readonly key: string
  readonly pk: string
}

/**
 * Writes new entities and adds them to every stored collection that its filter accepts.
 * One object gives one entity, a list gives a list. Made by `Collection.push` and its siblings.
 *
 * @example
 * const create: Creation<(typeof Todo)[]> = new schema.Collection([Todo]).push
 */
export class Creation<D = unknown> extends Schema<ElementView<D>> {
  /** @internal */ declare readonly target: CreationTarget<D>
  /** @internal */ declare readonly merge: Merge
  /** @internal */ declare readonly filter: CollectionFilter
  /** @internal Whether it moves entities that exist, and so looks their records up. */ readonly moves: boolean = false

  constructor(target: CreationTarget<D>, merge: Merge, filter: CollectionFilter) {
    super()
    this.target = target
    this.merge = merge
    this.filter = filter
  }

  override normalize(input: unknown, parent: unknown, key: string, walk: Walk): unknown {
    const { target } = this
    const { args } = walk
    const single = target.isList ? !Array.isArray(input) : !isMapOfObjects(input)
    const visit = (): unknown => walk.visit(single ? target.memberSchema : target.definition, input, parent, key)
    const adds = this.merge !== without
    const stored = adds && !this.moves ? walk.creating(visit) : visit()
    const members = (!single ? stored : target.isList ? [stored] : { [identityOf(target.memberSchema, stored)?.pk ?? '']: stored }) as Members
    walk.changeMembers({
      key: target.key,
      readsRecords: this.moves,
      change: (existing, collectionKey, lookup) => this.change(existing as Members, members, collectionKey, args, lookup),
      unsure: adds ? (collectionKey, existing, recordOf) => this.#isUncertain(members, existing as Members, collectionKey, args, recordOf) : undefined,
    })
    return stored
  }

  /** A value that was created alone is shown alone. */
  override denormalize(stored: unknown, host: ViewHost): unknown {
    const { definition, isList, memberSchema } = this.target
    const single = isList ? !Array.isArray(stored) : identityOf(memberSchema, stored) !== undefined
    return host.visit(single ? memberSchema : definition, stored)
  }

  /**
   * Whether the server may have other members in this list, so that it has to be fetched again. It may if
   * - a field of the new member was equal to an argument, so the list took it, and the server has stored another value;
   * - the list does not have the new member, and no value of the member differs from an argument of the list;
   * - the list has a moved member, and a value of the member differs from an argument, or the list is sorted.
   * An argument that pages or sorts, or has several values or an operator, cannot be compared with a value. Then the
   * server may have other members, too.
   */
  #isUncertain(members: Members, existing: Members, collectionKey: CollectionKey, [params, body]: readonly unknown[], recordOf: (key: string, pk: string) => object | undefined): boolean {
    const isTaken = this.filter(params, body)(collectionKey)
    return Object.values(members).some((member: unknown) => {
      const identity = identityOf(this.target.memberSchema, member)
      const sources = [identity && recordOf(identity.key, identity.pk), ...(isTaken ? [] : [params, body])]
      const isMember = !freshMembers(Object.values(existing), [member]).length
      // An argument with several values is a list, or a text such as `open,done`; one with an operator is an object.
      const contradicts = (name: string): boolean => (pagingIn(name) || /^[[{]|,/.test(collectionKey[name]!) ? isMember && !isTaken : sources.some(each => memberOf(each, name) !== undefined) && !sources.some(each => matches(each, name, collectionKey[name]!)))
      const has = isTaken || isMember
      return (this.moves !== isTaken || !has) && Object.keys(collectionKey).some(contradicts) === has
    })
  }

  /** The next members of one collection. */
  protected change(existing: Members, members: Members, collectionKey: CollectionKey, args: readonly unknown[], _lookup: RecordLookup): Members {
    return this.filter(args[0], args[1])(this.merge === without ? unpaged(collectionKey, Object.assign({}, ...args) as object) : collectionKey) ? this.merged(existing, members) : existing
  }

  protected merged(existing: Members, members: Members): Members {
    const next = (this.merge as (collection: Members, creation: Members) => unknown)(existing, members)
    if (next === existing) return existing
    // Our own merges return a new list of known members; a merge of the user may return anything.
    if (OWN_MERGES.has(this.merge)) return Object.freeze(next as Members)
    if (!isObject(next)) throw new ValidationError(`${this.target.key}: merge must return the members, not ${String(next)}.`, next)
    const taken = take(next) as Members
    return keep(existing, Array.isArray(taken) ? unique(taken) : taken)
  }
}

/**
 * Writes an entity and moves it from the collections that its old values matched into those that its new values match.
 *
 * @example
 * const move: Move<(typeof Todo)[]> = new schema.Collection([Todo]).move
 */
export class Move<D = unknown> extends Creation<D> {
  /** @internal */ override readonly moves: boolean = true

  protected override change(existing: Members, members: Members, collectionKey: CollectionKey, args: readonly unknown[], lookup: RecordLookup): Members {
    const entering: Plain = {}
    const leaving: unknown[] = []
    for (const [name, member] of Object.entries(members) as [string, unknown][]) {
      const identity = identityOf(this.target.memberSchema, member)
      if (!identity) continue
      // The record's fields over the URL parameters of the call.
      const matched = (record: object | undefined, isPart: boolean): boolean => {
        const values = { ...(isObject(args[0]) && args[0]), ...record }
        return !!record && this.filter(values)(isPart ? unpaged(collectionKey, values) : collectionKey)
      }
      const after = lookup.after(identity.key, identity.pk)
      if (matched(after, false)) entering[name] = member
      // A collection that the old values did not match contains the entity for a reason of its own.
      else if (!matched(after, true) && lookup.before(identity.key, identity.pk).some(record => matched(record, true))) leaving.push(member)
    }
    const left = without(existing, leaving)
    const added = Array.isArray(existing) ? Object.values(entering) : entering
    return Object.keys(entering).length ? this.merged(left, added) : left
  }
}

/** The key without what selects a part of a list, or sorts it: a row that leaves a list leaves each part of it. */
function unpaged(collectionKey: CollectionKey, values: object): CollectionKey {
  return Object.fromEntries(Object.entries(collectionKey).filter(([name]) => !pagingIn(name) || hasOwn(values, name)))
}

/** A map of entities, as opposed to one entity. Entries that are null are dropped later. */
function isMapOfObjects(input: unknown): boolean {
  if (!isObject(input)) return false
  const members = Object.values(input).filter(member => member != null)
  return members.every(isObject) && (members.length > 0 || !Object.keys(input).length)
}

/** New members at the end; members that are already there keep their index. */
export function append(collection: Members, creation: Members): Members {
  if (!Array.isArray(collection)) return assign(collection, creation)
  const fresh = freshMembers(collection, creation)
  return fresh.length ? [...(collection as unknown[]), ...fresh] : collection
}

/** New members at the start, in their order. */
export function prepend(collection: Members, creation: Members): Members {
  if (!Array.isArray(collection)) return assign(collection, creation)
  const fresh = freshMembers(collection, creation)
  return fresh.length ? [...fresh, ...(collection as unknown[])] : collection
}

/** Members by name. */
export function assign(collection: Members, creation: Members): Members {
  if (Array.isArray(collection) || Array.isArray(creation)) return collection
  const known = collection as Plain
  const added = Object.entries(creation as Plain).filter(([name, member]) => !hasOwn(known, name) || !equal(known[name], member))
  return added.length ? Object.assign(copyOf(known), Object.fromEntries(added)) : collection
}

/** The collection without these members. */
export function without(collection: Members, creation: Members): Members {
  const keys = new Set(Object.values(creation).map(memberKey))
  const stays = (member: unknown): boolean => !keys.has(memberKey(member))
  if (Object.values(collection).every(stays)) return collection
  return Array.isArray(collection) ? collection.filter(stays) : Object.fromEntries(Object.entries(collection).filter(([, member]) => stays(member)))
}

const OWN_MERGES: ReadonlySet<unknown> = /* @__PURE__ */ new Set([append, prepend, assign, without])

function freshMembers(collection: readonly unknown[], creation: Members): unknown[] {
  const members: unknown[] = Object.values(creation)
  // For one new pk, a scan of a long list is faster than a set of its members.
  if (members.length === 1 && typeof members[0] === 'string') return collection.includes(members[0]) ? [] : members
  const seen = new Set<unknown>(collection.map(memberKey))
  return members.filter(member => member != null && !seen.has(memberKey(member)) && seen.add(memberKey(member)))
}

/** A list in which each member occurs once, at its first index. */
export function unique(members: readonly unknown[]): readonly unknown[] {
  const seen = new Set<unknown>(members.map(memberKey))
  return seen.size === members.length ? members : Object.freeze(members.filter(member => seen.delete(memberKey(member))))
}

/** The identity of a member: the pk, and the type where there are several. */
function memberKey(member: unknown): unknown {
  if (!isObject(member)) return member
  const { id, schema } = member as { readonly id?: unknown; readonly schema?: unknown }
  return typeof id === 'string' && typeof schema === 'string' ? JSON.stringify([schema, id]) : member
}

/** The entity behind a stored member; undefined for plain data. */
export function identityOf(schema: unknown, member: unknown): Identity | undefined {
  const [type, pk] = schema instanceof Variants ? (schema.resolve(member) ?? []) : [schema, member]
  return typeof pk === 'string' && typeof type === 'function' && 'key' in type ? { key: String(type.key), pk } : undefined
}
