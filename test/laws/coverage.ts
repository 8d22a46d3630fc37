import type { Patch } from '../../src/index.ts'
import { hostileName } from './hostile.ts'
import type { Finding } from '../support/settings.ts'

/** What a green run must have met to mean anything. */
const wanted = ['merge into a row', 'deletion', 'list splice', 'nested patch', 'hostile pk', 'nothing changed'] as const

type Case = (typeof wanted)[number]

/** Each of these in at least so many percent of the runs. */
const LEAST = 5

/** Counts in how many runs each hard case came up. */
export class Coverage {
  #runs = 0
  readonly #counts = new Map<Case, number>()
  readonly #now = new Set<Case>()

  /** Looks at the patches of one change. */
  see(patches: readonly Patch[]): void {
    if (patches.length === 0) this.#now.add('nothing changed')
    for (const { op, path } of patches) {
      const root = path[0] === 'entities' ? 3 : 2
      const last = path[path.length - 1]
      if (root === 3 && path.length > 3) this.#now.add('merge into a row')
      if (root === 3 && path.length === 3 && op === 'remove') this.#now.add('deletion')
      if (path.length > root && typeof last === 'number' && op !== 'replace') this.#now.add('list splice')
      if (path.length > root + 1 && typeof last === 'string') this.#now.add('nested patch')
      if (root === 3 && hostileName(path[2] as string)) this.#now.add('hostile pk')
    }
  }

  /** Ends a run. */
  run(): void {
    this.#runs++
    for (const met of this.#now) this.#counts.set(met, (this.#counts.get(met) ?? 0) + 1)
    this.#now.clear()
  }

  /** The shares in percent; throws when one is too small. */
  finish(): Finding {
    const shares = wanted.map(name => [name, (100 * (this.#counts.get(name) ?? 0)) / this.#runs] as const)
    const text = shares.map(([name, share]) => `${name} ${share.toFixed(1)} %`).join(', ')
    // A handful of runs says nothing about shares.
    const missed = this.#runs < 500 ? [] : shares.filter(([, share]) => share < LEAST)
    if (missed.length > 0) throw new Error(`The generators miss what they are for: ${text}; each must be in ${LEAST} % of runs.`)
    return text
  }
}
