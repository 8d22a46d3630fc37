import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { OLD } from '../contenders/index.mjs'
import { summary } from '../measure.mjs'
import { freshPayload } from '../payload.mjs'

/** @import { Row } from '../row.mjs' */

const run = promisify(execFile)
const PROCESS = fileURLToPath(new URL('../cold/process.mjs', import.meta.url))
const PROJECTS = 30
// For each round that a quick row has at the least.
const STARTS = 4

/** @type {Row} */
const cold = {
  name: 'cold start',
  short: 'cold',
  about: `A fresh process: evaluate the minified bundle, take in ${PROJECTS} projects, build and read the first view.`,
  budgets: [
    { kind: 'share', who: 'patchcord', of: OLD, atMost: 0.6 },
    { kind: 'share', who: 'patchcord', of: 'data-client', atMost: 1 },
  ],
  async gauge(_contenders, progress, { minRounds }) {
    // A bundler takes a while to load: other rows of the process do not wait for it.
    const { bundleFor, STARTERS } = await import('../cold/bundle.mjs')
    /** @type {Record<string, string>} */
    const files = {}
    /** @type {Record<string, string>} */
    const blanks = {}
    for (const who of Object.keys(STARTERS)) {
      try {
        files[who] = await bundleFor(who)
      } catch (error) {
        blanks[who] = /** @type {Error} */ (error).message.split('\n')[0].replace(/(?:file:\/\/)?\/\S*\//g, '')
      }
    }
    const folder = mkdtempSync(join(tmpdir(), 'patchcord-cold-'))
    try {
      const response = join(folder, 'projects.json')
      writeFileSync(response, JSON.stringify({ project: freshPayload().project.slice(0, PROJECTS) }))
      const starters = Object.keys(files)
      /** @type {Record<string, { took: number, grew: number, turnMs: number }[]>} */
      const samples = Object.fromEntries(starters.map(who => [who, []]))
      const rounds = minRounds * STARTS
      for (let round = 0; round < rounds; round++) {
        progress(round / rounds)
        for (let turn = 0; turn < starters.length; turn++) {
          const who = starters[(turn + round) % starters.length]
          const { stdout } = await run(process.execPath, [PROCESS, files[who], response])
          samples[who].push({ took: Number(stdout), grew: Number.NaN, turnMs: 0 })
        }
      }
      return { blanks, timings: Object.fromEntries(starters.map(who => [who, summary(samples[who], 1)])) }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

export const rows = [cold]
