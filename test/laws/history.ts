import * as fc from 'fast-check'
import { applyPatches, emptyState, normalize, PatchcordError } from '../../src/index.ts'
import type { NormalizeMeta, Patch, StampGroup, State } from '../../src/index.ts'
import { difference, readResult } from '../adapter.ts'
import { anyName, anyValue, put } from './hostile.ts'
import { Tape, tapes } from '../support/tape.ts'
import type { Kind, Request } from './zoo.ts'

/** One response, and when it came. */
export interface Step {
  readonly request: Request
  readonly meta: NormalizeMeta
  /** Where its result is retained. */
  readonly endpoint: string | undefined
  /** How many versions back it goes from; histories branch. */
  readonly back: number
}

/** Some responses for one kind of schema. */
export class History {
  readonly kind: Kind
  readonly steps: readonly Step[]

  constructor(kind: Kind, steps: readonly Step[]) {
    this.kind = kind
    this.steps = steps
  }

  /** How a failure shows it. */
  [fc.toStringMethod](): string {
    const lines = this.steps.map(({ request, meta, endpoint, back }) => {
      const position = `${back > 0 ? `${back} back, ` : ''}at ${meta.fetchedAt}${endpoint === undefined ? '' : `, stored as ${JSON.stringify(endpoint)}`}`
      return `\n    ${(request.schema as object).constructor.name} ${position}: ${fc.stringify(request.input)} args ${fc.stringify(request.args)}`
    })
    return `${this.kind.name}${lines.join('')}`
  }
}

/** Histories of `least` to `most` responses, each about one kind of the zoo. */
export function histories(zoo: readonly Kind[], most = 5, least = 1): fc.Arbitrary<History> {
  const series = fc.array(tapes(120), { minLength: least, maxLength: most, size: 'max' })
  return fc.tuple(fc.nat(zoo.length - 1), series).map(([at, bytes]) => readHistory(zoo[at]!, bytes))
}

/** The history that some tapes mean for a kind, a step each. */
export function readHistory(kind: Kind, series: readonly (readonly number[])[]): History {
  const steps: Step[] = []
  for (const bytes of series) steps.push(readStep(new Tape(bytes), kind, steps))
  return new History(kind, steps)
}

function readStep(tape: Tape, kind: Kind, before: readonly Step[]): Step {
  const how = before.length === 0 ? 0 : tape.int(20)
  const late = how > 16
  const fetchedAt = late ? tape.int(before.length * 10) + 1 : before.length * 10 + 10
  return {
    request: nextRequest(how, tape, kind, before),
    meta: metaAt(fetchedAt),
    endpoint: tape.chance(35) ? anyName(tape, ['GET /a', 'GET /b']) : undefined,
    back: tape.chance(10) ? 1 : 0,
  }
}

/** Temporary pks are named by time, so that doing the same again gives the same. */
export function metaAt(fetchedAt: number): NormalizeMeta {
  const temporary = (_: string, n: number): string => `new ${fetchedAt} ${n}`
  return Object.freeze({ fetchedAt, date: 1000 + fetchedAt, expiresAt: 2000 + fetchedAt, temporary })
}

function nextRequest(how: number, tape: Tape, kind: Kind, before: readonly Step[]): Request {
  if (how < 3 || how > 16) return kind.request(tape)
  if (how < 5) return kind.removal(tape)
  const { request } = tape.pick(before)
  return how < 8 ? request : { ...request, input: edited(structuredClone(request.input), tape) }
}

/** What the server sends the next time: nearly the same. */
function edited(input: unknown, tape: Tape): unknown {
  if (typeof input !== 'object' || input === null) return input
  for (let edits = 1 + tape.int(3); edits > 0; edits--) {
    let at = input
    while (tape.chance(75)) {
      const inner = Object.values(at).filter(each => typeof each === 'object' && each !== null) as object[]
      if (inner.length === 0) break
      at = tape.pick(inner)
    }
    if (Array.isArray(at)) editList(at, tape)
    else if (tape.chance(30)) forget(at, tape)
    else put(at, anyName(tape, ['a', 'b', 'title', 'name', 'amount']), anyValue(tape))
  }
  return input
}

/** Leaves a field out, as an endpoint does that shows less. */
function forget(object: object, tape: Tape): void {
  const names = Object.keys(object).filter(name => name !== 'id' && name !== 'type' && name !== 'results')
  if (names.length > 0) delete (object as { [name: string]: unknown })[tape.pick(names)]
}

function editList(list: unknown[], tape: Tape): void {
  const [taken] = list.splice(tape.int(list.length || 1), 1)
  if (taken !== undefined && tape.chance(60)) list.splice(tape.int(list.length + 1), 0, taken)
}

/** What one step did to a state. */
export interface Change {
  readonly step: Step
  readonly before: State
  readonly after: State
  readonly patches: readonly Patch[]
  readonly inverse: readonly Patch[]
  readonly stamps: readonly StampGroup[]
}

/** Does a step to a state; undefined when the response was refused, as it must be. */
export function take(before: State, step: Step): Change | undefined {
  const { request, meta, endpoint } = step
  let normalized
  try {
    normalized = normalize(request.schema, request.input, request.args, before, meta)
  } catch (error) {
    if (error instanceof PatchcordError) return undefined
    throw error
  }
  const { result, stamps } = normalized
  if (endpoint === undefined) {
    const { patches } = normalized
    return { step, before, after: applyPatches(before, patches, stamps), patches, inverse: normalized.inversePatches, stamps }
  }
  const patches = [...normalized.patches, ...resultPatches(before, endpoint, result)]
  const after = applyPatches(before, patches, stamps)
  return { step, before, after, patches, inverse: difference(after, before).patches, stamps }
}

/** A result is retained as a controller would keep it: by what differs. */
function resultPatches(state: State, endpoint: string, result: unknown): readonly Patch[] {
  const op = readResult(state, endpoint) === undefined ? 'add' : 'replace'
  return difference(state, applyPatches(state, [{ op, path: ['endpoints', endpoint], value: result }])).patches
}

/** Walks a history; `visit` sees every change, and the number of the version that it started from. Gives all versions. */
export function walk(history: History, visit: (change: Change, at: number) => void, from: State = emptyState): State[] {
  const versions: State[] = [from]
  for (const step of history.steps) {
    const at = Math.max(0, versions.length - 1 - step.back)
    const change = take(versions[at]!, step)
    if (change === undefined) continue
    visit(change, at)
    versions.push(change.after)
  }
  return versions
}
