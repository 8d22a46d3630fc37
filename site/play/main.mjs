// The page in which an example runs: it gets the code from the guide around it, and posts what the code prints.
import { compile } from './compile.mjs'
import { inspect } from './inspect.mjs'
import { loadModule } from './modules.mjs'
import { networkOf } from './networks.mjs'
import { QuietEvents } from './QuietEvents.mjs'
import { scopeOf } from './scope.mjs'

const post = (message) => parent.postMessage({ patchcord: message }, '*')
const textOf = (words) => words.map((word) => (typeof word === 'string' ? word : inspect(word))).join(' ')
const AsyncFunction = (async () => {}).constructor

addEventListener('message', ({ data, source }) => {
  if (source === parent && data?.patchcord?.run) run(data.patchcord.run)
})
addEventListener('error', ({ message }) => post({ error: message }))
addEventListener('unhandledrejection', ({ reason }) => post({ error: describe(reason) }))
post({ ready: true })

const describe = (error) => (error instanceof Error ? `${error.name}: ${error.message}` : inspect(error))

/** Runs the blocks of a page in order, as one program. Only the last one's output is posted. */
async function run({ blocks, door, language, page }) {
  let current = 0
  const print = (...words) => current === blocks.length - 1 && post({ line: textOf(words) })
  const output = { ...console, log: print, info: print, warn: print, error: print }
  try {
    globalThis.fetch = networkOf(page) ?? globalThis.fetch
    globalThis.EventSource = QuietEvents
    if (door) await runExample(blocks[0].code, door, output)
    else if (language === 'solid') await runSolid(blocks, output)
    else await runProgram(blocks, language, output, (block) => (current = block))
    post({ done: true })
  } catch (error) {
    const where = current < blocks.length - 1 ? ` (in example ${current + 1} of this page, which runs before this one)` : ''
    post({ error: describe(error) + where })
  }
}

/** The names below are free in what users write, so they are long. */
async function runProgram(blocks, language, output, enter) {
  const isPage = language === 'preact'
  const source = blocks.map(({ code }, n) => `await __enterBlock(${n});\n${code}\n`).join('')
  const { code, imports } = await compile(source, language)
  const modules = await loadAll(imports)
  const enterBlock = async (n) => {
    // An example of a page starts where the one before has rendered.
    if (isPage && n > 0) await rendered(blocks[n - 1].expected)
    enter(n)
  }
  await new AsyncFunction('require', 'exports', 'console', '__enterBlock', code)((name) => modules.get(name), {}, output, enterBlock)
}

/** The last component of each block is mounted in turn: a later one may show data that an earlier one has fetched. */
async function runSolid(blocks, output) {
  const names = blocks.map(({ code }) => [...code.matchAll(/^function (\w+)/gm)].at(-1)?.[1])
  const source = `${blocks.map(({ code }) => code).join('\n')}
export const __controller = typeof controller === 'undefined' ? undefined : controller
export const __examples = [${names.map((name) => name ?? 'undefined').join(', ')}]
`
  const { code, imports } = await compile(source, 'solid')
  const modules = await loadAll(imports)
  const exports = {}
  await new AsyncFunction('require', 'exports', 'console', code)((name) => modules.get(name), exports, output)
  const { mountSolid } = await import('./mountSolid.mjs')
  for (const [n, Example] of exports.__examples.entries()) {
    const isLast = n === blocks.length - 1
    if (!Example || (!isLast && blocks[n].expected === undefined)) continue
    const unmount = mountSolid(exports.__controller, Example, document.body)
    if (isLast) return
    await rendered(blocks[n].expected, () => document.body.innerHTML.replaceAll('<!---->', ''))
    unmount()
  }
}

/** An example of the API is the body of a function, with a few resources and a store around it. */
async function runExample(source, door, output) {
  const { code } = await compile(`(async () => {\n${source}\n})()`, 'ts')
  const scope = await scopeOf(door)
  const names = Object.keys(scope)
  await new AsyncFunction('console', ...names, `await ${code.trim()}`)(output, ...names.map((name) => scope[name]))
}

async function loadAll(names) {
  return new Map(await Promise.all(names.map(async (name) => [name, await loadModule(name)])))
}

/** Waits until the page shows the text, or a second and a half: an edited example may show another one. */
async function rendered(expected, read = () => document.body.textContent.trim()) {
  for (let turns = 0; turns < 75; turns++) {
    if (expected !== undefined && read() === expected) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
