import { spawnSync } from 'node:child_process'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { written } from './compiler.ts'
import { examplesOf } from './readme.ts'
import { projectRoot, readText } from './sources.ts'

const test = suite('README')

const readme = readText(projectRoot, 'README.md')
const examples = examplesOf(readme)

test('opens with an example of about 20 lines that runs', () => {
  const first = examples[0]
  assert.ok(first && first.line < 15)
  const lines = first.code.trim().split('\n').length
  assert.ok(lines >= 15 && lines <= 25, `it has ${lines} lines`)
  assert.type(first.prints, 'string')
})

for (const { line, code, prints } of examples) {
  test(`the example at line ${line} prints what it says`, () => {
    // Below the project, so that the package's own name leads to its doors.
    const file = written(`readme/line-${line}.mjs`, code)
    const { status, stdout, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8', timeout: 20_000, env: { ...process.env, FORCE_COLOR: '0' } })
    assert.is(stderr, '')
    assert.is(status, 0)
    if (prints !== undefined) assert.is(stdout, prints)
  })
}

test('names the two commands', () => {
  for (const command of ['npm ci && npm start', 'npm ci && npm test']) assert.ok(readme.includes(`\n${command}\n`), command)
})

test.run()
