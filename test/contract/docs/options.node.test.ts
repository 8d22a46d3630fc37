import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript-5.9'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parse, projectRoot, readText } from '../../house/sources.ts'

/** Every option must be in a guide: nobody finds an option that no guide names. */
const test = suite('options in the guides')

const documented = [
  ['src/endpoint/types.ts', 'EndpointOptions'],
  ['src/rest/types.ts', 'RestOptions'],
  ['src/rest/createResource.ts', 'ResourceOptions'],
  ['src/schema/Collection.ts', 'CollectionOptions'],
  ['src/schema/EntityMixin.ts', 'MixinOptions'],
  ['src/controller/Controller.ts', 'ControllerOptions'],
  ['src/network/network.ts', 'RetryOptions'],
  ['src/controller/garbage.ts', 'GcOptions'],
  ['src/network/Manager.ts', 'Manager'],
  ['src/testing/mockFetch.ts', 'Fixture'],
] as const

/** The prose of all guides, by what stands in it as code. */
const code = readdirSync(join(projectRoot, 'docs'))
  .filter(name => name.endsWith('.md'))
  .map(name => readText(projectRoot, `docs/${name}`).replace(/^```[\s\S]*?^```$/gm, ''))
  .flatMap(prose => prose.match(/`[^`\n]+`/g) ?? [])
  .join(' ')

function namesOf(file: string, name: string): string[] {
  const found = parse(projectRoot, file).statements.find((each): each is ts.InterfaceDeclaration => ts.isInterfaceDeclaration(each) && each.name.text === name)
  return found!.members.map(member => (member.name as ts.Identifier).text)
}

for (const [file, name] of documented) {
  test(`each of ${name} is named`, () => {
    assert.equal(namesOf(file, name).filter(option => !new RegExp(`\\b${option}\\b`).test(code)), [])
  })
}

test.run()
