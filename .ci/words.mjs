// Finds words that the project has given up for plain ones, and type names that are declared twice.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript-5.9'
import { root } from './steps.mjs'

/** The folders and files that are read for words. */
const TEXTS = ['src', 'bindings', 'bench', 'test', 'examples', 'docs', 'site', 'README.md']

/** The folders whose types are compared by name. */
const SOURCES = ['src', 'bindings']

const SKIPPED = /(?:^|\/)(?:node_modules|results|dist|cache|pages|package-lock\.json)(?:\/|$)/
const READ = /\.(?:ts|tsx|mjs|js|md|html|css|json|vue)$/
const CODE = /\.(?:ts|tsx|mjs|js)$/

/**
 * Each word with the plain one to use. `text`: the word must occur nowhere, also not as a part of a name (`toldOf`).
 * `name`: plain English uses the word as well ("over 3 ms", "the text shown"), so only declared names must not have it.
 * `whole name`: the same, but it may be a part of one (`RestEndpoint`, `startOver`). `type`: only a type must not be called so.
 *
 * `row` is left out: it is the word for one thing of a list, and only its second meaning, a record, was given up.
 */
export const WORDS = [
  { word: 'place', plain: 'position, or slot, or name the spot', in: 'text' },
  { word: 'places', plain: 'positions, or slots, or name the spots', in: 'text' },
  { word: 'told', plain: 'confirmed, or notified', in: 'text' },
  { word: 'said', plain: 'confirmed, or record, or message', in: 'text' },
  { word: 'kept', plain: 'record, or stored, or retained', in: 'text' },
  { word: 'held', plain: 'deferred, or delayed, or retained', in: 'text' },
  { word: 'sink', plain: 'flush', in: 'text' },
  { word: 'sinks', plain: 'flushes', in: 'text' },
  { word: 'together', plain: 'batch, or total, or both', in: 'text' },
  { word: 'flights', plain: 'inFlight', in: 'text' },
  { word: 'exits', plain: 'inFlight', in: 'name' },
  { word: 'doubts', plain: 'uncertain', in: 'text' },
  { word: 'linger', plain: 'release', in: 'text' },
  { word: 'lingers', plain: 'is released later', in: 'text' },
  { word: 'addressed', plain: 'renamed', in: 'text' },
  { word: 'spoken', plain: 'renamed, or mentioned', in: 'text' },
  { word: 'crew', plain: 'managers', in: 'text' },
  { word: 'attic', plain: 'released views', in: 'text' },
  { word: 'heirs', plain: 'name the objects', in: 'text' },
  { word: 'acquaintance', plain: 'name the relation', in: 'text' },
  { word: 'course', plain: 'name the sequence', in: 'text' },
  { word: 'let go', plain: 'release', in: 'text' },
  { word: 'over', plain: 'visible', in: 'whole name' },
  { word: 'shown', plain: 'visible', in: 'name' },
  { word: 'rest', plain: 'release, or remaining', in: 'whole name' },
  { word: 'Call', plain: 'PendingCall', in: 'type' },
  { word: 'Mutation', plain: 'PendingCall', in: 'type' },
  { word: 'Intent', plain: 'PendingCall', in: 'type' },
]

const lookup = (kind) => new Map(WORDS.filter((entry) => entry.in === kind).map((entry) => [entry.word, entry]))
const inText = lookup('text')
const inNames = lookup('name')
const asNames = lookup('whole name')
const asTypes = lookup('type')

