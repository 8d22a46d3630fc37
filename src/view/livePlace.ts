import { obtain } from '../base/obtain.ts'
import { identical, isPlain, share } from '../base/plain.ts'
import { denormalizeList, denormalizeMember, isDeserializer } from '../schema/dispatch.ts'
import type { EntityClass, Fields, Schema } from '../schema/interface.ts'
import { alike } from './alike.ts'
import type { LiveHost, Member, Surroundings } from './liveHost.ts'
import { LiveList } from './liveList.ts'

/** A query that is shown in a place. */
interface Computation {
  readonly stored: unknown
  readonly place: Place
  readonly read: () => unknown
}

/**
 * Where something is shown: a field of an entity or of a result, a root, a query. It remembers what it showed, so that
 * the same thing is shown by the same object. Arrays are remembered only for as long as somebody holds or reads them:
 * they hold their members, and those would live as long as whoever refers to them in passing.
 */
export class Place implements Surroundings {
  declare readonly args: readonly unknown[]
  /** Kept alive by what is shown here. */
  declare readonly owner: object
  #value: unknown
  /** What a deserialized value was made of. */
  #stored: unknown
  /** Counts walks, so that a list which this walk has shown is not taken for another. */
  #walks = 0
  #lists: WeakRef<LiveList>[] = []
  #queries: Map<object, Computation> | undefined
  #rowless: WeakMap<object, Member> | undefined

  constructor(owner: object, args: readonly unknown[] = []) {
    this.owner = owner
    this.args = args
  }

  /** What stands at `holder[key]`. */
  show(host: LiveHost, schema: unknown, holder: Fields, key: string): unknown {
    const stored = holder[key]
    if (!isDeserializer(schema)) return this.walk(host, stored, () => host.visit(schema, stored))
    if (!identical(stored, this.#stored)) {
      this.#stored = stored
      // The same one that other views of this record show.
      this.#value = denormalizeMember(schema, holder, key, host)
    }
    return this.#value
  }

  /** What `make` gives for `stored`, by the objects that were shown before as far as they are the same. */
  walk(host: LiveHost, stored: unknown, make: () => unknown): unknown {
    const value = this.#run(host, make)
    if (value === stored || !isFresh(value, host)) return value
    const kept = share(this.#value, value) as object
    if (kept !== this.#value) host.origins.set((this.#value = kept), this)
    return kept
  }

  /** What `make` computes; the object that was computed before, if it has the same members. */
  compute(host: LiveHost, make: () => unknown): unknown {
    const value = this.#run(host, make)
    if (!isFresh(value, host)) return value
    return alike(this.#value, value) ? this.#value : (this.#value = value)
  }

  list(host: LiveHost, element: unknown, stored: readonly unknown[]): unknown {
    const list = this.#find(element, stored) ?? new LiveList(element, this)
    const view = list.show(host, stored)
    if (view === undefined) return denormalizeList(element, stored, host)
    if (list.used === 0) this.#lists.push(list.ref)
    list.used = this.#walks
    return view
  }

  query(host: LiveHost, schema: Schema, stored: unknown): unknown {
    const queries = (this.#queries ??= new Map<object, Computation>())
    let known = queries.get(schema)
    if (known === undefined || !identical(known.stored, stored)) {
      const place = known?.place ?? new Place(this, this.args)
      const read = host.tracker.memo(() => place.compute(host, () => schema.denormalize(stored, host)))
      queries.set(schema, (known = { stored, place, read }))
    }
    return known.read()
  }

  inPlace(host: LiveHost, entity: EntityClass, stored: Fields): unknown {
    const rowless = (this.#rowless ??= new WeakMap<object, Member>())
    return obtain(rowless, stored, () => host.rowless(entity, stored)).look()
  }

  /** The list that showed `stored`, or one that this walk has not needed yet: it will show what is the same by the same members. */
  #find(element: unknown, stored: readonly unknown[]): LiveList | undefined {
    let spare: LiveList | undefined
    for (const ref of this.#lists) {
      const list = ref.deref()
      if (list === undefined || list.element !== element) continue
      if (list.stored === stored) return list
      if (list.used < this.#walks) spare ??= list
    }
    return spare
  }

  #run(host: LiveHost, make: () => unknown): unknown {
    const outer = host.place
    const walk = ++this.#walks
    host.place = this
    try {
      return make()
    } finally {
      host.place = outer
      if (this.#lists.length > 1) this.#lists = this.#lists.filter(ref => (ref.deref()?.used ?? 0) >= walk)
    }
  }
}

/** Plain objects, and arrays that are no live lists, are made anew by each walk. */
function isFresh(value: unknown, host: LiveHost): value is object {
  return (Array.isArray(value) || isPlain(value)) && !(host.origins.get(value) instanceof LiveList)
}
