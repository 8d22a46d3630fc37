import { posix } from 'node:path'
import ts from 'typescript-5.9'
import { entries } from '../../house/doors.ts'
import { parse } from '../../house/sources.ts'

/** The examples that stand where a name is declared, and those of its members. */
interface Examples {
  readonly own: readonly string[]
  readonly ofMembers: readonly string[]
}

/** A public name and its examples. */
export interface Documented extends Examples {
  readonly door: string
  readonly name: string
}

/** Every name of every door. Doors are lists of exports from files, so nothing but syntax is needed to follow them. */
export function readDocs(root: string): Documented[] {
  return Object.entries(entries).flatMap(([door, file]) => [...namesOf(root, file, '')].map(([name, examples]) => ({ door, name, ...examples })))
}

function* namesOf(root: string, file: string, prefix: string): Generator<readonly [name: string, examples: Examples]> {
  for (const statement of parse(root, file).statements) {
    if (!ts.isExportDeclaration(statement) || !statement.exportClause || !statement.moduleSpecifier) continue
    const from = posix.join(posix.dirname(file), (statement.moduleSpecifier as ts.StringLiteral).text)
    if (ts.isNamedExports(statement.exportClause)) {
      for (const each of statement.exportClause.elements) yield [prefix + each.name.text, declaredIn(root, from, (each.propertyName ?? each.name).text)]
    } else {
      yield [statement.exportClause.name.text, { own: examplesAt(statement), ofMembers: [] }]
      yield* namesOf(root, from, `${statement.exportClause.name.text}.`)
    }
  }
}

/** The examples of what `file` exports as `name`, whatever it is called there. */
function declaredIn(root: string, file: string, name: string): Examples {
  const { statements } = parse(root, file)
  const lists = statements.filter(ts.isExportDeclaration).filter(({ moduleSpecifier }) => !moduleSpecifier)
  const list = lists.find(({ exportClause }) => exportClause && ts.isNamedExports(exportClause) && exportClause.elements.some(each => each.name.text === name))
  const listed = list && (list.exportClause as ts.NamedExports).elements.find(each => each.name.text === name)
  const inside = (listed?.propertyName ?? listed?.name)?.text ?? name
  const declared = statements.filter(statement => namedBy(statement).includes(inside))
  const own = declared.flatMap(examplesAt)
  const ofMembers = declared.flatMap(each => (ts.isClassDeclaration(each) || ts.isInterfaceDeclaration(each) ? each.members.flatMap<string>(examplesAt) : []))
  return { own: own.length === 0 && list ? examplesAt(list) : own, ofMembers }
}

function namedBy(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.map(each => each.name.getText())
  const { name } = statement as ts.DeclarationStatement
  return name ? [name.getText()] : []
}

const examplesAt = (node: ts.Node): string[] =>
  ts
    .getJSDocCommentsAndTags(node)
    .flatMap(doc => (ts.isJSDoc(doc) ? [...(doc.tags ?? [])] : []))
    .filter(tag => tag.tagName.text === 'example')
    .map(tag => ts.getTextOfJSDocComment(tag.comment) ?? '')
