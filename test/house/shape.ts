import ts from 'typescript-5.9'
import { filesBelow, parse, readText, sourceFiles, type Tree } from './sources.ts'

/** Names that say where something was put and not what it does. */
const vague = /(^|\/)(utils?|helpers?|common|misc|shared)(\/|\.)/i

/** Files that are vaguely named, or export what they do not name. The linter finds default exports. */
export function shapeFaults(tree: Tree): string[] {
  const files = sourceFiles(tree)
  const exportsAll = (file: string): boolean => parse(tree, file).statements.some((each) => ts.isExportDeclaration(each) && !each.exportClause)
  return [
    ...files.filter((file) => vague.test(file)).map((file) => `${file} does not say in its name what it does.`),
    ...files.filter(exportsAll).map((file) => `${file} exports everything of another file; list the names.`),
  ]
}

/** Test files that do not end in `.run()`: uvu would add their tests to the next file, or lose them. */
export function suiteFaults(tree: Tree): string[] {
  return filesBelow(tree, 'test', '.test.ts')
    .filter((file) => !/^\w+\.run\(\)\s*$/m.test(readText(tree, file).trimEnd().split('\n').at(-1) ?? ''))
    .map((file) => `${file} does not end in .run(), so its tests would run elsewhere or not at all.`)
}

/** Lines of emitted declarations where `any` is spelled out. */
export function anyFaults(tree: Tree, folder: string = 'dist/types'): string[] {
  return filesBelow(tree, folder, '.d.ts').flatMap((file) => {
    const source = parse(tree, file)
    const faults: string[] = []
    const look = (node: ts.Node): void => {
      if (node.kind === ts.SyntaxKind.AnyKeyword && !isConstraint(node)) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart())
        faults.push(`${file}:${line + 1} has an any in a public type: ${node.parent.getText().replace(/\s+/g, ' ').slice(0, 80)}`)
      }
      node.forEachChild(look)
    }
    look(source)
    return faults
  })
}

/**
 * A constraint may say `any` where nothing else means "whatever it is": what follows `extends` is only
 * matched, and never the type of a value that a user gets.
 */
function isConstraint(node: ts.Node): boolean {
  for (let child = node, parent = node.parent; parent; child = parent, parent = parent.parent) {
    if (ts.isTypeParameterDeclaration(parent) && parent.constraint === child) return true
    if (ts.isConditionalTypeNode(parent) && parent.extendsType === child) return true
  }
  return false
}
