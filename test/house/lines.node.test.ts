import ts from 'typescript-5.9'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { lines } from './gates.ts'
import { filesBelow, parse, projectRoot, readText } from './sources.ts'

const test = suite('code lines')
const { countCodeLines } = lines

/** Code that looks as if a comment began in it; after it one does. */
const hidden = [
  `const a = '/*'`, `const a = "it's // here /*"`, 'const a = `/* ${b ? `// ${c}` : "/*"}`',
  'const a = /[/*]/.test(b)', `call(/'/, /\\/\\*/)`, 'return /"/g', 'const a = b / 2 /* half\n of it */',
].map((code) => [`${code}\n/* a comment\n${'still\n'.repeat(3)}*/\nconst z = 'end' // '\n`, 2] as const)

for (const [title, ...counts] of [
  ['blank lines do not count', ['', 0], ['const a = 1\n\n  \nconst b = 2\n', 2], ['function a() {\n  return\n}\n', 3]],
  ['comments do not count', ['// one\n/* two\n   three */\n/** four */\nconst a = 1 // five\n', 1], ['const a = /* one\n two */ 1\n', 2]],
  ['a quote in a comment starts no string', ["// it's one\nconst a = 1\n/* don't ` */\nconst b = 2\n// `\n", 2]],
  ['a comment sign in a string, a template or a regular expression starts no comment', ...hidden],
] as const) {
  test(title, () => {
    for (const [code, lines] of counts) assert.is(countCodeLines(code), lines, code)
  })
}

/** Lines on which the compiler finds a token. */
function tokenLines(file: string): number {
  const source = parse(projectRoot, file)
  const found = new Set<number>()
  const see = (node: ts.Node): void => {
    if (node.kind >= ts.SyntaxKind.FirstJSDocNode && node.kind <= ts.SyntaxKind.LastJSDocNode) return
    const children = node.getChildren(source)
    children.forEach(see)
    if (children.length > 0 || node.getEnd() === node.getStart(source)) return
    const [from, to] = [node.getStart(source), node.getEnd()].map((position) => source.getLineAndCharacterOfPosition(position).line)
    for (let line = from!; line <= to!; line++) found.add(line)
  }
  see(source)
  return found.size
}

test('agrees with the compiler about every source', () => {
  const files = ['src', 'bindings'].flatMap((folder) => filesBelow(projectRoot, folder, '.ts'))
  assert.ok(files.length > 50)
  for (const file of files) assert.is(countCodeLines(readText(projectRoot, file)), tokenLines(file), file)
})

test('the suites have at most 30,000 code lines, with what they share', () => {
  const folders = ['browser', 'contract', 'faults', 'hostile', 'house', 'laws', 'support', 'types']
  const files = folders.flatMap((folder) => ['.ts', '.tsx', '.mjs'].flatMap((ending) => filesBelow(projectRoot, `test/${folder}`, ending)))
  const found = files.reduce((sum, file) => sum + countCodeLines(readText(projectRoot, file)), 0)
  assert.ok(found > 10_000)
  assert.ok(found <= 30_000, `${found}: look for what is checked twice, and for tests that differ only in their data`)
})

test.run()
