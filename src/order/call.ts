import type { AnyEndpoint, Snap } from '../endpoint/types.ts'
import type { Draft } from '../store/draft.ts'
import type { State } from '../store/state.ts'
import { answerOf } from './answer.ts'
import { footprintOfCall, type Footprint } from './footprint.ts'
import type { Intent } from './intent.ts'
import { Over } from './over.ts'
import { prepareAnswer, type Prepared } from './prepare.ts'
import { ABORT, looksAt, type Looks } from './snap.ts'
import { renamed } from './temporary.ts'

/** A call that changes something, from when it is made until it is settled. */
export interface Mutation {
  readonly id: number
  readonly endpoint: AnyEndpoint
  /** As they are to be sent: temporary pks that have become real are replaced. */
  readonly args: readonly unknown[]
  /** Whether it shows an optimistic answer. */
  readonly optimistic: boolean
  /** Calls with one lane are sent one after the other: those to one entity. Undefined: it waits for nobody. */
  readonly lane: string | undefined
  /** The row that it is about, where its arguments say so. */
  readonly target: { readonly key: string; readonly pk: string } | undefined
  /** What was said when its arguments were last asked for, to go out; before that, the base when it was made; and once it is settled, with its answer. */
  said: State
}

/** What calls share. */
export interface CallHost {
  snapOf(state: State): Snap
  report(error: unknown): void
  /** Temporary pks. */
  readonly names: { mentioned(value: unknown): readonly string[]; make(call: number, position: number): string }
}

/** A call as an intent. What it expects is asked for again when something that it looked at has changed. */
export class Call implements Mutation, Intent {
  declare readonly id: number
  /** A call from before a reset is never settled. */
  declare readonly epoch: number
  /** The base when it was made. */
  declare readonly before: State
  declare said: State
  declare readonly endpoint: AnyEndpoint
  declare args: readonly unknown[]
  declare optimistic: boolean
  declare readonly footprint: Footprint
  /** What was last expected; undefined when that came to nothing. */
  prepared: Prepared | undefined
  /** What was last expected when it did come to something: that is what others have seen, and speak of. */
  expected: Prepared | undefined
  /** The tables of its temporary pks. */
  readonly temporary: Map<string, string> = new Map()
  readonly #host: CallHost
  #looks: Looks | undefined
  #asked = false

  constructor(id: number, epoch: number, before: State, endpoint: AnyEndpoint, args: readonly unknown[], host: CallHost) {
    this.id = id
    this.epoch = epoch
    this.before = this.said = before
    this.endpoint = endpoint
    this.args = args
    this.#host = host
    this.optimistic = endpoint.getOptimisticResponse !== undefined
    this.footprint = footprintOfCall(endpoint, args)
    this.footprint.addMentions(host.names.mentioned(args))
  }

  get lane(): string | undefined {
    if (this.endpoint.serial === false) return undefined
    const { target } = this
    return target === undefined ? this.endpoint.key(...this.args) : `${target.key} ${target.pk}`
  }

  get target(): Mutation['target'] {
    return this.footprint.target
  }

  show(beneath: State): State {
    if (!this.optimistic) return beneath
    const draft = new Over(beneath)
    try {
      if (this.prepared === undefined || !this.#looks!.same(this.#host.snapOf(beneath))) this.prepared = this.#expect(draft)
      if (this.prepared !== undefined) draft.add(this.prepared)
      this.#asked = true
      return draft.finish()
    } catch (error) {
      draft.abandon()
      this.prepared = undefined
      // Once is enough: it is tried again whenever something changes.
      if (!this.#asked) this.#host.report(error)
      this.#asked = true
      return beneath
    }
  }

  rename(names: ReadonlyMap<string, string>): void {
    const args = renamed(this.args, names)
    if (args === this.args) return
    this.args = args
    this.prepared = undefined
    this.footprint.rename(names)
  }

  #expect(draft: Draft): Prepared | undefined {
    const { endpoint, args } = this
    this.#looks = looksAt(this.#host.snapOf(draft.before))
    let value: unknown
    try {
      value = endpoint.getOptimisticResponse!(this.#looks.snap, ...args)
    } catch (error) {
      if (error !== ABORT) throw error
      value = ABORT
    }
    if (value === ABORT) {
      // Nothing to show from the start means no layer at all; later it means: not this time.
      if (!this.#asked) this.optimistic = false
      return undefined
    }
    const answer = answerOf(endpoint, args, endpoint.sideEffect ? undefined : endpoint.key(...args), value, 0)
    return (this.expected = prepareAnswer(draft, answer, true, (table, position) => this.#temporaryPk(table, position), [this.before, this.said]))
  }

  #temporaryPk(table: string, position: number): string {
    const pk = this.#host.names.make(this.id, position)
    this.temporary.set(pk, table)
    this.footprint.add('', pk)
    return pk
  }
}
