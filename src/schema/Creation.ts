import { ValidationError } from '../base/errors.ts'
import { equal, share } from '../base/plain.ts'
import type { CollectionFilter } from './filter.ts'
import { Schema, type NormalizeHost, type ViewHost } from './interface.ts'
import { distinct, memberIdentity, memberKey } from './member.ts'
import type { Resolved } from './Tagging.ts'
import type { Denormalize } from './types.ts'

/** What the members of a collection are stored as. */
export type Members = readonly unknown[] | { readonly [name: string]: unknown }

/** How a creation becomes part of a collection: `(collection, creation) => next`. Returning `collection` leaves it alone. */
export type Merge = (collection: never, creation: never, has: Has) => unknown

/** Whether a member is in the collection that is being changed. */
type Has = (member: unknown) => boolean

/** What a creation needs to know of its collection. */
export interface CreationTarget<D> {
  readonly key: string
  readonly definition: D
  /** A list of members, as opposed to a map of them. */
  readonly isList: boolean
}

/** The view of one member of a collection over `D`. */
export type ElementView<D> = Denormalize<D> extends readonly (infer E)[] ? E : Denormalize<D>

/**
 * Writes new entities and puts them into every stored collection that its filter lets them into.
 * One object gives one entity, a list gives a list. Made by `Collection.push` and its kin.
 *
 * @example
 * const create: Creation<(typeof Todo)[]> = new schema.Collection([Todo]).push
 */
export class Creation<D = unknown> extends Schema<ElementView<D>> {
  readonly #target: CreationTarget<D>
  readonly #merge: Merge
  /** @internal */ readonly filter: CollectionFilter

  constructor(target: CreationTarget<D>, merge: Merge, filter: CollectionFilter) {
    super()
    this.#target = target
    this.#merge = merge
    this.filter = filter
  }

  override normalize(input: unknown, parent: unknown, key: string, host: NormalizeHost): unknown {
    const { definition, isList } = this.#target
    const single = isList && !Array.isArray(input)
    const wasCreating = host.creating
    host.creating = true
    const members = host.visit(definition, single ? [input] : input, parent, key) as Members
    host.creating = wasCreating
    const accepts = this.filter(host.args[0], host.args[1])
    const merge = this.#merge as unknown as (collection: Members, creation: Members, has: Has) => Members
    host.membership({
      key: this.#target.key,
      created: () => (this.#merge === without ? [] : Object.values(members).map(member => memberIdentity(definition, member))),
      change: (existing, collectionKey, has, store) => {
        if (!accepts(collectionKey)) return existing
        const next = merge(existing as Members, members, has)
        if (Array.isArray(existing) && Array.isArray(next) && (this.#merge === append || this.#merge === prepend)) {
          store.added = { at: this.#merge === append ? existing.length : 0, count: next.length - existing.length }
        }
        // Our own merges give a fresh list of known members; a user's may give anything.
        if (next === existing || OWN.has(merge)) return next
        if (typeof next !== 'object' || next === null) throw new ValidationError(`${this.#target.key}: merge must return the members, it gave ${String(next)}.`, next)
        const owned = host.own(next) as Members
        return share(existing, Array.isArray(owned) ? distinct(owned) : owned) as Members
      },
    })
    return single ? (members as readonly unknown[])[0] : members
  }

  /** @internal What one that was made is. */
  resolve(stored: unknown): Resolved {
    const { definition } = this.#target
    return [Array.isArray(definition) ? definition[0] : definition, stored]
  }

  override denormalize(stored: unknown, host: ViewHost): unknown {
    return viewMembers(this.#target, stored, host)
  }
}

/** One that was given alone is shown alone. */
export function viewMembers({ definition, isList }: CreationTarget<unknown>, stored: unknown, host: ViewHost): unknown {
  if (!isList || Array.isArray(stored)) return host.visit(definition, stored)
  return (host.settled(definition, [stored]) as unknown[])[0]
}

/**
 * New members at the end; those already there stay where they are.
 *
 * Lists are joined by `concat`, of copies that are not frozen: what is spread behind something else grows step by step,
 * and V8 gives such a list half as much room again. Past some ten thousand members that takes ten times as long.
 */
export function append(collection: Members, creation: Members, has: Has): Members {
  if (!Array.isArray(collection)) return assign(collection, creation)
  const fresh = freshMembers(creation, has)
  return fresh.length === 0 ? collection : [...collection].concat(fresh)
}

/** New members at the start, in their order. */
export function prepend(collection: Members, creation: Members, has: Has): Members {
  if (!Array.isArray(collection)) return assign(collection, creation)
  const fresh = freshMembers(creation, has)
  return fresh.length === 0 ? collection : fresh.concat([...collection])
}

/** Members by name. */
export function assign(collection: Members, creation: Members): Members {
  if (Array.isArray(collection) || Array.isArray(creation)) return collection
  const known = collection as { readonly [name: string]: unknown }
  const added = Object.entries(creation).filter(([name, member]) => !Object.hasOwn(known, name) || !equal(known[name], member))
  return added.length === 0 ? collection : { ...known, ...Object.fromEntries(added) }
}

/** Without these members. */
export function without(collection: Members, creation: Members, has: Has): Members {
  const gone = Object.values(creation)
  const keys = new Set(gone.map(memberKey))
  const stays = (member: unknown): boolean => !keys.has(memberKey(member))
  if (Array.isArray(collection)) return gone.some(has) ? collection.filter(stays) : collection
  const left = Object.entries(collection).filter(([, member]) => stays(member))
  return left.length === Object.keys(collection).length ? collection : Object.fromEntries(left)
}

function freshMembers(creation: Members, has: Has): unknown[] {
  const seen = new Set<unknown>()
  const fresh: unknown[] = []
  for (const member of Object.values(creation) as unknown[]) {
    const key = memberKey(member)
    if (member === undefined || member === null || seen.has(key) || has(member)) continue
    seen.add(key)
    fresh.push(member)
  }
  return fresh
}

const OWN: ReadonlySet<unknown> = /* @__PURE__ */ new Set<unknown>([append, prepend, assign, without])
