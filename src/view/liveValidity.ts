import { denormalizeMember, denormalizeWith } from '../schema/dispatch.ts'
import { INVALID, type EntityClass, type Fields, type ViewHost } from '../schema/interface.ts'
import { BROKEN, VALID, type LiveEntity } from './liveEntity.ts'
import type { Follower, Member } from './liveHost.ts'

/** Says whether one of `fields` must not be shown. */
export type Probe = (fields: Iterable<readonly [field: string, schema: unknown]>, record: Fields) => boolean

/** Goes through schemas without showing anything, only to find out whether something must not be shown. */
export function probeOf(entity: ViewHost['entity']): Probe {
  const nothing = (): undefined => {}
  const host: ViewHost = {
    args: NOTHING,
    entity,
    visit: (schema, stored) => denormalizeWith(schema, stored, host),
    // Lists leave out what must not be shown, and a query without its input is undefined: neither is ever INVALID.
    list: () => NOTHING,
    settled: nothing,
    computed: nothing,
    record: nothing,
    all: nothing,
  }
  return (fields, record) => {
    for (const [field, schema] of fields) {
      if (Object.hasOwn(record, field) && denormalizeMember(schema, record, field, host) === INVALID) return true
    }
    return false
  }
}

const NOTHING: readonly unknown[] = []

/** Says which live entities may be shown. */
export interface Validity {
  /** Takes a new entity in. What it requires is taken in after it. */
  add(entity: LiveEntity): void
  /** Asks `entities` again, and those that require them; gives those for which the answer is another. */
  ask(entities: readonly LiveEntity[]): LiveEntity[]
}

/**
 * Which live entities may be shown. One that requires another falls with it, and comes back with it; a circle of entities
 * that are all right by themselves is all right. Works through a queue, so that no chain is too long.
 */
export function validityOf(node: (entity: EntityClass, pk: string) => LiveEntity): Validity {
  const queue: LiveEntity[] = []
  let needs: Member[] = []
  let asking: LiveEntity | undefined
  let busy = false
  const fails = probeOf((entity, pk) => {
    const needed = node(entity, pk)
    needs.push(needed)
    needed.follow(asking!.ref)
    return needed.shown
  })

  const lacksSomething = (entity: LiveEntity): boolean => {
    const { required } = entity.type
    if (required.length === 0) return false
    asking = entity
    needs = []
    const lacks = fails(required, entity.record!)
    entity.needs = needs
    // Whoever is remembered here would be kept alive by it.
    asking = undefined
    needs = []
    return lacks
  }

  const work = (before: Map<LiveEntity, number>): void => {
    busy = true
    try {
      for (let entity = queue.pop(); entity !== undefined; entity = queue.pop()) {
        if (entity.status !== VALID || !lacksSomething(entity)) continue
        if (!before.has(entity)) before.set(entity, VALID)
        entity.status = BROKEN
        addDependents(entity, queue, VALID)
      }
    } finally {
      busy = false
      queue.length = 0
    }
  }

  return {
    add(entity) {
      entity.status = entity.alone
      if (entity.type.required.length === 0) return
      queue.push(entity)
      if (!busy) work(new Map())
    },
    ask(entities) {
      const before = new Map<LiveEntity, number>()
      const stack = [...entities]
      for (let entity = stack.pop(); entity !== undefined; entity = stack.pop()) {
        if (before.has(entity)) continue
        before.set(entity, entity.status)
        // For now as if nothing were missing: in a circle, each would else wait for the other to come back.
        const wasBroken = entity.status === BROKEN
        entity.status = entity.alone
        queue.push(entity)
        if (wasBroken && entity.status !== BROKEN) addDependents(entity, stack, BROKEN)
      }
      for (const [entity, status] of before) if (entity.status === BROKEN && status !== BROKEN) addDependents(entity, queue, VALID)
      work(before)
      return [...before.keys()].filter(entity => entity.status !== before.get(entity))
    },
  }
}

/** Puts those that require `entity`, and have this status, on the list. */
function addDependents(entity: LiveEntity, list: LiveEntity[], status: number): void {
  entity.eachFollower(follower => {
    if (!isEntity(follower)) return true
    if (follower.status === status) list.push(follower)
    return follower.memberChanged(entity)
  })
}

function isEntity(follower: Follower): follower is LiveEntity {
  return 'status' in follower
}