/** Terms of the field (`place-items` in a style sheet, a change "in place"), and the public name of the fields that an undo leaves alone. */
const TERMS = /\bplace-(?:items|content|self)\b|\bin place\b(?! of\b)|\bKept(?=[[)"]| [{}])|(?<=\{ )kept\b|\bkept(?=: (?:\[|(?:readonly )?Kept|conflicts))|(?<=`|\.)kept\b/g

/** The words of a text in lower case with their offsets: `toldOf` is `told` and `of`, `let go` is one word. */
function* wordsOf(text) {
  for (const { 0: part, index } of text.matchAll(/\blet go\b(?![!:]| =)|[A-Z]?[a-z]+|[A-Z]+(?![a-z])/gi)) {
    // The flag `i` above is for prose at the beginning of a sentence; names are cut at their humps here.
    if (part.toLowerCase() === 'let go') yield [index, 'let go']
    else for (const { 0: hump, index: at } of part.matchAll(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g)) yield [index + at, hump.toLowerCase()]
  }
  for (const { index } of text.matchAll(/\bletGo/g)) yield [index, 'let go']
}

/** Files below a folder, or the file itself, as paths from the root with slashes. */
function filesOf(from, name) {
  const path = join(from, name)
  if (!existsSync(path)) return []
  const below = statSync(path).isDirectory() ? readdirSync(path, { recursive: true }).map((file) => `${name}/${file.replaceAll('\\', '/')}`) : [name]
  return below.filter((file) => READ.test(file) && !SKIPPED.test(file)).sort()
}

const lineAt = (text, offset) => text.slice(0, offset).split('\n').length

function eachNode(node, see) {
  see(node)
  node.forEachChild((child) => eachNode(child, see))
}

const parse = (file, text) => ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false, file.endsWith('x') ? ts.ScriptKind.TSX : undefined)

const isType = (node) => ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassDeclaration(node) || ts.isEnumDeclaration(node)

/** Whether a node gives its `name`. `...rest` is the language's own idiom; a destructured property has its name from elsewhere. */
const declaresName = (node) =>
  isType(node) ||
  ((ts.isVariableDeclaration(node) || ts.isParameter(node) || ts.isBindingElement(node)) && !node.dotDotDotToken) ||
  ts.isPropertyDeclaration(node) || ts.isPropertySignature(node) || ts.isMethodDeclaration(node) || ts.isMethodSignature(node) ||
  ts.isFunctionDeclaration(node) || ts.isGetAccessorDeclaration(node)

/** Calls `see` with each declared name of a program. */
function eachName(file, text, see) {
  eachNode(parse(file, text), (node) => {
    if (declaresName(node) && node.name && (ts.isIdentifier(node.name) || ts.isPrivateIdentifier(node.name))) see(node, node.name.text.replace('#', ''))
  })
}

/**
 * One sentence for each word that was given up.
 *
 * @param {string} file
 * @param {string} text
 */
export function wordFaults(file, text) {
  const faults = []
  const note = (offset, written, { plain }) => faults.push([offset, `${file}:${lineAt(text, offset)} has "${written}": use ${plain}.`])
  for (const [offset, word] of wordsOf(text.replace(TERMS, (match) => ' '.repeat(match.length)))) {
    if (inText.has(word)) note(offset, word, inText.get(word))
  }
  if (CODE.test(file)) {
    eachName(file, text, (node, name) => {
      const offset = node.name.end - name.length
      for (const [, word] of wordsOf(name)) if (inNames.has(word)) note(offset, name, inNames.get(word))
      if (asNames.has(name)) note(offset, name, asNames.get(name))
      if (isType(node) && asTypes.has(name)) note(offset, name, asTypes.get(name))
    })
  }
  return faults.sort(([a], [b]) => a - b).map(([, sentence]) => sentence)
}

/** The names that a file passes on: `export { a, type B } from './c.ts'`. */
const passedOn = (file, text) =>
  parse(file, text).statements.flatMap((statement) => (ts.isExportDeclaration(statement) && statement.exportClause && ts.isNamedExports(statement.exportClause) ? statement.exportClause.elements.map(({ name }) => name.text) : []))

/**
 * One sentence for each type name that is declared in two files. The bindings offer the same public names, each from its
 * own entry point: such a pair is meant.
 *
 * @param {readonly (readonly [file: string, text: string])[]} files
 */
export function twiceDeclared(files) {
  /** @type {Map<string, Set<string>>} */
  const byName = new Map()
  /** @type {Map<string, Set<string>>} */
  const publicNames = new Map()
  for (const [file, text] of files.filter(([file]) => CODE.test(file))) {
    const [, binding] = /^(bindings\/[^/]+)\/index\.ts$/.exec(file) ?? []
    if (binding) publicNames.set(binding, new Set(passedOn(file, text)))
    for (const statement of parse(file, text).statements) {
      if (isType(statement) && statement.name) byName.set(statement.name.text, (byName.get(statement.name.text) ?? new Set()).add(file))
    }
  }
  const isPair = (name, where) => {
    const bindings = where.map((file) => file.split('/', 2).join('/'))
    return new Set(bindings).size === where.length && bindings.every((binding) => publicNames.get(binding)?.has(name))
  }
  return [...byName]
    .map(([name, where]) => [name, [...where]])
    .filter(([name, where]) => where.length > 1 && !isPair(name, where))
    .map(([name, where]) => `${name} is declared in ${where.join(' and ')}: give each its own name, or share one.`)
    .sort()
}

/** Prints both lists; true when they are empty. */
export function checkWords(from = root) {
  const read = (names) => names.flatMap((name) => filesOf(from, name)).map((file) => [file, readFileSync(join(from, file), 'utf8')])
  const words = read(TEXTS).flatMap(([file, text]) => wordFaults(file, text))
  const types = twiceDeclared(read(SOURCES))
  for (const fault of [...words, ...types]) console.log(fault)
  console.log(`Words to replace: ${words.length}. Type names declared twice: ${types.length}.`)
  return words.length + types.length === 0
}

if (import.meta.filename === process.argv[1]) process.exitCode = checkWords() ? 0 : 1
