import { PatchcordError } from '../base/errors.ts'
import { Call, type Mutation } from './call.ts'
import type { Held } from './held.ts'
import type { Intents } from './intent.ts'
import { forEachText, renamed, type Moved } from './temporary.ts'

/** So many temporary pks are remembered after they have become real. */
const ALIASES = 1000

/** Temporary pks: whose they are, and what they have become. */
export class Names {
  /** Begins every temporary pk; no server would say it. Undefined until there is one: then nobody has to look for any. */
  #prefix: string | undefined
  readonly #intents: Intents
  readonly #aliases = new Map<string, string>()

  constructor(intents: Intents) {
    this.#intents = intents
  }

  /** The pk of the n-th thing that a call makes. */
  make(call: number, position: number): string {
    this.#prefix ??= `new:${Math.random().toString(36).slice(2, 8)}.`
    return `${this.#prefix}${call}.${position}`
  }

  /** The temporary pks that `value` speaks of. */
  mentioned(value: unknown): string[] {
    const found: string[] = []
    const prefix = this.#prefix
    if (prefix !== undefined) forEachText(value, text => void (text.startsWith(prefix) && found.push(text)))
    return found
  }

  /** `value` with what temporary pks have become in their place. */
  readonly known = <T>(value: T): T => renamed(value, this.#aliases)

  /** The same. One that came to nothing is an error. */
  current<T>(value: T): T {
    const next = this.known(value)
    for (const pk of this.mentioned(next)) {
      if (!this.#makerOf(pk)) throw new PatchcordError('MISSING', `${pk} was the temporary pk of something that was never made.`)
    }
    return next
  }

  /** The pending call that makes what this pk stands for. */
  #makerOf(pk: string): Call | undefined {
    for (const intent of this.#intents.keys()) if (intent instanceof Call && intent.temporary.has(pk)) return intent
    return undefined
  }

  /** The pending calls whose temporary pks `value` speaks of. */
  awaited(value: unknown): Mutation[] {
    const makers = this.mentioned(value).map(pk => this.#makerOf(pk))
    return [...new Set(makers)].filter(maker => maker !== undefined)
  }

  /** From here on these are called by their real names, by whoever is pending too. `maker` is where the answer of who made them waits. */
  move(moved: readonly Moved[], maker: Held | undefined): void {
    if (moved.length === 0) return
    this.#intents.move(moved, maker)
    for (const { from, to } of moved) this.#aliases.set(from, to)
    for (const from of this.#aliases.keys()) if (this.#aliases.size > ALIASES) this.#aliases.delete(from)
  }

  clear(): void {
    this.#aliases.clear()
  }
}
