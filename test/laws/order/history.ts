import * as fc from 'fast-check'
import { lookup } from '../../../src/store/lookup.ts'
import { cellsOf, rowOf } from '../../../src/store/state.ts'
import type { Cell } from '../../../src/store/cell.ts'
import { documentOf, patchDocument, sameDocuments } from '../document.ts'
import { same } from '../../support/same.ts'
import { broken } from '../../support/settings.ts'
import { Tape, tapes } from '../../support/tape.ts'
import { after, Doc } from './model.ts'
import { expectDoc, World, type Clockwork } from './world.ts'
import { layersOf } from '../../unit/order/layersOf.ts'

/** What happens, step by step: a tape for each. */
export class History {
  readonly series: readonly (readonly number[])[]
  readonly clockwork: Clockwork
  /** What happened, as a failure shows it. */
  told: string[] = []

  constructor(series: readonly (readonly number[])[], clockwork: Clockwork) {
    this.series = series
    this.clockwork = clockwork
  }

  [fc.toStringMethod](): string {
    return `${this.clockwork}${this.told.map(each => `\n    ${each}`).join('')}`
  }
}

export const histories: fc.Arbitrary<History> = fc
  .tuple(fc.array(tapes(24), { minLength: 4, maxLength: 36, size: 'max' }), fc.constantFrom<Clockwork>('frozen', 'normal', 'jumping'))
  .map(([series, clockwork]) => new History(series, clockwork))

/** Lets a history happen; `look` is called after each step. Ends with nothing under way. */
export function live(history: History, look: (world: World) => void, optimistic = true, traceless = false): World {
  history.told = []
  const world = new World(history.clockwork, optimistic)
  for (const bytes of history.series) {
    history.told.push(world.step(new Tape(bytes), traceless))
    look(world)
  }
  history.told.push('everything ends')
  world.settle(new Tape(history.series.flat()), told => {
    history.told.push(told)
    look(world)
  })
  look(world)
  if (world.store.base !== world.store.state) broken('nothing is under way, and base and view differ')
  expectArrivals(world)
  return world
}

/** `All` has the rows in the order of the places at which each was first said. */
function expectArrivals({ store, model, met }: World): void {
  // Who was said by something that is withdrawn stays where it was; who was collected may come back there.
  if (met.has('withdrawn') || model.log.some(({ said }) => said.kind === 'forget')) return
  const order: string[] = []
  let doc = new Doc()
  for (const { said } of model.log) {
    doc = after(doc, said)
    const named = 'todos' in said ? said.todos.map(({ id }) => String(id)) : 'todo' in said ? [String(said.todo['id'])] : 'id' in said ? [said.id] : []
    for (const pk of named) if (doc.row(`Todo ${pk}`) !== undefined && !order.includes(pk)) order.push(pk)
  }
  const expected = order.filter(pk => doc.row(`Todo ${pk}`) !== undefined)
  const shown = (cellsOf(store.base, 'Todo') ?? []).map(({ pk }) => pk)
  if (!same(shown, expected)) broken('the order of arrival', shown, expected)
}

/** Base, view and layers are what the model says. */
export function expectModel({ store, timeline, model, errors }: World): void {
  const base = model.base()
  expectDoc(store.base, base, 'base')
  expectDoc(store.state, model.view(undefined, base), 'view')
  const layers = model.intents.filter(intent => intent.said !== undefined && !intent.held).length
  if (layersOf(timeline) !== layers) broken('layers', layersOf(timeline), layers)
  const unexpected = errors.filter(error => (error as Error).message !== 'unlucky')
  if (unexpected.length > 0) throw unexpected[0]
}

/** Looks on from step to step: what is equal is the same object, what was published replays, and indexes and lists are exact. */
export class Witness {
  #document: ReturnType<typeof documentOf> | undefined
  #heard = 0

  see(world: World): void {
    const { state } = world.store
    for (const table of state.cells!.tables) {
      for (const cell of table.cells()) {
        const row = rowOf(state, cell)
        if (Array.isArray(row) && new Set(row).size !== row.length) broken('a list names a member twice', row)
      }
    }
    this.#replay(world)
    this.#lookUp(world)
  }

  #replay({ store, commits }: World): void {
    this.#document ??= documentOf(commits[0]?.before ?? store.state)
    for (; this.#heard < commits.length; this.#heard++) {
      const commit = commits[this.#heard]!
      const { patches, before, after } = commit
      commit.forEachRow(({ table, pk }, from, to) => {
        if (from !== undefined && same(from, to)) broken('an equal row is another object', `${table.key} ${pk}`)
      })
      if (patches.length > 0 && before.entities === after.entities && before.endpoints === after.endpoints) broken('patches of nothing', patches)
      this.#document = patchDocument(this.#document, patches)
    }
    if (!sameDocuments(this.#document, documentOf(store.state))) broken('the patches of the commits lead elsewhere')
  }

  #lookUp({ store: { state } }: World): void {
    for (const title of ['t0', 't1', 't2', 'foreign']) {
      const titleOf = (cell: Cell): unknown => (rowOf(state, cell) as { title?: string } | undefined)?.title
      const there = [...(state.cells!.find('Todo')?.cells() ?? [])].some(cell => titleOf(cell) === title)
      const found = lookup(state, 'Todo', 'title', title)
      if ((found !== undefined) !== there || (found !== undefined && titleOf(found) !== title)) broken('the index is wrong', title, found?.pk)
    }
  }
}
