// Hooks of Node's loader. A module that is asked for as `…?knob=pages~16` is loaded with that constant, and so is all
// that it imports: each value has a library of its own, and all of them stand side by side in one process.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { knobOf } from './knobs.mjs'

const bench = new URL('..', import.meta.url).href
const library = new URL('../../build/src/', import.meta.url).href
const doors = { patchcord: 'index.js', 'patchcord/history': 'history/index.js', 'patchcord/testing': 'testing/index.js' }
const dist = new URL('../../dist/index.js', import.meta.url).href
/** What of the benchmarks holds a reference to the library; all else may be shared. */
const OWN = /^(contenders|suites)\/|^knobs\/tune\.mjs/

/** For a process that has one value throughout. */
let everywhere

export function initialize(data) {
  everywhere = data?.everywhere
}

/** The library, what holds a reference to it, and the files of a user. */
const isOwn = url => url.startsWith('file:') && !url.includes('/node_modules/') && (!url.startsWith(bench) || OWN.test(url.slice(bench.length)))

const tagOf = url => (url?.startsWith('file:') ? new URL(url).searchParams.get('knob') : undefined)

export async function resolve(specifier, context, next) {
  const tag = tagOf(context.parentURL) ?? everywhere
  if (!tag) return next(specifier, context)
  const door = doors[specifier]
  const found = door ? { url: library + door, format: 'module' } : await next(specifier, context)
  const url = new URL(found.url.startsWith(dist) ? `${library}index.js` : found.url)
  if (!isOwn(url.href)) return found
  // By hand: a query without a value (`?views`) would get one from searchParams.
  if (!url.searchParams.has('knob')) url.search = `${url.search}${url.search ? '&' : '?'}knob=${tag}`
  return { ...found, url: url.href, shortCircuit: true }
}

export async function load(url, context, next) {
  const { pathname } = url.startsWith('file:') ? new URL(url) : { pathname: '' }
  if (/\.[mc]?tsx?$/.test(pathname)) return { format: 'module', source: withoutTypes(fileURLToPath(new URL(pathname, 'file:'))), shortCircuit: true }
  const tag = tagOf(url)
  if (!tag || !url.startsWith(library)) return next(url, context)
  const { file, find, name, value, write } = knobOf(tag)
  const path = pathname.slice(new URL(library).pathname.length)
  if (file !== undefined && file !== path) return next(url, context)
  const source = readFileSync(new URL(pathname, 'file:'), 'utf8')
  const turned = source.replace(find, found => write(value, found))
  if (file !== undefined && source.search(find) < 0) throw new Error(`The knob "${name}" does not find its constant in src/${file.replace('.js', '.ts')}.`)
  return { format: 'module', source: turned, shortCircuit: true }
}

/** The compiler that has an interface for it: TypeScript 7 has none. */
function withoutTypes(file) {
  const ts = createRequire(import.meta.url)('typescript-5.9')
  const { diagnostics, outputText } = ts.transpileModule(readFileSync(file, 'utf8'), {
    fileName: file,
    reportDiagnostics: true,
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022, verbatimModuleSyntax: false },
  })
  if (diagnostics.length > 0) throw new Error(ts.flattenDiagnosticMessageText(diagnostics[0].messageText, ' '))
  return outputText
}
