import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import ts from 'typescript-5.9'
import { parse, projectRoot, readText, sourceFiles, visit } from '../house/sources.ts'
import { slowness } from './expression.ts'

const test = suite('what comes along')

/** Applied only to what the application's own source says, never to what comes from outside. */
const trusted: { readonly [expression: string]: string } = {
  '/[^.]*$/': 'the name of an endpoint',
  '/[{/]+$/': 'the template of a path',
}

function expressions(): [file: string, text: string][] {
  const found: [string, string][] = []
  for (const file of sourceFiles(projectRoot)) {
    visit(parse(projectRoot, file), (node) => {
      if (node.kind === ts.SyntaxKind.RegularExpressionLiteral) found.push([file, node.getText()])
      // An expression that is assembled while the program runs cannot be judged here.
      if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp') found.push([file, 'RegExp()'])
    })
  }
  return found
}

const compiled = (text: string): RegExp => {
  const end = text.lastIndexOf('/')
  return new RegExp(text.slice(1, end), text.slice(end + 1))
}

test('every regular expression of the library is linear in what it is given', () => {
  const all = expressions()
  assert.ok(all.length > 15, `${all.length} found`)
  assert.equal(all.filter(([, text]) => text === 'RegExp()'), [])
  const slow = all.filter(([, text]) => slowness(compiled(text)).length > 0)
  assert.equal(slow.map(([, text]) => text).sort(), Object.keys(trusted).sort())
})

const judged: [RegExp, string[]][] = [
  [/^(a+)+$/, ['a loop over a group', 'a loop in a loop']],
  [/^(a|aa)*$/, ['a loop over a group']],
  [/^(\w+\s?)*$/, ['a loop over a group', 'a loop in a loop']],
  [/^(a*){2,3}$/, ['a loop in a loop']],
  [/^\d+\d*x$/, ['two loops for one character']],
  [/^.*,.*$/, ['two loops for one character']],
  [/^(\s+|x)\s*$/, ['two loops for one character']],
  [/\s+$/, ['a loop that may begin anywhere']],
  [/a[ab]*c/, ['a loop that may begin anywhere']],
  [/^x|y*z/, ['a loop that may begin anywhere']],
  [/^[a-z]+, .+ gmt$/i, []],
  [/^[^;]*[/+]json\b/, []],
  [/\bthis\s*\.\s*#[\w$]/, []],
  [/([:*])([a-z_]\w*)(\??)|[^]/gi, []],
  [/^(a|b){1,2}$/, []],
]
for (const [expression, expected] of judged) {
  test(`${String(expression)} is ${expected.length === 0 ? 'linear' : expected.join(' and ')}`, () => {
    assert.equal(slowness(expression).sort(), [...expected].sort())
  })
}

test('README says of every package that comes along why it does, and there is no other', () => {
  const { dependencies } = JSON.parse(readText(projectRoot, 'package.json')) as { dependencies: { [name: string]: string } }
  const reasons = /^Two packages come along\. .*$/m.exec(readText(projectRoot, 'README.md'))?.[0] ?? ''
  assert.equal(Object.keys(dependencies).sort(), ['@preact/signals-core', 'immer'])
  for (const name of Object.keys(dependencies)) assert.match(reasons, new RegExp(`\`${name}\`( \\([^)]*\\))? (gives|carries) `))
  const { packages } = JSON.parse(readText(projectRoot, 'package-lock.json')) as { packages: { [path: string]: { dependencies?: object; hasInstallScript?: boolean } } }
  for (const name of Object.keys(dependencies)) {
    const { dependencies: further, hasInstallScript } = packages[`node_modules/${name}`]!
    assert.equal([further, hasInstallScript], [undefined, undefined], `${name} brings nothing and runs nothing`)
  }
})

test.run()
