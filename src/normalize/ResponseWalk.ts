import { ValidationError } from '../base/errors.ts'
import { DEPTH_LIMIT, hasOwn, isObject, put, take, takeFields, tooDeep, type Plain } from '../base/plain.ts'
import { compile } from '../schema/compile.ts'
import { describe } from '../schema/describe.ts'
import type { EntityClass, Fields, MembershipChange, MergePolicy, Walk } from '../schema/interface.ts'
import { defaultsOf, isUnsafe, missingPk, planOf, usablePk, type Plan } from '../schema/plan.ts'
import type { Cell, Directory, Table } from '../store/State.ts'
import { mergeInto, type Operation, type WriteOperation } from './fold.ts'

/** The pk of the n-th entity of a creation that has none yet. */
export type TemporaryPk = (key: string, position: number) => string

export interface WalkOptions {
  /** The input belongs to the caller and is copied; otherwise it is rewritten in place. */
  readonly copies: boolean
  readonly temporaryPk?: TemporaryPk | undefined
  /** Only finds out which rows the input is about: nested entities are not visited. */
  readonly shallow?: boolean
}

/** The facts that a walk caches about a class. */
interface Known {
  readonly plan: Plan
  readonly table: Table
}

/** One walk over a response. It makes operations and reads no state. */
export class ResponseWalk implements Walk {
  declare readonly args: readonly unknown[]
  declare readonly copies: boolean
  readonly operations: Operation[] = []
  /** The cells of created entities, in the order of the walk. */
  readonly created: Cell[] = []
  declare owner: { readonly key: string; readonly pk: string } | undefined
  readonly #directory: Directory
  readonly #temporaryPk: TemporaryPk | undefined
  declare readonly shallow: boolean | undefined
  readonly #classes = new Map<EntityClass, Known>()
  /** By table and slot. A map by cell would take a tenth of the time of a walk. */
  readonly #writes: (WriteOperation | undefined)[][] = []
  /** The entity that an input object was last visited as: an input that contains itself ends there. What was parsed does not. */
  readonly #visited = new Map<object, Cell>()
  /** The entity around a creation, null outside of one: entities nested in a created one are not created by it. */
  #creationOwner: ResponseWalk['owner'] | null = null
  #temporaries = 0
  #depth = 0

  constructor(directory: Directory, args: readonly unknown[], { copies, temporaryPk, shallow }: WalkOptions) {
    this.#directory = directory
    this.args = args
    this.copies = copies
    this.#temporaryPk = temporaryPk
    this.shallow = shallow
  }

