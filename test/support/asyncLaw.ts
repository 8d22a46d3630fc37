import * as fc from 'fast-check'
import type { Test } from 'uvu'
import { runs, type Finding } from './settings.ts'

const env: { readonly [name: string]: string | undefined } = typeof process === 'undefined' ? {} : process.env

/** A law whose runs take time. `tell` writes down what happened, for the run that fails. Environment as for other laws. */
export function asyncLaw<T>(test: Test, title: string, base: number, any: fc.Arbitrary<T>, check: (value: T, tell: (trace: string) => void) => Promise<void>, finish: () => Finding): void {
  test(title, async () => {
    const count = runs(base)
    const seed = env['SEED'] === 'fresh' ? Date.now() | 0 : Number(env['SEED'] ?? 20_250_301)
    const path = env['REPLAY']
    let trace: string[] = []
    let run = 0
    const property = fc.asyncProperty(any, async value => {
      trace = []
      // What a WeakRef has shown lives until the job ends, so a long law must return to the event loop.
      if (++run % 50 === 0) await new Promise(resolve => setTimeout(resolve))
      await check(value, each => void trace.push(each))
    })
    const { warn } = console
    console.warn = () => {}
    const details = await fc.check(property, { seed, ...(path === undefined ? { numRuns: count } : { path, numRuns: 1, endOnFailure: true }) }).finally(() => (console.warn = warn))
    if (details.failed) {
      const cause = details.errorInstance as Error
      // The last run is not always the one that failed; that one is run again, for what it tells.
      await property.run(details.counterexample!)
      const lines = [`broken after ${details.numRuns} runs. Again with SEED=${seed} REPLAY=${details.counterexamplePath ?? ''}`, ...trace, String(cause?.message)]
      throw new Error(lines.join('\n    '), { cause })
    }
    if (path === undefined) console.log(`\n  ${title.split(' ')[0]!}: ${count} runs, seed ${seed}: ${finish() ?? ''}`)
  })
}

/** In how many runs something was met. */
export class Coverage {
  readonly #wanted: readonly string[]
  readonly #counts = new Map<string, number>()
  #runs = 0

  /** Each of these must be met in ten percent of the runs, or green means nothing. */
  constructor(wanted: readonly string[]) {
    this.#wanted = wanted
  }

  add(met: Iterable<string>): void {
    this.#runs++
    for (const each of met) this.#counts.set(each, (this.#counts.get(each) ?? 0) + 1)
  }

  finding(): string {
    const share = (name: string): number => (100 * (this.#counts.get(name) ?? 0)) / this.#runs
    const names = new Set([...this.#wanted, ...this.#counts.keys()])
    const text = [...names].map(name => `${name} ${share(name).toFixed(1)} %`).join(', ')
    if (this.#runs >= 500 && this.#wanted.some(name => share(name) < 10)) throw new Error(`The runs miss what they are for: ${text}; each must be in 10 %.`)
    return text
  }
}
