import { posix } from 'node:path'
import ts from 'typescript-5.9'
import { parse, type Tree } from './sources.ts'

/** The public names of one door; a class stands among the values. */
export interface Names {
  readonly values: readonly string[]
  readonly types: readonly string[]
}

export type Doors = Readonly<Record<string, Names>>

/** The doors and their files. */
export const entries = {
  patchcord: 'src/index.ts',
  'patchcord/history': 'src/history/index.ts',
  'patchcord/push': 'src/push/index.ts',
  'patchcord/changes': 'src/changes/index.ts',
  'patchcord/tabs': 'src/tabs/index.ts',
  'patchcord/persist': 'src/persist/index.ts',
  'patchcord/outbox': 'src/outbox/index.ts',
  'patchcord/devtools': 'src/devtools/index.ts',
  'patchcord/solid': 'bindings/solid/index.ts',
  'patchcord/preact': 'bindings/preact/index.ts',
  'patchcord/testing': 'src/testing/index.ts',
}

/** The list to compare with, from the root. */
export const frozenFile = 'test/house/doors.json'

/** What every door of a tree gives away. */
export function readDoors(tree: Tree): Doors {
  return Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, namesOf(tree, file)]))
}

function namesOf(tree: Tree, file: string, prefix = ''): Names {
  const values: string[] = []
  const types: string[] = []
  for (const statement of parse(tree, file).statements) {
    if (ts.isExportDeclaration(statement) && statement.exportClause) {
      const clause = statement.exportClause
      if (ts.isNamedExports(clause)) {
        for (const each of clause.elements) (statement.isTypeOnly || each.isTypeOnly ? types : values).push(prefix + each.name.text)
      } else if (statement.moduleSpecifier && ts.isStringLiteral(statement.moduleSpecifier)) {
        // `export * as schema`: its members are as public as the name itself.
        const inner = posix.join(posix.dirname(file), statement.moduleSpecifier.text)
        const members = namesOf(tree, inner, `${prefix}${clause.name.text}.`)
        values.push(prefix + clause.name.text, ...members.values)
        types.push(...members.types)
      }
    } else if (isExported(statement)) {
      const list = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement) ? types : values
      list.push(...declaredNames(statement).map((name) => prefix + name))
    }
  }
  return { values: values.sort(), types: types.sort() }
}

function isExported(statement: ts.Statement): boolean {
  if (!ts.canHaveModifiers(statement)) return false
  return ts.getModifiers(statement)?.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword) ?? false
}

function declaredNames(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.map((each) => each.name.getText())
  const { name } = statement as ts.DeclarationStatement
  return name ? [name.getText()] : []
}

/** How the doors differ from the frozen list, a sentence each. */
export function doorFaults(frozen: Doors, found: Doors): string[] {
  const faults: string[] = []
  for (const door of new Set([...Object.keys(frozen), ...Object.keys(found)])) {
    for (const kind of ['values', 'types'] as const) {
      const before = frozen[door]?.[kind] ?? []
      const now = found[door]?.[kind] ?? []
      const word = kind === 'values' ? 'value' : 'type'
      for (const name of now) if (!before.includes(name)) faults.push(`${door} has a new ${word} ${name}. ${remedy}`)
      for (const name of before) if (!now.includes(name)) faults.push(`${door} has lost its ${word} ${name}. ${remedy}`)
    }
  }
  return faults
}

const remedy = 'If that is meant, run npm run doors:update and say so in CHANGELOG.md.'
