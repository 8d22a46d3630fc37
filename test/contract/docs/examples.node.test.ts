import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { historyOf, type History } from '../../../src/history/index.ts'
import type { Controller } from '../../../src/index.ts'
import type { MockFetch } from '../../../src/testing/index.ts'
import { compile, written } from '../../house/compiler.ts'
import { readDoors } from '../../house/doors.ts'
import { projectRoot } from '../../house/sources.ts'
import { modules, printed, sources, transpile } from './compiling.ts'
import * as prelude from './prelude.ts'
import { docs, importsOf, programs, type Program } from './programs.ts'

/** An example is the body of a function. */
const test = suite('examples of the JSDoc')

const given = 'controller: Controller, fetch: typeof globalThis.fetch, document: Document, localStorage: Storage, history: GivenHistory'
type Run = (controller: Controller, fetch: MockFetch, document: object, localStorage: object, history: History) => Promise<void>

function moduleOf(program: Program, doors: typeof sources): string {
  const { door, code } = program
  // What a comment says of a type must be that type.
  const checks = [...code.matchAll(/^type (\w+) = .* \/\/ (.+)$/gm)].map(([, name, type]) => `type Is${name} = Expect<Equal<${name}, ${type}>>`)
  return `${door === 'patchcord/solid' ? '/** @jsxImportSource solid-js */\n' : ''}${importsOf(program, doors)}
type GivenHistory = import('${doors['patchcord/history']}').History
type Expect<T extends true> = T
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
declare const App: () => null, Login: () => null, Todos: () => null
export default async function (${given}): Promise<unknown> {
  {
${[code, ...checks].join('\n')}
  }
  return undefined
}
`
}

test('every public name has one', () => {
  const names = Object.entries(readDoors(projectRoot)).flatMap(([door, { values, types }]) => [...values, ...types].map(name => `${door} ${name}`))
  assert.equal(docs.map(({ door, name }) => `${door} ${name}`).sort(), names.sort())
  assert.equal(docs.filter(({ own }) => own.length === 0).map(({ door, name }) => `${door} ${name}`), [])
})

test('compile under strict settings, and types are what comments say', () => {
  rmSync(join(projectRoot, 'build/docs/jsdoc'), { recursive: true, force: true })
  const files = programs.map(program => written(`docs/jsdoc/${program.file}.${program.isPage ? 'tsx' : 'ts'}`, moduleOf(program, sources)))
  const output = compile(files, '--noPropertyAccessFromIndexSignature --types node --jsx react-jsx --jsxImportSource preact')
  assert.equal(output.split('\n').filter(line => line.includes('jsdoc')), [])
})

const { fetch: platform } = globalThis
test.after.each(() => void (globalThis.fetch = platform))

// Node has none, and no example waits for a message.
const quiet = class { close(): void {} }
test.before(() => void Object.assign(globalThis, { EventSource: (globalThis as { EventSource?: unknown }).EventSource ?? quiet }))
test.after(() => void ((globalThis as { EventSource?: unknown }).EventSource === quiet && Reflect.deleteProperty(globalThis, 'EventSource')))

for (const program of programs.filter(({ isPage }) => !isPage)) {
  test(`${program.door} ${program.name} runs`, async () => {
    const file = written(`docs/jsdoc/${program.file}-${process.pid}.mjs`, transpile(moduleOf(program, modules)))
    const { default: run } = (await import(file)) as { default: Run }
    const network = prelude.network()
    globalThis.fetch = network as typeof fetch
    using controller = prelude.makeController(network)
    const saved = JSON.stringify(prelude.savedState)
    const lines = await printed(async () => {
      await controller.fetch(prelude.TodoResource.getList)
      await run(controller, network, { getElementById: () => ({ textContent: saved }) }, { getItem: () => saved, setItem() {} }, historyOf(controller))
    })
    const comments = [...program.code.matchAll(/console\.log\(.*\).*? \/\/ (.+)$/gm)].map(([, words]) => words!)
    if (comments.length > 0) assert.equal(lines, comments)
  })
}

test.run()
