import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import ts from 'typescript-5.9'
import { filesBelow, parse, projectRoot } from '../../house/sources.ts'

const test = suite('what the bindings take of their frameworks')

/** The values that the files of a binding import from packages, as `package name`, by file. */
function taken(binding: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const file of filesBelow(projectRoot, `bindings/${binding}`, '.ts')) {
    const names: string[] = []
    for (const statement of parse(projectRoot, file).statements) {
      const isImport = ts.isImportDeclaration(statement)
      if (!isImport && !ts.isExportDeclaration(statement)) continue
      const from = statement.moduleSpecifier
      const clause = isImport ? statement.importClause : statement
      if (from === undefined || !ts.isStringLiteral(from) || from.text.startsWith('.') || clause?.isTypeOnly) continue
      const list = isImport ? statement.importClause?.namedBindings : statement.exportClause
      assert.ok(list && (ts.isNamedImports(list) || ts.isNamedExports(list)), `${file} names what it takes from ${from.text}`)
      for (const { name, propertyName, isTypeOnly } of list.elements) if (!isTypeOnly) names.push(`${from.text} ${(propertyName ?? name).text}`)
    }
    found.set(file.slice(file.lastIndexOf('/') + 1), names)
  }
  return found
}

test("Solid's reactive core is touched by one file: another core needs another of that", () => {
  const all = taken('solid')
  assert.ok(all.get('reactive.ts')!.includes('solid-js createResource'))
  all.delete('reactive.ts')
  const structure = ['solid-js createComponent', 'solid-js createContext', 'solid-js useContext']
  assert.equal([...new Set([...all.values()].flat())].sort(), structure)
})

test('Preact is taken without preact/compat', () => {
  const packages = new Set([...taken('preact').values()].flat().map(each => each.split(' ')[0]))
  assert.equal([...packages].sort(), ['@preact/signals', 'preact', 'preact/hooks'])
})

test.run()
