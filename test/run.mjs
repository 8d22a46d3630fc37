// npm test: types, then every suite in Node, then the same suites in Chromium.
//   npm test                  everything
//   npm run unit -- store     only in Node, only files whose path matches
//   npm run browser -- store  the same in Chromium
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from '../.ci/build.mjs'
import { announce, root, run, tsc } from '../.ci/steps.mjs'
import { readTotals } from './totals.mjs'

const only = process.argv.includes('--unit') ? 'unit' : process.argv.includes('--browser') ? 'browser' : undefined
const pattern = process.argv.slice(2).find((argument) => !argument.startsWith('--'))

/** Suites that draw pages, start processes or wait for heaps; they run beside the others, in a process of their own. */
const apart = ['bindings', 'examples', 'isolation', 'soak', 'ssr']

const results = {}
const remarks = []

if (!(await compile())) {
  results.types = { passed: 0, failed: 1 }
} else {
  if (only !== 'browser') results.unit = await unit()
  if (only !== 'unit') {
    const browser = await inBrowser()
    if (browser) results.browser = browser
  }
}
finish()

/** A pattern is for the quick loop: it needs the tests only, not the doors. */
async function compile() {
  if (!pattern) return build({ withTests: true })
  rmSync(join(root, 'build/test'), { recursive: true, force: true })
  announce('types')
  return (await run([...tsc, '-p', 'test'])).code === 0
}

async function unit() {
  announce('suites in Node')
  if (pattern) return suites([`${pattern}.*\\.test\\.js$`])
  const beside = suites([`^(${apart.join('|')})/.*\\.test\\.js$`], true)
  // Two compilers over a packed project take a minute; npm run check has them.
  const results = [await suites(['\\.test\\.js$', ...['house/consumer', ...apart.map((name) => `^${name}/`)].flatMap((name) => ['-i', name])]), await beside]
  return { passed: results[0].passed + results[1].passed, failed: results[0].failed + results[1].failed }
}

/** Shows what it prints as it comes, or, `later`, in one piece at the end. */
async function suites(files, later = false) {
  const { code, output } = await run(
    [
      'node', '--conditions=browser', '--enable-source-maps', '--expose-gc', 'node_modules/uvu/bin.js', 'build/test', ...files,
      ...(process.stdout.isTTY ? [] : ['--no-color']),
    ],
    { quiet: later },
  )
  if (later) console.log(`\n${output}`)
  return readTotals(code, output)
}

async function inBrowser() {
  announce('suites in Chromium')
  const { code, output } = await run(['node', 'build/test/browser/run.js', ...(pattern ? [pattern] : [])])
  if (code !== 2) return readTotals(code, output)
  remarks.push(
    'Not run: the same suites in a browser, because no Chromium was found.',
    'Install one (Debian: apt-get install chromium) or name it in CHROMIUM_PATH, and run npm test again.',
  )
  return process.env.CI === 'true' ? { passed: 0, failed: 1 } : undefined
}

function finish() {
  mkdirSync(join(root, 'build'), { recursive: true })
  writeFileSync(join(root, 'build/results.json'), `${JSON.stringify(results)}\n`)
  const failed = Object.values(results).reduce((sum, result) => sum + result.failed, 0)
  const counts = Object.entries(results).map(([name, { passed, failed }]) => `${name} ${passed} passed, ${failed} failed`)
  console.log()
  for (const remark of remarks) console.log(remark)
  announce(`${failed === 0 ? 'Tests passed' : 'TESTS FAILED'}: ${counts.join('; ')}.`)
  process.exitCode = failed === 0 ? 0 : 1
}
