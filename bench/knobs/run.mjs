import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { inWorker } from '../fork.mjs'
import { versions } from '../machine.mjs'
import { started } from '../suite.mjs'
import { readInput } from './input.mjs'
import { KNOBS } from './knobs.mjs'
import { knobHeading, knobText } from './table.mjs'

const SUITES = ['tune', 'normalize', 'view', 'store', 'controller', 'layers', 'memory']
const worker = fileURLToPath(new URL('./worker.mjs', import.meta.url))

export const KNOB_USAGE = `npm run bench -- knob <name> [values] [suite] [filter] [--payload file.json --schema file.ts] [--quick]
${Object.entries(KNOBS).map(([name, { about, standard, values }]) => `  ${name.padEnd(9)} ${about}; ${standard} by default, try ${values}`).join('\n')}
  suite     tune, which takes a payload (the project list when none is given); or ${SUITES.slice(1).join(', ')}`

/** The values that were asked for, and the one that the library has: every other is measured against it. */
export function valuesOf(name, text) {
  const { fault, standard, values } = KNOBS[name]
  const wanted = (text ?? values).split(',').map(value => value.trim().replaceAll('_', '')).filter(Boolean)
  for (const value of wanted) {
    const reason = fault(value)
    if (reason) throw new Error(`${name}: ${value} ${reason}.`)
  }
  return wanted.includes(standard) ? [...new Set(wanted)] : [standard, ...new Set(wanted)]
}

/**
 * Measures a suite over a range of one knob and prints one table.
 *
 * @param {string[]} words what follows `knob`
 * @param {{ effort: 'full' | 'quick', payload?: string, schema?: string }} options
 * @param {ReturnType<typeof import('../progress.mjs').createProgress>} progress
 */
export async function turnKnob([name, ...words], { effort, payload, schema }, progress) {
  if (name === undefined) return void console.log(KNOB_USAGE)
  if (!Object.hasOwn(KNOBS, name)) throw new Error(`There is no knob "${name}".\n\n${KNOB_USAGE}`)
  const range = words.length > 0 && !SUITES.includes(words[0]) ? words.shift() : undefined
  const values = valuesOf(name, range)
  const [suite = 'tune', filter = ''] = words
  if (!SUITES.includes(suite)) throw new Error(`There is no suite "${suite}" for a knob. There are ${SUITES.join(', ')}.`)
  const input = readInput(payload, schema)
  if (input && suite !== 'tune') throw new Error(`A payload of your own is measured by the suite tune, not by ${suite}.`)
  if (!existsSync(new URL('../../build/src/index.js', import.meta.url))) throw new Error('build/ is missing. Run npm run build first.')

  const result = { ...started(`knob-${name}`, { effort, filter }), knob: { name, values, standard: KNOBS[name].standard, suite, payload: payload ?? null }, versions: versions(['patchcord']) }
  let names = []
  let wanted = []
  await inWorker(
    { suite, filter, effort, knob: name, values, input },
    ({ begin, progress: at, row }) => {
      if (begin) {
        ;({ names, wanted } = begin)
        if (wanted.length > 0) console.log(knobHeading(result))
      }
      if (at) progress.show(`knob ${name}`, at.row, at.share, wanted.indexOf(at.row), wanted.length)
      if (row) result.rows.push(row)
    },
    { worker },
  )
  progress.clear()
  if (wanted.length === 0) throw new Error(`No row of ${suite} has "${filter}" in its name. There are:\n${names.map(name => `  ${name}`).join('\n')}`)
  console.log(knobText(result))
  return result
}
