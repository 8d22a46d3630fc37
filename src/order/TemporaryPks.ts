import { PatchcordError } from '../base/errors.ts'
import { partsOf, rename } from '../base/parts.ts'

/** How many temporary pks are remembered after they became real. */
const ALIAS_LIMIT = 1000

/** Real pks by temporary ones: a number where the server has numbers. */
export type RealPks = ReadonlyMap<string, string | number>

/** Temporary pks: which call makes them real, and what they became. */
export class TemporaryPks<Call extends { readonly id: string }> {
  /** Begins the ids of the calls of this store. */
  readonly #prefix = `new:${Math.random().toString(36).slice(2, 8)}.`
  #calls = 0
  /** What temporary pks begin with, in this session and in those whose calls were restored. Empty until there is a call: then nobody has to look for any. */
  readonly #prefixes = new Set<string>()
  readonly #makers = new Map<string, Call>()
  readonly #aliases = new Map<string, string | number>()

  /** An id for the next call. Its temporary pks begin with it. */
  nextId(): string {
    return `${this.#prefix}${++this.#calls}`
  }

  /** Notes the id of a call: from now on, a text that begins like it is known as a temporary pk. A call of an earlier session may name a row without the call that was to create it. */
  called(id: string): void {
    this.#prefixes.add(prefixOf(id))
  }

  /** The pk of the n-th entity that a call creates. */
  make(call: Call, position: number): string {
    const pk = `${call.id}.${position}`
    this.#makers.set(pk, call)
    return pk
  }

  /** The temporary pks that occur in `value`. */
  mentioned(value: unknown): string[] {
    if (!this.#prefixes.size) return []
    return [...partsOf(value).keys()].filter((part): part is string => typeof part === 'string' && this.#prefixes.has(prefixOf(part)))
  }

  /** `value` with real pks instead of temporary ones. */
  readonly resolve = <T>(value: T): T => rename(value, this.#aliases)

  /** The same for something that is going to be sent: a temporary pk whose call failed is an error. */
  resolveForCall<T>(value: T): T {
    const resolved = this.resolve(value)
    for (const pk of this.mentioned(resolved)) {
      if (!this.#makers.has(pk)) throw new PatchcordError('MISSING', `${pk} is temporary, and was never created. Drop it.`)
    }
    return resolved
  }

  /** For each temporary pk in `value`, the pending call that creates its row. */
  awaited(value: unknown): Call[] {
    return this.mentioned(value).flatMap(pk => this.#makers.get(pk) ?? [])
  }

  /** A call has settled: these are the real pks of what it created. */
  settle(call: Call, names: RealPks): void {
    for (const [pk, maker] of this.#makers) if (maker === call) this.#makers.delete(pk)
    for (const [from, to] of names) this.#aliases.set(from, to)
    for (const from of this.#aliases.keys()) if (this.#aliases.size > ALIAS_LIMIT) this.#aliases.delete(from)
  }

  clear(): void {
    this.#makers.clear()
    this.#aliases.clear()
  }
}

function prefixOf(pk: string): string {
  return pk.split('.')[0]!
}
