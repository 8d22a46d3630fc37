import { posix } from 'node:path'
import ts from 'typescript-5.9'
import { parse, visit, type Tree } from './sources.ts'

export interface Import {
  /** As it is written. */
  readonly specifier: string
  /** The file it names, from the root; undefined for packages. */
  readonly file: string | undefined
  /** Gone after compilation. */
  readonly typeOnly: boolean
}

/** Everything a file imports or re-exports, types and dynamic imports included. */
export function importsOf(tree: Tree, file: string): readonly Import[] {
  const source = parse(tree, file)
  const known = imports.get(source) ?? findImports(source, file)
  imports.set(source, known)
  return known
}

const imports = new WeakMap<ts.SourceFile, readonly Import[]>()

function findImports(source: ts.SourceFile, file: string): readonly Import[] {
  const found: Import[] = []
  const add = (node: ts.Node | undefined, typeOnly: boolean): void => {
    if (!node || !ts.isStringLiteralLike(node)) return
    const specifier = node.text
    const relative = specifier.startsWith('.')
    found.push({ specifier, file: relative ? posix.join(posix.dirname(file), specifier) : undefined, typeOnly })
  }
  visit(source, (node) => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, node.importClause?.isTypeOnly === true)
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly)
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, true)
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) add(node.arguments[0], false)
  })
  return found
}
