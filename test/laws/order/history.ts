import * as fc from 'fast-check'
import { lookup } from '../../adapter.ts'
import { exportState, type State } from '../../../src/index.ts'
import { readPks } from '../../support/state.ts'
import { documentOf, patchDocument, sameDocuments, type Document } from '../document.ts'
import { same } from '../../support/same.ts'
import { broken } from '../../support/settings.ts'
import { Tape, tapes } from '../../support/tape.ts'
import { after, Doc } from './model.ts'
import { expectDoc, World, type Clockwork } from './world.ts'

/** What happens, step by step: a tape for each. */
export class History {
  readonly series: readonly (readonly number[])[]
  readonly clockwork: Clockwork
  /** What happened, as a failure shows it. */
  trace: string[] = []

  constructor(series: readonly (readonly number[])[], clockwork: Clockwork) {
    this.series = series
    this.clockwork = clockwork
  }

  [fc.toStringMethod](): string {
    return `${this.clockwork}${this.trace.map(each => `\n    ${each}`).join('')}`
  }
}

export const histories: fc.Arbitrary<History> = fc
  .tuple(fc.array(tapes(24), { minLength: 4, maxLength: 36, size: 'max' }), fc.constantFrom<Clockwork>('frozen', 'normal', 'jumping'))
  .map(([series, clockwork]) => new History(series, clockwork))

/** Lets a history happen; `look` is called after each step. Ends with nothing under way. */
export async function live(history: History, look: (world: World) => void, optimistic = true, traceless = false): Promise<World> {
  history.trace = []
  const world = new World(history.clockwork, optimistic)
  for (const bytes of history.series) {
    const trace = world.step(new Tape(bytes), traceless)
    history.trace.push(trace)
    look(world)
    // One undo goes after the other.
    if (trace === 'undo') for (let turn = 0; turn < 20; turn++) await undefined
  }
  history.trace.push('everything ends')
  world.settle(new Tape(history.series.flat()), trace => {
    history.trace.push(trace)
    look(world)
  })
  look(world)
  if (world.base !== world.state) broken('nothing is under way, and base and view differ')
  expectArrivals(world)
  world.controller.dispose()
  return world
}

/** `All` has every row once. Rows that a late read brings may come last, so their order is free. */
function expectArrivals({ base, model, met }: World): void {
  // A row that only a withdrawn write named stays in its position; a collected row may come back there.
  if (met.has('withdrawn') || model.log.some(({ write }) => write.kind === 'forget')) return
  const order: string[] = []
  let doc = new Doc()
  for (const { write } of model.log) {
    doc = after(doc, write)
    const named = 'todos' in write ? write.todos.map(({ id }) => String(id)) : 'todo' in write ? [String(write.todo['id'])] : 'id' in write ? [write.id] : []
    for (const pk of named) if (doc.row(`Todo ${pk}`) !== undefined && !order.includes(pk)) order.push(pk)
  }
  const expected = order.filter(pk => doc.row(`Todo ${pk}`) !== undefined)
  const visible = readPks(base, 'Todo') ?? []
  if (!same([...visible].sort(), expected.sort())) broken('the rows that are there', visible, expected)
}

/** Base and view are what the model says, and where nothing is pending they are one. */
export function expectModel(world: World): void {
  const { model, errors } = world
  const base = model.base()
  expectDoc(world.base, base, 'base')
  // Where nothing is pending, the model's view is its base.
  if (model.intents.length > 0) expectDoc(world.state, model.view(undefined, base), 'view')
  else if (world.base !== world.state) broken('nothing is pending, and base and view differ')
  const unexpected = errors.filter(error => (error as Error).message !== 'unlucky')
  if (unexpected.length > 0) throw unexpected[0]
}

/** Looks on from step to step: what is equal is the same object, what was published replays, and indexes and lists are exact. */
export class Witness {
  #document: Document | undefined
  #heard = 0
  readonly #documents = new WeakMap<State, Document>()

  see(world: World): void {
    for (const [, rows] of exportState(world.state).entities) {
      for (const [, row] of rows) if (Array.isArray(row) && new Set(row).size !== row.length) broken('a list names a member twice', row)
    }
    this.#replay(world)
    this.#lookUp(world)
  }

  #replay({ state, commits }: World): void {
    this.#document ??= this.#documentOf(commits[0]?.before ?? state)
    for (; this.#heard < commits.length; this.#heard++) {
      const { patches, before, after } = commits[this.#heard]!
      const known = this.#documentOf(before).entities
      for (const [key, rows] of this.#documentOf(after).entities) {
        for (const [pk, row] of rows) {
          const from = known.get(key)?.get(pk)
          if (from !== undefined && from !== row && same(from, row)) broken('an equal row is another object', `${key} ${pk}`)
        }
      }
      if (patches.length > 0 && before.entities === after.entities && before.endpoints === after.endpoints) broken('patches of nothing', patches)
      this.#document = patchDocument(this.#document, patches)
    }
    if (!sameDocuments(this.#document, this.#documentOf(state))) broken('the patches of the commits lead elsewhere')
  }

  #lookUp({ state }: World): void {
    const rows = [...(this.#documentOf(state).entities.get('Todo') ?? [])] as [pk: string, row: { title?: string }][]
    for (const title of ['t0', 't1', 't2', 'foreign']) {
      const there = rows.some(([, row]) => row.title === title)
      const found = lookup(state, 'Todo', 'title', title)
      const right = found === undefined || rows.find(([pk]) => pk === found)?.[1].title === title
      if ((found !== undefined) !== there || !right) broken('the index is wrong', title, found)
    }
  }

  /** A state never changes, so its document is made once. */
  #documentOf(state: State): Document {
    const document = this.#documents.get(state) ?? documentOf(state)
    this.#documents.set(state, document)
    return document
  }
}
