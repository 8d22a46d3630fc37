import { PatchcordError, SchemaError } from '../base/errors.ts'
import { text } from '../base/keys.ts'
import { isObject, take } from '../base/plain.ts'
import { attempt } from '../base/report.ts'
import { fullArgs } from '../endpoint/Endpoint.ts'
import type { AnyEndpoint } from '../endpoint/types.ts'
import { editResult, updater } from '../normalize/edits.ts'
import type { Operation } from '../normalize/fold.ts'
import { takeApart, type Parts } from '../normalize/normalize.ts'
import type { TemporaryPk } from '../normalize/ResponseWalk.ts'
import { isEntityClass } from '../schema/compile.ts'
import { nameOf } from '../schema/describe.ts'
import type { EntityClass } from '../schema/interface.ts'
import type { Directory, State } from '../store/State.ts'
import { Builder } from '../view/Builder.ts'

/** The answer of the network, or one that was set locally. */
export interface Answer {
  readonly endpoint: Pick<AnyEndpoint, 'schema' | 'update'>
  readonly value: unknown
  readonly args: readonly unknown[]
  /** The key under which the result is stored; undefined for calls with a side effect. */
  readonly key: string | undefined
  /** Until when it is fresh, on the monotonic clock. */
  readonly expiresAt: number
  /** The value belongs to the store and need not be copied. */
  readonly adopt?: boolean
}

/** A local write: a value, merged like an answer, or an updater of one record. */
export interface LocalWrite {
  readonly schema: unknown
  readonly args: readonly unknown[]
  readonly value: unknown
}

/** The operations of an answer. */
export function answerParts({ endpoint, value, args, key, adopt }: Answer, directory: Directory, report: (error: unknown) => void, temporaryPk?: TemporaryPk): Parts {
  const parts = takeApart(endpoint.schema, value, fullArgs(endpoint, args), directory, { copies: !adopt, temporaryPk })
  const operations: Operation[] = [...parts.operations]
  if (key !== undefined) operations.push(editResult(directory.results.cell(key), () => parts.result))
  attempt(() => {
    for (const [name, update] of Object.entries(endpoint.update?.(parts.result, ...args) ?? {})) {
      operations.push(editResult(directory.results.cell(name), previous => take(update(previous as never)), report))
    }
  }, report)
  return { ...parts, operations }
}

/** The pk of the record that an updater is for: what its arguments find, or name. */
export function updatedPk({ schema, args, value }: LocalWrite, visible: State): string | undefined {
  if (typeof value !== 'function') return undefined
  if (!isEntityClass(schema)) throw new SchemaError(`An updater needs an entity class, not ${nameOf(schema)}.`)
  const found = new Builder(visible, args).queryKey(schema, args)
  return typeof found === 'string' ? found : text(args[0])
}

/** The operations of a local write; `pk` is that of an updater's record. */
export function writeOperations({ schema, args, value }: LocalWrite, pk: string | undefined, directory: Directory): readonly Operation[] {
  if (pk !== undefined) return [updater(schema as EntityClass, directory.table((schema as EntityClass).key).cell(pk), value as never, args)]
  if (!isObject(value)) throw new PatchcordError('VALUE', `set writes an object, a list or an updater, not ${String(value)}.`)
  return takeApart(schema, value, args, directory, { copies: true }).operations
}
