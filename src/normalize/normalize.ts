import { ValidationError } from '../base/errors.ts'
import { parsed } from '../base/keys.ts'
import type { Meta, Stamp } from '../base/stamp.ts'
import { describe, handlerOf, nameOf } from '../schema/dispatch.ts'
import { Schema } from '../schema/interface.ts'
import type { StampGroup } from '../store/apply.ts'
import { invertPatches } from '../store/diff.ts'
import type { Draft } from '../store/draft.ts'
import type { Patch } from '../store/immer.ts'
import { Proposal } from '../store/proposal.ts'
import { emptyState, type State } from '../store/state.ts'
import { fold } from './fold.ts'
import type { Operation } from './operation.ts'
import { Pass, type Temporary } from './pass.ts'

/**
 * When and how a response came in.
 *
 * @example
 * const meta: NormalizeMeta = { fetchedAt: 1, date: Date.now(), expiresAt: Infinity }
 * normalize(Todo, { id: 1, title: 'sow' }, [], emptyState, meta)
 */
export interface NormalizeMeta extends Meta {
  /** The pk of the n-th entity of a creation that has none yet. */
  readonly temporary?: (key: string, position: number) => string
}

/**
 * What a response says, as a change of state.
 *
 * @example
 * const { result, patches }: Normalized = normalize([Todo], [{ id: 1, title: 'sow' }])
 * console.log(result, patches.length) // [ '1' ] 1
 */
export interface Normalized {
  /** What stands for the response: pks in place of entities. */
  readonly result: unknown
  /** The smallest set of patches that brings the state up to date. */
  readonly patches: readonly Patch[]
  /** The patches that take it back; worked out when asked for. */
  readonly inversePatches: readonly Patch[]
  /** The stamps that go with the patches. */
  readonly stamps: readonly StampGroup[]
}

const TIMELESS: Meta = /* @__PURE__ */ Object.freeze({ fetchedAt: 0, date: 0, expiresAt: Infinity })

/**
 * Takes a response apart into entities, and says which patches bring `state` up to date. Changes nothing.
 *
 * @example
 * const { result, patches, stamps } = normalize([Todo], [{ id: 1, title: 'sow' }])
 * const state = applyPatches(emptyState, patches, stamps)
 * denormalize([Todo], result, state) // [Todo { id: 1, title: 'sow' }]
 */
export function normalize(
  schema: unknown,
  input: unknown,
  args: readonly unknown[] = [],
  state: State = emptyState,
  meta: NormalizeMeta = TIMELESS as NormalizeMeta,
): Normalized {
  const proposal = new Proposal(state)
  try {
    const result = normalizeInto(proposal, schema, input, args, meta)
    const { patches, stamps } = proposal.patches()
    return new Change(result, state, patches, stamps)
  } catch (error) {
    proposal.abandon()
    throw error
  }
}

/** Does what the response asks to `draft`; gives the result. The draft is the caller's to finish or abandon. */
export function normalizeInto(draft: Draft, schema: unknown, input: unknown, args: readonly unknown[], meta: NormalizeMeta): unknown {
  const { result, operations } = takeApart(draft, schema, input, args, meta.temporary)
  const { fetchedAt, date, expiresAt } = meta
  const stamp: Stamp = Object.freeze({ fetchedAt, date, expiresAt })
  fold(draft, operations, stamp, true)
  return result
}

/** A response as what is to be done, before it is done. */
export interface Apart {
  readonly result: unknown
  readonly operations: readonly Operation[]
}

/** The first phase alone. Operations that are `kept`, to be done to other versions too, must not be told what this one has. */
export function takeApart(
  draft: Draft,
  schema: unknown,
  input: unknown,
  args: readonly unknown[],
  temporary: Temporary = unusedPk,
  kept = false,
): Apart {
  checkTop(schema, input)
  const pass = new Pass(draft, args, temporary, kept)
  const result = pass.visit(schema, input, undefined, '')
  pass.end()
  return { result, operations: pass.operations }
}

class Change implements Normalized {
  declare readonly result: unknown
  declare readonly patches: readonly Patch[]
  declare readonly stamps: readonly StampGroup[]
  readonly #state: State
  #inverse: readonly Patch[] | undefined

  constructor(result: unknown, state: State, patches: readonly Patch[], stamps: readonly StampGroup[]) {
    this.result = result
    this.#state = state
    this.patches = patches
    this.stamps = stamps
  }

  get inversePatches(): readonly Patch[] {
    return (this.#inverse ??= invertPatches(this.#state, this.patches))
  }
}

/** Most wrong responses are wrong as a whole: not parsed, empty, an error page. */
function checkTop(schema: unknown, input: unknown): void {
  const wantsObject = handlerOf(schema) !== undefined || (typeof schema === 'object' && schema !== null)
  if (!wantsObject || (typeof input === 'object' && input !== null)) return
  if (schema instanceof Schema && schema.takesPk && (typeof input === 'string' || typeof input === 'number')) return
  const hint =
    typeof input === 'string' && parsed(input)
      ? ' The string is JSON: the response was not parsed. Check its content-type, or set content: "json".'
      : input === null || input === undefined
        ? ' Where a server answers without a body, say in process() what that means, or give the endpoint no schema.'
        : ''
  throw new ValidationError(`Expected a response for ${nameOf(schema)}, found ${describe(input)}.${hint}`, input)
}

/** The first name of its kind that no row has. */
function unusedPk(key: string, position: number, draft: Draft): string {
  let n = position
  const table = draft.cells.table(key)
  while (table.find(`new:${n}`) !== undefined) n++
  return `new:${n}`
}