  visit(schema: unknown, value: unknown, parent: unknown, key: string): unknown {
    if (value === null || value === undefined) return value
    const handler = compile(schema)
    if (!handler) return this.take(value)
    if (++this.#depth > DEPTH_LIMIT) throw tooDeep()
    const stored = handler.normalize(value, parent, key, this)
    this.#depth--
    return stored
  }

  list(element: unknown, items: readonly unknown[], parent: unknown, key: string): readonly unknown[] {
    const stored: unknown[] = this.copies ? [] : (items as unknown[])
    for (let i = 0; i < items.length; i++) {
      const value = this.visit(element, items[i], parent, key)
      if (stored !== items || value !== items[i]) stored[i] = value
    }
    return Object.freeze(stored)
  }

  take(value: unknown): unknown {
    return take(value, this.copies, this.#depth)
  }

  /** process → pk → loop check → validate → nested schemas → write. Default lifecycle methods are inlined. */
  entity(entity: EntityClass, input: unknown, parent: unknown, key: string): unknown {
    const { plan, table } = this.#known(entity)
    if (!isObject(input)) return reference(input, plan.key)
    const given: unknown = plan.custom.process ? entity.process(input, parent, key, this.args) : input
    if (given !== undefined && !isObject(given)) throw new ValidationError(`${plan.key}: process must return an object, or undefined to delete, not ${describe(given)}.`, input)
    let processed = given ?? input
    const found = this.#pkOf(entity, plan, processed, parent, key)
    let pk = usablePk(found, processed)
    if (pk === undefined && (this.owner || this.#creationOwner !== null) && this.#temporaryPk && given) {
      pk = this.#temporaryPk(plan.key, this.#temporaries++)
      // Others can refer to the new entity by the field that its pk is read from.
      const candidates = ['id', ...Object.keys(defaultsOf(entity))].map(name => ({ ...processed, [name]: pk }))
      processed = candidates.find(each => this.#pkOf(entity, plan, each, parent, key) === pk) ?? processed
    }
    if (pk === undefined) throw missingPk(plan.key, found, processed)
    if (!given) {
      this.remove(entity, pk)
      return pk
    }
    warnUnsafe(plan, found)
    const cell = table.cell(pk)
    if (this.owner === this.#creationOwner) this.created.push(cell)
    const open = this.#open(entity, plan, cell)
    if (this.copies) {
      if (this.#visited.get(input) === cell) return cell.pk
      this.#visited.set(input, cell)
    }
    if (this.shallow) return cell.pk
    const complaint = plan.custom.validate && entity.validate(processed)
    if (complaint) throw new ValidationError(`${plan.key}: ${complaint}`, processed)
    const record = this.members(plan, cell, processed, this.copies || processed !== input)
    open.record = !open.record ? record : plan.custom.merge ? (take(entity.merge(open.record, record)) as object) : mergeInto(open.record as Plain, record)
    return cell.pk
  }

  write(policy: MergePolicy, pk: string, record: object): void {
    const table = this.#directory.table(policy.key)
    table.owner ??= policy
    const open = this.#open(policy, undefined, table.cell(pk))
    open.record = open.record ? policy.merge(open.record, record) : record
  }

  remove(entity: EntityClass, pk: string): void {
    const cell = this.#known(entity).table.cell(pk)
    // The response may have the entity again after this: then it is written after the deletion.
    delete this.#writes[cell.table.ordinal]?.[cell.slot]
    this.operations.push({ type: 'remove', cell })
  }

  creating<T>(visit: () => T): T {
    const outer = this.#creationOwner
    this.#creationOwner = this.owner
    const result = visit()
    this.#creationOwner = outer
    return result
  }

  changeMembers({ key, ...change }: MembershipChange): void {
    this.operations.push({ type: 'members', table: this.#directory.table(key), ...change })
  }

  /** The record of an entity. Entities nested in it know it as their owner. */
  members(plan: Plan, cell: Cell, processed: object, copies: boolean): Plain {
    const { owner } = this
    if (plan.fields.length > 0) this.owner = { key: plan.key, pk: cell.pk }
    const record = this.fields(plan.source, processed, copies)
    this.owner = owner
    return record
  }

  fields(schema: Fields, value: object, copies: boolean = this.copies): Plain {
    const stored = takeFields(value, copies, this.#depth, schema)
    for (const name of Object.keys(schema)) {
      if (!hasOwn(stored, name)) continue
      const member = stored[name]
      const next = this.visit(schema[name], member, value, name)
      if (next !== member) put(stored, name, next)
    }
    return stored
  }

  /** The plan and table of a class, and once a walk a look at who else uses its key. */
  #known(entity: EntityClass): Known {
    let known = this.#classes.get(entity)
    if (!known) {
      const plan = planOf(entity)
      const table = this.#directory.table(plan.key)
      this.#classes.set(entity, (known = { plan, table }))
      const other = (table.owner ??= entity) as EntityClass
      if (other !== entity) warnSharedKey(other, entity, plan)
    }
    return known
  }

  #pkOf(entity: EntityClass, plan: Plan, value: object, parent: unknown, key: string): unknown {
    if (plan.custom.pk) return entity.pk(value, parent, key, this.args)
    return hasOwn(value, 'id') ? (value as { id?: unknown }).id : undefined
  }

  #open(policy: MergePolicy, plan: Plan | undefined, cell: Cell): WriteOperation {
    const writes = (this.#writes[cell.table.ordinal] ??= [])
    let open = writes[cell.slot]
    if (!open) this.operations.push((open = writes[cell.slot] = { type: 'write', cell, policy, plan, record: undefined! }))
    return open
  }
}

/** The stored value of an entity of which only the pk is given. */
function reference(input: unknown, key: string): unknown {
  if (typeof input === 'string' || typeof input === 'boolean') return input
  if (typeof input === 'bigint' || Number.isFinite(input)) return `${input as number}`
  throw new ValidationError(`Expected ${key}, an object or its pk, found ${describe(input)}.`, input)
}

function warnUnsafe({ key, warned }: Plan, pk: unknown): void {
  if (!isUnsafe(pk) || warned.has('unsafe')) return
  warned.add('unsafe')
  console.warn(`patchcord: ${key} has the number ${pk as number} as its pk, beyond 2^53: two ids may have become one. Have the server send strings.`)
}

/** Bundlers may give unrelated classes one name; a key that both classes state is deliberate. */
function warnSharedKey(first: EntityClass, second: EntityClass, plan: Plan): void {
  if (first.key !== second.key || plan.warned.has('shared') || !(plan.derived || planOf(first).derived)) return
  plan.warned.add('shared')
  console.warn(`patchcord: two classes, ${first.name} and ${second.name}, share the key "${plan.key}" because of their name, and so their rows. Give each a \`static key\`.`)
}
