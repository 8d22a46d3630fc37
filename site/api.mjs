// Pages of the API, from the declarations that the build has made of the sources: signatures, descriptions, examples.
import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import ts from 'typescript-5.9'
import { root } from '../.ci/steps.mjs'

/** The pages. Names of `patchcord` are on the page of the first pattern that their file matches. */
const pages = [
  { slug: 'resources', title: 'Resources and endpoints', door: 'patchcord', entry: 'src/index', files: /^src\/(rest|endpoint)\// },
  { slug: 'schemas', title: 'Entities and schemas', door: 'patchcord', entry: 'src/index', files: /^src\/schema\// },
  { slug: 'controller', title: 'Controller', door: 'patchcord', entry: 'src/index', files: /^src\/(controller|order|view\/tracker)/ },
  { slug: 'network', title: 'Managers and network', door: 'patchcord', entry: 'src/index', files: /^src\/(network|base\/(clock|platform))/ },
  { slug: 'state', title: 'State, patches, hydration', door: 'patchcord', entry: 'src/index', files: /^src\/(normalize|store|view|hydration|base\/(?!errors))/ },
  { slug: 'errors', title: 'Errors', door: 'patchcord', entry: 'src/index', files: /^src\/base\/errors/ },
  { slug: 'solid', title: 'patchcord/solid', door: 'patchcord/solid', entry: 'bindings/solid/index', files: /./ },
  { slug: 'preact', title: 'patchcord/preact', door: 'patchcord/preact', entry: 'bindings/preact/index', files: /./ },
  { slug: 'history', title: 'patchcord/history', door: 'patchcord/history', entry: 'src/history/index', files: /./ },
  ...['push', 'changes', 'tabs', 'persist', 'outbox', 'devtools'].map((name) => ({ slug: name, title: `patchcord/${name}`, door: `patchcord/${name}`, entry: `src/${name}/index`, files: /./ })),
  { slug: 'testing', title: 'patchcord/testing', door: 'patchcord/testing', entry: 'src/testing/index', files: /./ },
]

const parsed = new Map()

/** The declarations of a source, by its path without the ending. */
function parse(file) {
  if (!parsed.has(file)) {
    const path = join(root, 'dist/types', `${file}.d.ts`)
    parsed.set(file, ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true))
  }
  return parsed.get(file)
}

/** The names that an entry point exports, each with the file and the name it is declared by. */
function* exportsOf(entry) {
  for (const statement of parse(entry).statements) {
    if (!ts.isExportDeclaration(statement) || !statement.exportClause || !statement.moduleSpecifier) continue
    const from = posix.join(posix.dirname(entry), statement.moduleSpecifier.text).replace(/\.ts$/, '')
    if (ts.isNamedExports(statement.exportClause)) {
      for (const { name, propertyName } of statement.exportClause.elements) yield { name: name.text, inside: (propertyName ?? name).text, file: from }
    } else {
      // `export * as schema`: most members are exported by their own name too.
      const prefix = statement.exportClause.name.text
      yield { name: prefix, file: from, statement }
      const own = new Set(parse(entry).statements.flatMap((each) => each.exportClause?.elements?.map(({ name }) => name.text) ?? []))
      for (const member of exportsOf(from)) if (!own.has(member.name)) yield { ...member, name: `${prefix}.${member.name}` }
    }
  }
}

const declares = (statement, name) =>
  ts.isVariableStatement(statement) ? statement.declarationList.declarations.some((each) => each.name.getText() === name) : statement.name?.getText() === name

/** The declarations of a name in a file; a file may export it under another name than it has inside. */
function declarationsOf({ file, inside, statement }) {
  if (statement) return [statement]
  const { statements } = parse(file)
  const lists = statements.filter((each) => ts.isExportDeclaration(each) && !each.moduleSpecifier)
  const list = lists.find(({ exportClause }) => exportClause?.elements?.some((each) => each.name.text === inside))
  const local = list?.exportClause.elements.find((each) => each.name.text === inside)?.propertyName?.text ?? inside
  // An interface that a class merges with comes after it.
  const found = statements.filter((each) => declares(each, local)).sort((a, b) => Number(ts.isInterfaceDeclaration(a)) - Number(ts.isInterfaceDeclaration(b)))
  return docOf(found[0]).text === '' && list ? [...found, list] : found
}

/** Description and examples of the JSDoc of a node. */
function docOf(node) {
  const docs = node ? ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc) : []
  const last = docs.at(-1)
  const examples = (last?.tags ?? []).filter((tag) => tag.tagName.text === 'example').map((tag) => ts.getTextOfJSDocComment(tag.comment) ?? '')
  return { text: ts.getTextOfJSDocComment(last?.comment) ?? '', examples, isInternal: (last?.tags ?? []).some((tag) => tag.tagName.text === 'internal') }
}

const printer = ts.createPrinter({ removeComments: true, omitTrailingSemicolon: true })
const print = (node) => printer.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile()).replace(/^export (declare )?/, '').replace(/^declare /, '').replace(/;$/gm, '').replaceAll(/^( {4})+/gm, (indent) => '  '.repeat(indent.length / 4))

