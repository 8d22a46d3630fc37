// npm run bench:compare A B      what changed between two results: files, or their names in bench/results
// npm run bench:compare suite    between the last two of a suite
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { differences } from './differences.mjs'
import { FOLDER, list, load } from './results.mjs'
import { compareText } from './text.mjs'

function find(name) {
  const paths = [name, join(FOLDER, name), join(FOLDER, `${name}.json`)]
  const found = paths.find(path => existsSync(path))
  if (found) return found
  const known = list().map(({ file }) => `  ${basename(file)}`)
  throw new Error(`There is no result ${name}.${known.length > 0 ? ` There are:\n${known.join('\n')}` : ' Run npm run bench first.'}`)
}

/** Two files, or the last two of a suite. */
function pair([a, b]) {
  if (a !== undefined && b !== undefined) return [find(a), find(b)]
  const ofSuite = list().filter(({ suite }) => suite === a)
  if (ofSuite.length < 2) throw new Error(a === undefined ? 'Say which: npm run bench:compare A B, or the name of a suite for its last two results.' : `There are not two results of a suite "${a}".`)
  return ofSuite.slice(-2).map(({ file }) => file)
}

try {
  const [a, b] = pair(process.argv.slice(2))
  console.log(compareText(basename(a), basename(b), differences(load(a), load(b))))
} catch (error) {
  console.error(error.message)
  process.exitCode = 2
}
