import { append, viewMembers, without, type CreationTarget, type ElementView, type Members } from './Creation.ts'
import type { CollectionFilter } from './filter.ts'
import { Schema, type MembershipHost, type NormalizeHost, type ViewHost } from './interface.ts'
import { memberIdentity } from './member.ts'

/**
 * Writes an entity, and moves it from the collections that its old values belonged to into those of its new ones.
 *
 * @example
 * const move: Move<(typeof Todo)[]> = new schema.Collection([Todo]).move
 */
export class Move<D = unknown> extends Schema<ElementView<D>> {
  readonly #target: CreationTarget<D>
  readonly #filter: CollectionFilter

  constructor(target: CreationTarget<D>, filter: CollectionFilter) {
    super()
    this.#target = target
    this.#filter = filter
  }

  override normalize(input: unknown, parent: unknown, key: string, host: NormalizeHost): unknown {
    const { definition, isList } = this.#target
    const single = isList && !Array.isArray(input)
    const members = host.visit(definition, single ? [input] : input, parent, key) as Members
    const earlier: MembershipHost['before'][] = []
    host.membership({
      key: this.#target.key,
      since: before => void earlier.push(before),
      change: (existing, collectionKey, has, store) => {
        const { entering, leaving } = this.#sorted(members, collectionKey, store, earlier)
        const left = without(existing as Members, leaving, has)
        return append(left, Array.isArray(existing) ? Object.values(entering) : entering, has)
      },
    })
    return single ? (members as readonly unknown[])[0] : members
  }

  override denormalize(stored: unknown, host: ViewHost): unknown {
    return viewMembers(this.#target, stored, host)
  }

  /** Which members belong into the collection of this key, and which did until now; by name, or place. */
  #sorted(
    members: Members,
    collectionKey: { readonly [name: string]: string },
    store: MembershipHost,
    earlier: readonly MembershipHost['before'][],
  ): { entering: { [name: string]: unknown }; leaving: unknown[] } {
    const entering: { [name: string]: unknown } = {}
    const leaving: unknown[] = []
    for (const [name, member] of Object.entries(members) as [string, unknown][]) {
      const identity = memberIdentity(this.#target.definition, member)
      if (identity === undefined) continue
      const { key, pk } = identity
      const belongs = (record: object | undefined): boolean => record !== undefined && this.#filter(record)(collectionKey)
      const old = [store.before, ...earlier].map(before => before(key, pk))
      if (belongs(store.now(key, pk))) entering[name] = member
      // A collection that the old values did not explain holds the entity for a reason of its own.
      else if (old.some(belongs)) leaving.push(member)
    }
    return { entering, leaving }
  }
}
