import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { written } from './compiler.ts'
import { projectRoot, readText } from './sources.ts'

const test = suite('the version of Node')

const script = join(projectRoot, '.ci/node.cjs')
const { objection } = createRequire(import.meta.url)(script) as { objection(version: string, range: string): string | undefined }

test('is compared number by number', () => {
  const sentence = 'patchcord needs Node 20.19 or newer, and this is Node 18.19.1.'
  assert.is(objection('18.19.1', '>=20.19'), `${sentence} Install a current one from https://nodejs.org and run the command again.`)
  for (const version of ['20.19.0', '20.20.2', '22.0.0', '100.1.0']) assert.is(objection(version, '>=20.19'), undefined, version)
  for (const version of ['20.18.9', '18.20.0', '9.99.0', '0.12.0']) assert.type(objection(version, '>=20.19'), 'string', version)
})

test('when too old gets one sentence from every script, and nothing is run', () => {
  // Stands in for an old Node: the number is all that the script looks at.
  const old = written('planted/old.cjs', "Object.defineProperty(process.versions, 'node', { value: '18.19.1' })\n")
  const { status, stderr } = spawnSync(process.execPath, ['-r', old, script], { encoding: 'utf8' })
  assert.is(status, 1)
  assert.is(stderr, `${objection('18.19.1', '>=20.19')}\n`)
  const { scripts } = JSON.parse(readText(projectRoot, 'package.json')) as { scripts: Record<string, string> }
  assert.equal(Object.values(scripts).filter((command) => !command.startsWith('node .ci/node.cjs && ')), [])
})

test.run()
