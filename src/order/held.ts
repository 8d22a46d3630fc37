import type { Draft } from '../store/draft.ts'
import type { State } from '../store/state.ts'
import type { Answer, LocalWrite } from './answer.ts'
import type { CallHost } from './call.ts'
import { footprintOfPrepared, type Footprint } from './footprint.ts'
import type { Intent } from './intent.ts'
import { Over } from './over.ts'
import type { Item } from './place.ts'
import { prepareOutcome, prepareWrite, type Prepared } from './prepare.ts'
import { renamed } from './temporary.ts'

/** Whoever made a local write, and is told what becomes of it. */
export interface Writer {
  /** What it came to when it no longer had to wait: until then it was done over what others only expected. */
  sunk(before: State, after: State): void
  /** It went with what it spoke of, which was never made. */
  lost(): void
}

/** A local write as its writer holds it: where it stands now. */
export interface LocalSet {
  /** While it must wait. */
  held?: Held
  /** Once it is in the base. */
  item?: Item
  writer?: Writer
}

/** An answer, or a local write to the record `pk`. */
export type Source = { readonly answer: Answer; /** The base when its call was made, and when it went out. */ readonly before: State; readonly sent: State } | { readonly write: LocalWrite; readonly pk: string }

export function prepareSource(draft: Draft, source: Source, kept: boolean, again = false): Prepared {
  return 'answer' in source ? prepareOutcome(draft, source.answer, source.before, source.sent, kept) : prepareWrite(draft, source.write, source.pk, kept, again)
}

/** Something that is done, and must stay above a call that is not settled: in the base it would lie beneath that. */
export class Held implements Intent {
  declare source: Source
  declare readonly footprint: Footprint
  declare readonly handle: LocalSet | undefined
  declare prepared: Prepared | undefined

  /** `prefix` begins every temporary pk; what mentions one is about it. */
  constructor(source: Source, prepared: Prepared, names: CallHost['names'], handle?: LocalSet) {
    this.source = source
    this.prepared = prepared
    this.footprint = footprintOfPrepared(prepared)
    this.handle = handle
    if (handle !== undefined) handle.held = this
    if ('write' in source) this.footprint.addMentions(names.mentioned([source.write.args, source.write.value]))
  }

  get isUpdater(): boolean {
    return 'write' in this.source && typeof this.source.write.value === 'function'
  }

  get expiresAt(): number | undefined {
    return 'answer' in this.source ? this.source.answer.expiresAt : undefined
  }

  show(beneath: State): State {
    const draft = new Over(beneath)
    try {
      draft.add(this.prepare(draft))
      return draft.finish()
    } catch {
      // It worked when it was first done; over another version it may not, and then it has no effect.
      draft.abandon()
      return beneath
    }
  }

  /** What is to be done; taken apart anew when a temporary pk in it has become real. */
  prepare(draft: Draft): Prepared {
    return (this.prepared ??= prepareSource(draft, this.source, true, true))
  }

  rename(names: ReadonlyMap<string, string>): void {
    this.footprint.rename(names)
    const { source } = this
    if ('answer' in source) {
      const args = renamed(source.answer.args, names)
      if (args === source.answer.args) return
      this.source = { ...source, answer: { ...source.answer, args } }
    } else {
      const { schema, args, value } = source.write
      const write = { schema, args: renamed(args, names), value: renamed(value, names) }
      const pk = renamed(source.pk, names)
      if (write.args === args && write.value === value && pk === source.pk) return
      this.source = { write, pk }
    }
    this.prepared = undefined
  }
}