/** Private members, and those that only types read. */
const isHidden = (member) => member.name?.getText().startsWith("'~") || member.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword) || (member.name && ts.isPrivateIdentifier(member.name)) || docOf(member).isInternal

/** Escapes what Vue would read as a template or an element, outside of code. */
export const escapeProse = (text) => text.replaceAll(/(`[^`]*`)|[<{]/g, (sign, code) => code ?? (sign === '<' ? '&lt;' : '&#123;'))

/** A description. A name that has a section of its own becomes a link. */
const prose = (text, link) => escapeProse(text).replaceAll(/`([A-Za-z]\w+)`/g, (code, name) => (link(name) ? `[${code}](${link(name)})` : code))

/** The head of a class or an interface; its members follow one by one. */
function headOf(node) {
  const name = node.name.getText()
  const types = node.typeParameters ? `<${node.typeParameters.map((each) => each.getText()).join(', ')}>` : ''
  const heritage = (node.heritageClauses ?? []).map((each) => ` ${each.getText()}`).join('')
  return `${ts.isClassDeclaration(node) ? 'class' : 'interface'} ${name}${types}${heritage}`
}

function* membersOf(node, link) {
  const members = (node.members ?? []).filter((member) => !isHidden(member))
  const described = members.filter((member) => docOf(member).text || docOf(member).examples.length > 0)
  for (const member of described) {
    const { text, examples } = docOf(member)
    const name = ts.isConstructorDeclaration(member) ? 'constructor' : (member.name?.getText() ?? 'call')
    const isMethod = ts.isMethodDeclaration(member) || ts.isMethodSignature(member) || ts.isConstructorDeclaration(member)
    yield { name: isMethod ? `${name}()` : name, code: print(member), text: prose(text, link), examples }
  }
}

const fence = (code, info = 'ts') => `\`\`\`${info}\n${code.trim()}\n\`\`\``
const example = (code, door) => fence(code, /^patchcord\/(solid|preact)$/.test(door) ? 'tsx' : `ts run=${door}`)

const isTypeOnly = (declarations) => declarations.every((each) => ts.isInterfaceDeclaration(each) || ts.isTypeAliasDeclaration(each))

/** With the case of the name: `schema` and `Schema` are two sections. */
const anchorOf = (name) => name.replaceAll('.', '-')

function section({ name, declarations, door }, link) {
  const out = [`## ${name} {#${anchorOf(name)}}`]
  const docs = declarations.map(docOf)
  out.push(prose(docs.map(({ text }) => text).find(Boolean) ?? '', link))
  for (const node of declarations) {
    if (ts.isExportDeclaration(node)) continue
    const members = ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node) ? [...membersOf(node, link)] : []
    const silent = (node.members ?? []).filter((member) => !isHidden(member) && !docOf(member).text && docOf(member).examples.length === 0)
    if (node.members) {
      const body = silent.map((member) => `  ${print(member).replaceAll('\n', '\n  ')}`).join('\n')
      out.push(fence(`${headOf(node)}${body ? ` {\n${body}\n}` : ''}`))
    } else out.push(fence(print(node)))
    for (const { examples } of [docOf(node)]) for (const code of examples) out.push(example(code, door))
    for (const member of members) {
      out.push(`### ${name}${member.name.startsWith('[') ? '' : '.'}${escapeProse(member.name).replaceAll('[', '\\[')} {#${`${name}-${member.name}`.toLowerCase().replaceAll(/[^\w-]/g, '')}-${members.indexOf(member)}}`, fence(member.code), member.text)
      for (const code of member.examples) out.push(example(code, door))
    }
  }
  for (const node of declarations.filter(ts.isExportDeclaration)) for (const code of docOf(node).examples) out.push(example(code, door))
  return out.filter(Boolean).join('\n\n')
}

/** All pages as Markdown, and how the side bar lists them. */
export function apiPages() {
  const taken = new Set()
  const filled = pages.map((page) => {
    const names = [...exportsOf(page.entry)].filter(({ file, name }) => page.files.test(file) && !taken.has(`${page.door} ${name}`))
    for (const { name } of names) taken.add(`${page.door} ${name}`)
    return { ...page, names: names.map((each) => ({ ...each, door: page.door, declarations: declarationsOf(each) })) }
  })
  const anchors = new Map(filled.flatMap(({ names, slug, door }) => names.map(({ name }) => [`${door} ${name}`, `/api/${slug}#${anchorOf(name)}`])))
  return filled.map(({ names, title, slug, door }) => {
    const values = names.filter(({ declarations }) => !isTypeOnly(declarations))
    const types = names.filter((each) => !values.includes(each))
    const parts = [...values, ...types].map((each) => section(each, (name) => (name === each.name ? undefined : (anchors.get(`${door} ${name}`) ?? anchors.get(`patchcord ${name}`)))))
    const intro = `Import these names from \`${door}\`.${/^patchcord$|history|testing/.test(door) ? ' Examples run with a few resources, a store and a mocked network around them.' : ''}`
    return { slug, title, names: names.map(({ name }) => name), text: `---\noutline: 2\npageClass: api\n---\n\n# ${title}\n\n${intro}\n\n${parts.join('\n\n')}\n` }
  })
}
