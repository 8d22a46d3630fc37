import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { words } from './gates.ts'

const test = suite('words and type names')
const { WORDS, twiceDeclared, wordFaults } = words

/** The words of one kind. They are not written out here: this file is checked as well. */
const of = (kind: string): string[] => WORDS.filter((entry) => entry.in === kind).map(({ word }) => word)
const capital = (word: string): string => word[0]!.toUpperCase() + word.slice(1)

test('a word is found in a sentence, at its beginning, and as a part of a name', () => {
  for (const word of of('text')) {
    for (const text of [`is ${word} here`, `${capital(word)} so`, `"${word}"`]) assert.is(wordFaults('docs/a.md', `one\n${text}\n`).length, 1, text)
    if (word.includes(' ')) continue
    for (const name of [`${word}Of`, `is${capital(word)}`, `#${word}`, word.toUpperCase()]) assert.is(wordFaults('src/a.ts', `const a = { ${name}: 1 }\n`).length, 1, name)
  }
})

test('the sentence names the line and the plain word', () => {
  const { plain, word } = WORDS.find((entry) => entry.in === 'text')!
  assert.equal(wordFaults('docs/a.md', `one\ntwo ${word}\n`), [`docs/a.md:2 has "${word}": use ${plain}.`])
})

test('a longer word that begins with one is another word', () => {
  assert.equal(wordFaults('docs/a.md', 'placeholder, foretold, householder, sinking, of courses\n'), [])
})

test('a word that plain English needs is found only where it is declared as a name', () => {
  for (const word of [...of('name'), ...of('whole name')]) {
    for (const code of [`const ${word} = 1`, `let f = (${word}: number) => 1`, `class A { ${word} = 1 }`, `interface A { ${word}: 1 }`, `function ${word}() {}`, `const { ${word} } = a`]) {
      assert.is(wordFaults('src/a.ts', code).length, 1, code)
    }
    for (const code of [`// ${word} it`, `const a = '${word}'`, `const [a, ...${word}] = b`, `const { a, ...${word} } = b`]) assert.equal(wordFaults('src/a.ts', code), [], code)
  }
})

test('a name may have some of these words as a part', () => {
  for (const word of of('name')) assert.is(wordFaults('src/a.ts', `const is${capital(word)} = 1`).length, 1, word)
  for (const word of of('whole name')) assert.equal(wordFaults('src/a.ts', `const is${capital(word)} = 1`), [], word)
})

test('a type with a name that was given up is found', () => {
  for (const word of of('type')) {
    for (const code of [`interface ${word} {}`, `type ${word} = 1`, `class ${word} {}`, `enum ${word} {}`]) assert.is(wordFaults('src/a.ts', code).length, 1, code)
    assert.equal(wordFaults('src/a.ts', `const a = new ${word}()`), [], word)
  }
})

test('a type name in two files is found, also when one file does not export it', () => {
  const sentence = 'Part is declared in src/a.ts and bindings/solid/b.ts: give each its own name, or share one.'
  assert.equal(twiceDeclared([['src/a.ts', 'type Part = 1'], ['bindings/solid/b.ts', 'export interface Part {}']]), [sentence])
  assert.equal(twiceDeclared([['src/a.ts', 'export class Part {}\nexport interface Part { a: 1 }']]), [])
  assert.equal(twiceDeclared([['src/a.ts', 'type Part = 1'], ['src/b.ts', "import type { Part } from './a.ts'\nexport const part: Part = 1"]]), [])
})

test('the bindings may have the same public names, and no other', () => {
  const pair = [['bindings/solid/a.ts', 'export type Props = 1'], ['bindings/preact/a.ts', 'export type Props = 2']] as const
  const doors = [['bindings/solid/index.ts', "export type { Props } from './a.ts'"], ['bindings/preact/index.ts', "export { a, type Props } from './a.ts'"]] as const
  assert.equal(twiceDeclared([...pair, ...doors]), [])
  assert.is(twiceDeclared(pair).length, 1)
  assert.is(twiceDeclared([...pair, doors[0]]).length, 1)
  assert.is(twiceDeclared([...pair, ...doors, ['src/a.ts', 'type Props = 3']]).length, 1)
})

test.run()
