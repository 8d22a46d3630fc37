import ts from 'typescript-5.9'
import { filesBelow, parse, readText } from './sources.ts'

const ceiling = 300
/** Names that say where something was put and not what it does. */
const vague = /(^|\/)(utils?|helpers?|common|misc|shared)(\/|\.)/i

/** Files that are too long, vaguely named, or export otherwise than by name. */
export function shapeFaults(root: string): string[] {
  const faults: string[] = []
  for (const file of [...filesBelow(root, 'src', '.ts'), ...filesBelow(root, 'bindings', '.ts')]) {
    const lines = readText(root, file).trimEnd().split('\n').length
    if (lines > ceiling) faults.push(`${file} has ${lines} lines; past ${ceiling} it is two files.`)
    if (vague.test(file)) faults.push(`${file} does not say in its name what it does.`)
    for (const statement of parse(root, file).statements) {
      const fault = exportFault(statement)
      if (fault) faults.push(`${file} ${fault}`)
    }
  }
  return faults
}

function exportFault(statement: ts.Statement): string | undefined {
  if (ts.isExportAssignment(statement)) return 'has a default export; export by name.'
  if (ts.isExportDeclaration(statement) && !statement.exportClause) return 'exports everything of another file; list the names.'
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined
  const isDefault = modifiers?.some((modifier) => modifier.kind === ts.SyntaxKind.DefaultKeyword)
  return isDefault ? 'has a default export; export by name.' : undefined
}

/** Test files that do not end in `.run()`: uvu would add their tests to the next file, or lose them. */
export function suiteFaults(root: string): string[] {
  return filesBelow(root, 'test', '.test.ts')
    .filter((file) => !/^\w+\.run\(\)\s*$/m.test(readText(root, file).trimEnd().split('\n').at(-1) ?? ''))
    .map((file) => `${file} does not end in .run(), so its tests would run elsewhere or not at all.`)
}

/** Places in emitted declarations where `any` is spelled out. */
export function anyFaults(root: string, folder: string = 'dist/types'): string[] {
  return filesBelow(root, folder, '.d.ts').flatMap((file) => {
    const source = parse(root, file)
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
