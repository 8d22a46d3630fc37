import { posix } from 'node:path'
import ts from 'typescript-5.9'
import { parse, visit } from './sources.ts'

export interface Import {
  /** As it is written. */
  readonly specifier: string
  /** The file it names, from the root; undefined for packages. */
  readonly file: string | undefined
  /** Gone after compilation. */
  readonly typeOnly: boolean
}

/** Everything a file imports or re-exports, types and dynamic imports included. */
export function importsOf(root: string, file: string): Import[] {
  const found: Import[] = []
  const add = (node: ts.Node | undefined, typeOnly: boolean): void => {
    if (!node || !ts.isStringLiteralLike(node)) return
    const specifier = node.text
    const relative = specifier.startsWith('.')
    found.push({ specifier, file: relative ? posix.join(posix.dirname(file), specifier) : undefined, typeOnly })
  }
  visit(parse(root, file), (node) => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, node.importClause?.isTypeOnly === true)
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly)
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, true)
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) add(node.arguments[0], false)
  })
  return found
}
