import { ValidationError } from '../base/errors.ts'
import { parseObject } from '../base/keys.ts'
import { asDepthError, isObject } from '../base/plain.ts'
import type { Meta } from '../base/stamp.ts'
import { compile, traitsOf } from '../schema/compile.ts'
import { describe, nameOf } from '../schema/describe.ts'
import { Draft } from '../store/Draft.ts'
import type { Patch } from '../store/immer.ts'
import { patchesBetween, stampsBetween, type StampGroup } from '../store/patches.ts'
import { emptyState, type Cell, type Directory, type State } from '../store/State.ts'
import { fold, type Operation } from './fold.ts'
import { ResponseWalk, type WalkOptions } from './ResponseWalk.ts'

/**
 * When a response was fetched, and until when it is fresh.
 *
 * @example
 * const meta: NormalizeMeta = { fetchedAt: 1, date: Date.now(), expiresAt: Infinity }
 * normalize(Todo, { id: 1, title: 'sow' }, [], emptyState, meta)
 */
export type NormalizeMeta = Meta

/**
 * A response as a change of state.
 *
 * @example
 * const { result, patches }: Normalized = normalize([Todo], [{ id: 1, title: 'sow' }])
 * console.log(result, patches.length) // [ '1' ] 1
 */
export interface Normalized {
  /** The response with pks instead of entities. */
  readonly result: unknown
  /** The smallest set of patches that brings the state up to date. */
  readonly patches: readonly Patch[]
  /** The patches that take it back. */
  readonly inversePatches: readonly Patch[]
  /** The stamps that go with the patches. */
  readonly stamps: readonly StampGroup[]
}

const TIMELESS: NormalizeMeta = /* @__PURE__ */ Object.freeze({ fetchedAt: 0, date: 0, expiresAt: Infinity })

/**
 * Takes a response apart into entities and computes the patches that bring `state` up to date. Changes nothing.
 *
 * @example
 * const { result, patches, stamps } = normalize([Todo], [{ id: 1, title: 'sow' }])
 * const state = applyPatches(emptyState, patches, stamps)
 * denormalize([Todo], result, state) // [Todo { id: 1, title: 'sow' }]
 */
export function normalize(schema: unknown, input: unknown, args: readonly unknown[] = [], state: State = emptyState, meta: NormalizeMeta = TIMELESS): Normalized {
  const draft = new Draft(state)
  const { fetchedAt, date, expiresAt } = meta
  const { result, operations } = takeApart(schema, input, args, draft.directory, { copies: true })
  fold(draft, operations, { stamp: Object.freeze({ fetchedAt, date, expiresAt }) })
  const next = draft.finish()
  let inverse: readonly Patch[] | undefined
  return {
    result,
    patches: patchesBetween(state, next),
    get inversePatches() {
      return (inverse ??= patchesBetween(next, state))
    },
    stamps: stampsBetween(state, next),
  }
}

/** A response as operations, before they are folded into a state. */
export interface Parts {
  readonly result: unknown
  readonly operations: readonly Operation[]
  /** The cells of created entities, in order. */
  readonly created: readonly Cell[]
}

export function takeApart(schema: unknown, input: unknown, args: readonly unknown[], directory: Directory, options: WalkOptions): Parts {
  checkTop(schema, input)
  const walk = new ResponseWalk(directory, args, options)
  try {
    const result = walk.visit(schema, input, input, '')
    return { result, operations: walk.operations, created: walk.created }
  } catch (error) {
    throw asDepthError(error)
  }
}

/** Most wrong responses are wrong as a whole: not parsed, empty, an error page. */
function checkTop(schema: unknown, input: unknown): void {
  if (compile(schema) === undefined || isObject(input) || (typeof schema === 'function' && !('normalize' in schema))) return
  if (traitsOf(schema).takesPk && (typeof input === 'string' || typeof input === 'number')) return
  const hint =
    typeof input === 'string' && parseObject(input)
      ? ' The string is JSON: the response was not parsed. Check its content-type, or set content: "json".'
      : input === null || input === undefined
        ? ' If the server answers without a body, return a value from process(), or give the endpoint no schema.'
        : ''
  throw new ValidationError(`Expected a response for ${nameOf(schema)}, found ${describe(input)}.${hint}`, input)
}
