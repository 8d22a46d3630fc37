import { obtain } from '../base/obtain.ts'
import type { AnyEndpoint } from '../endpoint/types.ts'
import { Members } from '../normalize/operation.ts'
import { normalizeEntity } from '../normalize/entityInput.ts'
import { handlerOf, isEntityClass, normalizeWith, shapeOf } from '../schema/dispatch.ts'
import type { Known, NormalizeHost, Policy } from '../schema/interface.ts'
import { planOf } from '../schema/plan.ts'
import type { Prepared } from './prepare.ts'
import { isResult } from './step.ts'

/** What a call or a write is about: rows, and the tables of collections whose members it changes. */
export class Footprint {
  /** Pks by table; under '' the temporary pks that it makes or mentions. */
  readonly rows: Map<string, Set<string>> = new Map()
  readonly tables: Set<string> = new Set()

  add(key: string, pk: string): void {
    obtain(this.rows, key, () => new Set()).add(pk)
  }

  overlaps(other: Footprint): boolean {
    for (const table of this.tables) if (other.tables.has(table) || other.rows.has(table)) return true
    for (const [key, pks] of this.rows) {
      if (other.tables.has(key)) return true
      const theirs = other.rows.get(key)
      if (theirs !== undefined) for (const pk of pks) if (theirs.has(pk)) return true
    }
    return false
  }

  include(other: Footprint): void {
    for (const table of other.tables) this.tables.add(table)
    for (const [key, pks] of other.rows) for (const pk of pks) this.add(key, pk)
  }

  /** Notes which temporary pks are spoken of. */
  addMentions(pks: readonly string[]): void {
    for (const pk of pks) this.add('', pk)
  }

  /** Temporary pks have become real. */
  rename(names: ReadonlyMap<string, string>): void {
    for (const [key, pks] of this.rows) {
      for (const pk of [...pks]) {
        const name = names.get(pk)
        if (name === undefined) continue
        pks.delete(pk)
        if (key !== '') pks.add(name)
      }
    }
  }

  /** The row that it is about, if there is one. */
  get target(): { readonly key: string; readonly pk: string } | undefined {
    for (const [key, pks] of this.rows) for (const pk of pks) if (key !== '') return { key, pk }
    return undefined
  }
}

/** What something that is about to be done is about. */
export function footprintOfPrepared({ operations, edits }: Prepared): Footprint {
  const footprint = new Footprint()
  for (const step of [...operations, ...edits]) {
    if (step instanceof Members) footprint.tables.add(step.table.key)
    else if (!isResult(step.cell)) footprint.add(step.cell.table.key, step.cell.pk)
  }
  return footprint
}

/** What a call is about, as far as its arguments say it: they are taken apart as if they were the answer. */
export function footprintOfCall({ schema }: Pick<AnyEndpoint, 'schema'>, args: readonly unknown[]): Footprint {
  const footprint = new Footprint()
  const [params, body] = args
  const bare = typeof params === 'string' || typeof params === 'number' || typeof params === 'bigint'
  const input = bare ? params : Array.isArray(body) ? (body as unknown[]) : { ...(body as object), ...(params as object) }
  probe(schema, input, new Probe(args, footprint))
  return footprint
}

/** The classes that `schema` takes `args` for. */
export function classesIn(schema: unknown, args: readonly unknown[]): readonly Policy[] {
  const host = new Probe(args, new Footprint())
  for (const input of args) probe(schema, input, host)
  return [...host.met]
}

function probe(schema: unknown, input: unknown, host: Probe): void {
  const shape = shapeOf(schema)
  if (shape !== undefined) for (const member of Object.values(shape)) probe(member, input, host)
  else if (typeof input !== 'object' && isEntityClass(schema)) {
    host.enter(host.meet(schema as Policy), String(input))
  } else {
    try {
      if (Array.isArray(schema) || handlerOf(schema) !== undefined) normalizeWith(schema, input, undefined, '', host)
    } catch {
      // The arguments are not what the answer will be. Then they do not say what it is about.
    }
  }
}

/** Stands for an entity of a creation: it has no pk yet. */
const UNNAMED = '\0'

/** Listens to a schema that takes something apart; nothing is kept, and nothing is looked into. */
class Probe implements NormalizeHost {
  declare readonly args: readonly unknown[]
  readonly polluted = true
  ownerKey = ''
  ownerPk = ''
  creating = false
  readonly entity: NormalizeHost['entity'] = normalizeEntity
  readonly kept: unknown[] = []
  keptCount = 0
  readonly met: Set<Policy> = new Set()
  readonly #footprint: Footprint

  constructor(args: readonly unknown[], footprint: Footprint) {
    this.args = args
    this.#footprint = footprint
  }

  visit(schema: unknown, value: unknown, parent: unknown, key: string): unknown {
    return normalizeWith(schema, value, parent, key, this)
  }

  own(value: unknown): unknown {
    return value
  }

  meet(policy: Policy): Known {
    this.met.add(policy)
    return { policy, plan: typeof policy === 'function' ? planOf(policy) : undefined }
  }

  /** Undefined, as for what was met before: so the schema goes no further. */
  enter({ policy }: Known, pk: string): undefined {
    if (pk !== UNNAMED) this.#footprint.add(policy.key, pk)
  }

  stored(): undefined {}

  keep(): void {}

  write(): void {}

  temporaryPk(): string {
    return UNNAMED
  }

  remove(policy: Policy, pk: string): void {
    this.#footprint.add(policy.key, pk)
  }

  membership({ key }: { readonly key: string }): void {
    this.#footprint.tables.add(key)
  }

  warn(): boolean {
    return false
  }
}
