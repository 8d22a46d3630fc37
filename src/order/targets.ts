import { isObject } from '../base/plain.ts'
import { attempt } from '../base/report.ts'
import { fullArgs } from '../endpoint/Endpoint.ts'
import type { AnyEndpoint } from '../endpoint/types.ts'
import type { Operation } from '../normalize/fold.ts'
import { ResponseWalk } from '../normalize/ResponseWalk.ts'
import { compile, isEntityClass, traitsOf } from '../schema/compile.ts'
import { Cell, type Directory, type Table } from '../store/State.ts'

/** The targets of a call or a write: rows, tables of collections whose members it changes, and temporary pks. */
export type Targets = Set<Cell | Table | string>

export function targetsOf(operations: readonly Operation[]): Targets {
  const targets: Targets = new Set()
  for (const operation of operations) {
    if (operation.type === 'members') targets.add(operation.table)
    else if (operation.cell.isEntity) targets.add(operation.cell)
  }
  return targets
}

/** Whether two sets of targets have a row in common. A table stands for all of its rows. */
export function overlaps(a: Targets, b: Targets): boolean {
  return covers(a, b) || covers(b, a)
}

function covers(a: Targets, b: Targets): boolean {
  return [...a].some(target => b.has(target) || (target instanceof Cell && b.has(target.table)))
}

/** The rows that a call is about, as far as its arguments tell: they are walked as if they were the answer. */
export function targetsOfCall(endpoint: Pick<AnyEndpoint, 'schema'>, given: readonly unknown[], directory: Directory): Targets {
  const args = fullArgs(endpoint, given)
  const [params, body] = args
  const input: unknown = !isObject(params ?? {}) ? params : Array.isArray(body) ? body : { ...(body as object), ...(params as object) }
  const targets: Targets = new Set()
  const visit = (inner: unknown): void => {
    const { shape } = traitsOf(inner)
    if (shape) return Object.values(shape).forEach(visit)
    if (isEntityClass(inner) && !isObject(input)) return void targets.add(directory.table(inner.key).cell(String(input)))
    const walk = new ResponseWalk(directory, args, { copies: true, shallow: true, temporaryPk: () => UNNAMED })
    // Where the arguments do not have the shape of the answer, they do not tell which rows the call is about.
    attempt(() => compile(inner) && walk.visit(inner, input, input, ''))
    for (const target of targetsOf(walk.operations)) if ((target as Cell).pk !== UNNAMED) targets.add(target)
  }
  visit(endpoint.schema)
  return targets
}

/** The pk of an entity that a call creates. */
const UNNAMED = '\0'
