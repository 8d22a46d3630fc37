// Lists every rule that the suites check: file : suite title : test title, sorted.
//   npm run build -- --tests; node test/rules.mjs > after.txt     every test title, of the compiled suites
//   node test/rules.mjs --counts                                  files and tests per folder, for test/README.md
//   node test/rules.mjs --lost before.txt after.txt               rules of the first list that the second has nowhere
// A folder as the last argument names another build than build/.
import { readdirSync, readFileSync } from 'node:fs'
import { register } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const recorder = `
  export const suite = (name = '') => {
    const test = (title) => globalThis.recordRule(name, title)
    return Object.assign(test, { only: test, skip: test, before: Object.assign(() => {}, { each() {} }), after: Object.assign(() => {}, { each() {} }), run() {} })
  }
  export const test = suite()
  export const exec = async () => {}
`
const hook = `export const load = (url, context, next) =>
  /\\/uvu\\/dist\\/index\\.m?js$/.test(url) ? { format: 'module', source: ${JSON.stringify(recorder)}, shortCircuit: true } : next(url, context)
`

const options = process.argv.slice(2)
const names = options.filter((option) => !option.startsWith('--'))

if (options.includes('--lost')) {
  const [before, after] = names.map(readRules)
  const lost = findLost(before, after)
  for (const rule of lost) console.log(rule)
  console.log(`${before.length} rules before, ${after.length} after, ${lost.length} lost.`)
  process.exitCode = lost.length === 0 ? 0 : 1
} else {
  const rules = await collectRules(resolve(names[0] ?? 'build', 'test'))
  console.log((options.includes('--counts') ? countRules(rules) : rules.map((rule) => rule.join(' : ')).sort()).join('\n'))
}

/** Loads every compiled suite with a `uvu` that writes titles down and runs nothing. */
async function collectRules(folder) {
  register(`data:text/javascript,${encodeURIComponent(hook)}`)
  const rules = []
  globalThis.recordRule = (suite, title) => rules.push([file, suite, title])
  let file = ''
  const files = readdirSync(folder, { recursive: true }).map((name) => name.replaceAll('\\', '/')).filter((name) => name.endsWith('.test.js')).sort()
  for (file of files) await import(pathToFileURL(resolve(folder, file)).href)
  return rules
}

function countRules(rules) {
  const folders = new Map()
  for (const [file] of rules) {
    const [first, second, third] = file.split('/')
    const name = third === undefined ? first : `${first}/${second}`
    const { files, tests } = folders.get(name) ?? { files: new Set(), tests: 0 }
    folders.set(name, { files: files.add(file), tests: tests + 1 })
  }
  const lines = [...folders].sort().map(([name, { files, tests }]) => `| \`${name}\` | ${files.size} | ${tests} |`)
  return ['| folder | files | tests |', '|---|---:|---:|', ...lines, `| total | ${new Set(rules.map(([file]) => file)).size} | ${rules.length} |`]
}

function readRules(path) {
  return readFileSync(path, 'utf8').trim().split('\n')
}

/** A rule counts as present when its suite and test title exist in any file, as often as before. */
function findLost(before, after) {
  const titleOf = (rule) => rule.slice(rule.indexOf(' : ') + 3)
  const left = new Map()
  for (const rule of after) left.set(titleOf(rule), (left.get(titleOf(rule)) ?? 0) + 1)
  return before.filter((rule) => {
    const count = left.get(titleOf(rule)) ?? 0
    left.set(titleOf(rule), count - 1)
    return count <= 0
  })
}
