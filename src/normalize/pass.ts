import { obtain } from '../base/obtain.ts'
import { DEPTH_LIMIT, own, type Losses } from '../base/plain.ts'
import { nestedTooDeep, normalizeWith, PROTO_DROPPED } from '../schema/dispatch.ts'
import { isPolluted } from '../schema/entityView.ts'
import type { EntityClass, Fields, Membership, NormalizeHost, Policy } from '../schema/interface.ts'
import { noteRows, planOf, type Plan } from '../schema/plan.ts'
import type { Cell, CellTable } from '../store/cell.ts'
import type { Draft } from '../store/draft.ts'
import { normalizeEntity } from './entityInput.ts'
import { Members, NEW, Remove, SAME, UNSURE, Write, type Acquaintance, type Operation } from './operation.ts'

/** The pk of the n-th entity of a creation that has none yet. */
export type Temporary = (key: string, position: number, draft: Draft) => string

/** One walk over one response: the first phase, which asks nothing of the state but identities. */
export class Pass implements NormalizeHost {
  declare readonly args: readonly unknown[]
  readonly operations: Operation[] = []
  readonly polluted: boolean = isPolluted()
  ownerKey = ''
  ownerPk = ''
  creating = false
  readonly entity: NormalizeHost['entity'] = normalizeEntity
  readonly kept: unknown[] = []
  keptCount = 0
  readonly #draft: Draft
  readonly #temporary: Temporary
  /** The operations will be done to other versions too. */
  readonly #kept: boolean
  readonly #losses: Losses = {}
  #met: Map<Policy, Acquaintance> | undefined
  // Rows of one type come in runs, or in turns with those that hold them: one of two answers is nearly always the next.
  #last: Acquaintance | undefined
  #other: Acquaintance | undefined
  #depth = 0
  #made = 0
  #warned: Set<string> | undefined
  /** Further objects that spoke of a row; so that a loop through two of them ends. */
  #others: Map<Write, Set<object>> | undefined
  /** Rows that this response has removed. */
  #removed: Set<Cell> | undefined

  constructor(draft: Draft, args: readonly unknown[], temporary: Temporary, kept = false) {
    this.#draft = draft
    this.args = args
    this.#temporary = temporary
    this.#kept = kept
  }

  visit(schema: unknown, value: unknown, parent: unknown, key: string, known?: unknown): unknown {
    if (typeof value !== 'object' || value === null) return normalizeWith(schema, value, parent, key, this)
    if (++this.#depth > DEPTH_LIMIT) throw nestedTooDeep(DEPTH_LIMIT)
    const stored = normalizeWith(schema, value, parent, key, this, known)
    this.#depth--
    return stored
  }

  own(value: unknown): unknown {
    const owned = own(value, this.#losses)
    if (this.#losses.proto) this.warn(PROTO_DROPPED)
    return owned
  }

  enter(about: Acquaintance, pk: string, input: object): Write | undefined {
    const { table } = about
    const next = table.slots
    const cell = this.#draft.intern(table, pk)
    const { operations } = this
    const found = cell.slot === next && !this.#kept ? NEW : UNSURE
    if (found === UNSURE && cell.entry < operations.length) {
      const known = operations[cell.entry]
      if (known instanceof Write && known.cell === cell) return this.#again(known, input)
    }
    const entry = new Write(cell, about, input, found)
    // Not pushed: V8 takes an array that began empty for one of numbers, and calls instead of writing.
    cell.entry = operations.length
    operations[cell.entry] = entry
    return entry
  }

  /** A row that was met before in this response: by another object, or by the same one in a loop. */
  #again(known: Write, input: object): Write | undefined {
    if (known.input === input) return undefined
    // Without anything nested it is in no loop: a list names its few authors thousands of times.
    if (known.about.plan?.fields.length === 0) return known
    const others = obtain((this.#others ??= new Map<Write, Set<object>>()), known, () => new Set())
    if (others.has(input)) return undefined
    others.add(input)
    return known
  }

  /** Where the response itself has spoken of the row before, or removed it, the store is no longer what counts. */
  stored(entry: Write): Fields | undefined {
    if (entry.record !== undefined) return entry.about.plan?.custom.merge ? undefined : (entry.record as Fields)
    if (entry.found === NEW || this.#kept || this.#removed?.has(entry.cell)) return undefined
    return this.#draft.row(entry.cell) as Fields | undefined
  }

  keep(entry: Write, stored: object): void {
    if (entry.record !== undefined) return
    entry.record = stored
    entry.found = SAME
  }

  write(entry: Write, record: object): void {
    if (entry.found === SAME) entry.found = UNSURE
    entry.record = entry.record === undefined ? record : (own(entry.about.policy.merge(entry.record, record)) as object)
  }

  remove(policy: Policy, pk: string): void {
    const cell = this.#draft.intern(this.meet(policy).table, pk)
    ;(this.#removed ??= new Set()).add(cell)
    // What the response says of the row after this is a write of its own, and comes after the removal.
    cell.entry = this.operations.push(new Remove(cell)) - 1
  }

  membership(change: Membership): void {
    this.operations.push(new Members(this.#draft.cells.table(change.key), change))
  }

  temporaryPk(key: string): string {
    return this.#temporary(key, this.#made++, this.#draft)
  }

  warn(sentence: string): boolean {
    if (!this.#warned?.has(sentence)) console.warn(`patchcord: ${sentence}`)
    ;(this.#warned ??= new Set()).add(sentence)
    return true
  }

  /** All has been visited. */
  end(): void {
    for (const about of this.#met?.values() ?? [this.#last]) if (about?.plan) noteRows(about.plan, about.table.slots)
  }

  meet(policy: Policy): Acquaintance {
    if (this.#last?.policy === policy) return this.#last
    return this.#other?.policy === policy ? this.#other : this.#meet(policy)
  }

  #meet(policy: Policy): Acquaintance {
    let known = this.#met?.get(policy)
    if (known === undefined) {
      const plan = typeof policy === 'function' ? planOf(policy as unknown as EntityClass) : undefined
      const table = this.#draft.cells.table(plan?.key ?? policy.key)
      if (plan !== undefined) noteClass(table, policy, plan)
      else table.owner ??= policy
      known = { policy, plan, table, first: false }
      // The first is the last one met until there is a second: most writes are about one class.
      if (this.#last !== undefined) (this.#met ??= new Map([[this.#last.policy, this.#last]])).set(policy, known)
    }
    this.#other = this.#last
    this.#last = known
    return known
  }
}

/** Two unrelated classes with one name are likely a bundler's doing; two that state one key share it on purpose. */
function noteClass(table: CellTable, policy: Policy, plan: Plan): void {
  if (typeof table.owner !== 'function') table.owner = policy
  else if (table.owner !== (policy as unknown) && !table.warned && (plan.derived || planOf(table.owner as EntityClass).derived)) {
    table.warned = true
    const names = [table.owner, policy].map(each => (each as unknown as { name: string }).name)
    console.warn(
      `patchcord: two classes, ${names.join(' and ')}, share the key "${plan.key}" because of their name. ` +
        'Give each a `static key`: bundlers rename classes.',
    )
  }
}
