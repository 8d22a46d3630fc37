import { DEPTH_LIMIT } from '../base/plain.ts'
import { denormalizeList, denormalizeWith, isEntityClass, nestedTooDeep } from '../schema/dispatch.ts'
import { fillView } from '../schema/entityView.ts'
import { INVALID, type EntityClass, type Fields, type ViewHost } from '../schema/interface.ts'
import type { Cell } from '../store/cell.ts'
import { gather } from '../store/gather.ts'
import { cellsOf, readRow, type State } from '../store/state.ts'
import { Kinds, type Kind } from './kinds.ts'
import { isSimple } from './listing.ts'

/** One entity of a view under construction. */
class Part {
  declare readonly by: Assembly
  declare readonly kind: Kind
  declare readonly cell: Cell
  record: Fields | undefined
  /** An instance, undefined when it is not there, or INVALID. */
  view: unknown = undefined
  queued: boolean = false
  /** Who shows this; kept only once something turned out to be INVALID. */
  parents: Part[] | undefined

  constructor(by: Assembly, kind: Kind, cell: Cell) {
    this.by = by
    this.kind = kind
    this.cell = cell
  }
}

/** Thrown inside, when the quick walk meets what only the careful one can answer. */
const UNSURE = Symbol('unsure')

/**
 * Puts one view together from one state: allocates every entity that is reached, then fills them from a queue, so that
 * circles close by reference and a chain may be of any length. Whether an entity must not be shown spreads upwards
 * from those that are deleted, as a least fixpoint: a circle of valid entities stays valid.
 */
export class Assembly implements ViewHost {
  readonly #args: readonly unknown[]
  readonly #state: State
  readonly #kinds: Kinds
  readonly #parts: Part[] = []
  /** Parts of cells that somebody else has marked: another class of the same table, or an assembly around this one. */
  readonly #others = new Map<Cell, Part[]>()
  /** What waits to be filled, from `#next` on: in the order in which it came, which is that of the rows. */
  readonly #queue: Part[] = []
  #next = 0
  /** Remembers who shows whom, so that an entity found INVALID late can be taken out again. */
  readonly #careful: boolean
  #current: Part | undefined
  #invalidated = 0
  #depth = 0

  constructor(state: State, args: readonly unknown[], careful: boolean) {
    this.#state = state
    this.#kinds = new Kinds(state)
    this.#args = args
    this.#careful = careful
  }

  get args(): readonly unknown[] {
    // An entity's view is one for all who show it, so it cannot depend on anybody's arguments.
    return this.#current === undefined ? this.#args : []
  }

  visit(schema: unknown, stored: unknown): unknown {
    if (typeof stored !== 'object' || stored === null) return denormalizeWith(schema, stored, this)
    if (++this.#depth > DEPTH_LIMIT) throw nestedTooDeep(DEPTH_LIMIT)
    const view = denormalizeWith(schema, stored, this)
    this.#depth--
    return view
  }

  settled(schema: unknown, stored: unknown): unknown {
    for (;;) {
      const before = this.#invalidated
      const view = denormalizeWith(schema, stored, this)
      this.#drain()
      if (this.#invalidated === before) return view
    }
  }

  computed(_by: object, _entries: unknown, compute: () => unknown): unknown {
    return compute()
  }

  list(element: unknown, stored: readonly unknown[]): unknown {
    if (!isEntityClass(element) || !isSimple(stored)) return denormalizeList(element, stored, this)
    const view: unknown[] = []
    for (let i = 0; i < stored.length; i++) {
      const member = this.entity(element as EntityClass, stored[i] as string)
      if (member !== undefined && member !== INVALID) view.push(member)
    }
    return Object.freeze(view)
  }

  entity(entity: EntityClass, pk: string): unknown {
    const kind = this.#kinds.of(entity)
    const cell = kind.table?.find(pk)
    if (cell === undefined) return undefined
    if (kind.isLeaf) return this.#leaf(kind, cell)
    const part = this.#partOf(kind, cell)
    if (this.#careful && this.#current !== undefined) (part.parents ??= []).push(this.#current)
    return part.view
  }

  record(key: string, pk: string): object | undefined {
    return readRow(this.#state, key, pk)
  }

  all(key: string): readonly string[] | undefined {
    return cellsOf(this.#state, key)?.map(cell => cell.pk)
  }

  /** Freezes what could not be frozen while it might have to be filled again, and takes the marks off the cells. */
  finish(): void {
    for (const part of this.#parts) {
      if (this.#careful && typeof part.view === 'object') Object.freeze(part.view)
      if (part.cell.pass === part) part.cell.pass = undefined
    }
  }

  #partOf(kind: Kind, cell: Cell): Part {
    const mark = cell.pass
    if (mark instanceof Part && mark.by === this && mark.kind === kind) return mark
    const known = mark === undefined ? undefined : this.#others.get(cell)?.find(part => part.kind === kind)
    if (known !== undefined) return known
    const part = new Part(this, kind, cell)
    this.#parts.push(part)
    if (mark === undefined) cell.pass = part
    else gather(this.#others, cell, part)
    part.record = kind.records?.get(cell.slot) as Fields | undefined
    part.view = this.#kinds.allocate(kind, cell, part.record)
    if (typeof part.view === 'object') {
      part.queued = true
      this.#queue.push(part)
    }
    return part
  }

  /** One with nothing nested is complete at once: nothing needs to be known of it but what it is. */
  #leaf(kind: Kind, cell: Cell): unknown {
    const known = kind.leaves[cell.slot]
    if (known !== undefined) return known
    const view = this.#kinds.allocate(kind, cell)
    return (kind.leaves[cell.slot] = typeof view === 'object' ? Object.freeze(view) : view)
  }

  #drain(): void {
    const outer = this.#current
    while (this.#next < this.#queue.length) {
      const part = this.#queue[this.#next++]!
      part.queued = false
      if (part.view === INVALID) continue
      this.#current = part
      if (fillView(part.view as object, part.record!, this, part.kind.plan)) {
        if (!this.#careful) Object.freeze(part.view)
        continue
      }
      if (!this.#careful) throw UNSURE
      part.view = INVALID
      this.#invalidated++
      for (const parent of part.parents ?? []) {
        if (parent.queued) continue
        parent.queued = true
        this.#queue.push(parent)
      }
    }
    this.#current = outer
  }
}

/** The view of `stored`, or undefined when there is nothing to show. Nearly every view is all valid; then nobody needs to know who shows whom. */
export function assemble(schema: unknown, stored: unknown, state: State, args: readonly unknown[], careful: boolean = false): unknown {
  const assembly = new Assembly(state, args, careful)
  try {
    const view = assembly.settled(schema, stored)
    return view === INVALID ? undefined : view
  } catch (thrown) {
    if (thrown !== UNSURE) throw thrown
  } finally {
    assembly.finish()
  }
  return assemble(schema, stored, state, args, true)
}
