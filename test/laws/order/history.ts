import * as fc from 'fast-check'
import { lookup } from '../../adapter.ts'
import { exportState, type State } from '../../../src/index.ts'
import { documentOf, patchDocument, sameDocuments, type Document } from '../document.ts'
import { same } from '../../support/same.ts'
import { broken } from '../../support/settings.ts'
import { Tape } from '../../support/tape.ts'
import { Client, later, type Setting } from './client.ts'

/** A tape for each step, and how time goes. */
export type History = readonly [series: readonly (readonly number[])[], clockwork: Setting['clockwork']]

/** Histories of at most so many steps. */
export const histories = (most: number): fc.Arbitrary<History> =>
  fc.tuple(
    fc.array(fc.array(fc.nat(255), { minLength: 8, maxLength: 24, size: 'max' }), { minLength: 4, maxLength: most, size: 'max' }),
    fc.constantFrom<Setting['clockwork']>('frozen', 'normal', 'jumping'),
  )

/** More turns than anything inside the controller takes. */
const DRAINED = 40

/** Lets a history happen; `look` is called after each step, with the numbers of the step. Ends with nothing under way. */
export async function live([series, clockwork]: History, setting: Omit<Setting, 'clockwork'>, tell: (trace: string) => void, look: (client: Client, bytes: readonly number[]) => void): Promise<Client> {
  const client = new Client({ ...setting, clockwork })
  const next = async (trace: string, bytes: readonly number[]): Promise<void> => {
    tell(trace)
    // By hand only an undo takes turns.
    if (setting.concurrency !== undefined || trace.startsWith('undo')) await later(DRAINED)
    look(client, bytes)
  }
  for (const bytes of series) await next(client.step(new Tape(bytes)), bytes)
  const tape = new Tape(series.flat())
  for (let trace = client.settle(tape); trace !== undefined; trace = client.settle(tape)) await next(trace, [])
  await later(DRAINED)
  client.end()
  return client
}

/** Looks on from step to step: what is equal is the same object, what was published replays, and indexes and lists are exact. */
export class Witness {
  #document: Document | undefined
  #heard = 0
  readonly #documents = new WeakMap<State, Document>()

  see(client: Client): void {
    for (const [, rows] of exportState(client.state).entities) {
      for (const [, row] of rows) if (Array.isArray(row) && new Set(row).size !== row.length) broken('a list names a member twice', row)
    }
    this.#replay(client)
    this.#lookUp(client)
  }

  #replay({ state, commits }: Client): void {
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

  #lookUp({ state }: Client): void {
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
