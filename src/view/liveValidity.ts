import { denormalizeMember, denormalizeWith } from '../schema/dispatch.ts'
import { INVALID, type EntityClass, type Fields, type ViewHost } from '../schema/interface.ts'
import { BROKEN, VALID, type LiveEntity } from './liveEntity.ts'
import type { Follower, Member } from './liveHost.ts'

/** Goes through a schema without showing anything, only to find out whether it must not be shown. */
export class Probe implements ViewHost {
  readonly args: readonly unknown[] = []
  readonly #look: (entity: EntityClass, pk: string) => unknown

  constructor(look: (entity: EntityClass, pk: string) => unknown) {
    this.#look = look
  }

  entity(entity: EntityClass, pk: string): unknown {
    return this.#look(entity, pk)
  }

  visit(schema: unknown, stored: unknown): unknown {
    return denormalizeWith(schema, stored, this)
  }

  // Lists leave out what must not be shown, and a query without its input is undefined: neither is ever INVALID.
  list(): readonly unknown[] {
    return NOTHING
  }

  settled(): undefined {}

  computed(): undefined {}

  record(): undefined {}

  all(): undefined {}

  /** Whether one of `fields` must not be shown. */
  fails(fields: Iterable<readonly [field: string, schema: unknown]>, record: Fields): boolean {
    for (const [field, schema] of fields) {
      if (Object.hasOwn(record, field) && denormalizeMember(schema, record, field, this) === INVALID) return true
    }
    return false
  }
}

const NOTHING: readonly unknown[] = []

/**
 * Which live entities may be shown. One that requires another falls with it, and comes back with it; a circle of entities
 * that are all right by themselves is all right. Works through a queue, so that no chain is too long.
 */
export class Validity {
  readonly #probe: Probe
  readonly #queue: LiveEntity[] = []
  #needs: Member[] = []
  #asking: LiveEntity | undefined
  #busy = false

  constructor(node: (entity: EntityClass, pk: string) => LiveEntity) {
    this.#probe = new Probe((entity, pk) => {
      const needed = node(entity, pk)
      this.#needs.push(needed)
      needed.follow(this.#asking!.ref)
      return needed.shown
    })
  }

  /** Takes a new entity in. What it requires is taken in after it. */
  add(node: LiveEntity): void {
    node.status = node.alone
    if (node.type.required.length === 0) return
    this.#queue.push(node)
    if (!this.#busy) this.#work(new Map())
  }

  /** Asks `nodes` again, and those that require them; gives those for which the answer is another. */
  ask(nodes: readonly LiveEntity[]): LiveEntity[] {
    const before = new Map<LiveEntity, number>()
    const stack = [...nodes]
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      if (before.has(node)) continue
      before.set(node, node.status)
      // For now as if nothing were missing: in a circle, each would else wait for the other to come back.
      const wasBroken = node.status === BROKEN
      node.status = node.alone
      this.#queue.push(node)
      if (wasBroken && node.status !== BROKEN) this.#dependents(node, stack, BROKEN)
    }
    for (const [node, status] of before) if (node.status === BROKEN && status !== BROKEN) this.#dependents(node, this.#queue, VALID)
    this.#work(before)
    return [...before.keys()].filter(node => node.status !== before.get(node))
  }

  #work(before: Map<LiveEntity, number>): void {
    this.#busy = true
    try {
      for (let node = this.#queue.pop(); node !== undefined; node = this.#queue.pop()) {
        if (node.status !== VALID || !this.#lacksSomething(node)) continue
        if (!before.has(node)) before.set(node, VALID)
        node.status = BROKEN
        this.#dependents(node, this.#queue, VALID)
      }
    } finally {
      this.#busy = false
      this.#queue.length = 0
    }
  }

  #lacksSomething(node: LiveEntity): boolean {
    const { required } = node.type
    if (required.length === 0) return false
    this.#asking = node
    this.#needs = []
    const lacks = this.#probe.fails(required, node.record!)
    node.needs = this.#needs
    // Whoever is remembered here would be kept alive by it.
    this.#asking = undefined
    this.#needs = []
    return lacks
  }

  /** Puts those that require `node`, and have this status, on the list. */
  #dependents(node: LiveEntity, list: LiveEntity[], status: number): void {
    node.eachFollower(follower => {
      if (!isEntity(follower)) return true
      if (follower.status === status) list.push(follower)
      return follower.memberChanged(node)
    })
  }
}

function isEntity(follower: Follower): follower is LiveEntity {
  return 'status' in follower
}
