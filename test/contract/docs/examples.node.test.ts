import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import ts from 'typescript-5.9'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { historyOf, type History } from '../../../src/history/index.ts'
import type { Controller } from '../../../src/index.ts'
import type { MockFetch } from '../../../src/testing/index.ts'
import { readDoors } from '../../house/doors.ts'
import { projectRoot } from '../../house/sources.ts'
import * as prelude from './prelude.ts'
import { docs, importsOf, programs, type Program } from './programs.ts'

/** An example is the body of a function. */
const test = suite('examples of the JSDoc')
const folder = join(projectRoot, 'build/docs/jsdoc')

const given = 'controller: Controller, fetch: typeof globalThis.fetch, document: Document, localStorage: Storage, history: GivenHistory'

function moduleOf(program: Program, files: Readonly<Record<string, string>>): string {
  const { door, code } = program
  // What a comment says of a type must be that type.
  const checks = [...code.matchAll(/^type (\w+) = .* \/\/ (.+)$/gm)].map(([, name, type]) => `type Is${name} = Expect<Equal<${name}, ${type}>>`)
  return `${door === 'patchcord/solid' ? '/** @jsxImportSource solid-js */\n' : ''}${importsOf(program, files)}
type GivenHistory = import('${files['patchcord/history']}').History
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
  const doors = readDoors(projectRoot)
  const names = Object.entries(doors).flatMap(([door, { values, types }]) => [...values, ...types].map(name => `${door} ${name}`))
  assert.equal(docs.map(({ door, name }) => `${door} ${name}`).sort(), names.sort())
  assert.equal(docs.filter(({ own }) => own.length === 0).map(({ door, name }) => `${door} ${name}`), [])
})

test('compile under strict settings, and types are what comments say', () => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const root = '../../..'
  const doors = { patchcord: `${root}/src/index.ts`, 'patchcord/history': `${root}/src/history/index.ts`, 'patchcord/push': `${root}/src/push/index.ts`, 'patchcord/changes': `${root}/src/changes/index.ts`, 'patchcord/tabs': `${root}/src/tabs/index.ts`, 'patchcord/persist': `${root}/src/persist/index.ts`, 'patchcord/outbox': `${root}/src/outbox/index.ts`, 'patchcord/devtools': `${root}/src/devtools/index.ts`, 'patchcord/solid': `${root}/bindings/solid/index.ts`, 'patchcord/preact': `${root}/bindings/preact/index.ts`, 'patchcord/testing': `${root}/src/testing/index.ts`, prelude: `${root}/test/contract/docs/prelude.ts` }
  const files = programs.map(program => {
    const file = join(folder, `${program.file}.${program.isPage ? 'tsx' : 'ts'}`)
    writeFileSync(file, moduleOf(program, doors))
    return file
  })
  const flags = '--ignoreConfig --pretty false --noEmit --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --noImplicitOverride --noPropertyAccessFromIndexSignature --skipLibCheck --allowImportingTsExtensions --target es2022 --lib es2023,dom,dom.iterable,esnext.disposable --types node --module nodenext --jsx react-jsx --jsxImportSource preact'
  const { stdout } = spawnSync(process.execPath, [join(projectRoot, 'node_modules/typescript/bin/tsc'), ...flags.split(' '), ...files], { encoding: 'utf8', cwd: projectRoot, env: { ...process.env, FORCE_COLOR: '0' } })
  assert.equal(stdout.split('\n').filter(line => line.includes('jsdoc')), [])
})

const { fetch: platform } = globalThis
test.after.each(() => void (globalThis.fetch = platform))

// Node has none, and no example waits for a message.
const quiet = class { close(): void {} }
test.before(() => void Object.assign(globalThis, { EventSource: (globalThis as { EventSource?: unknown }).EventSource ?? quiet }))
test.after(() => void ((globalThis as { EventSource?: unknown }).EventSource === quiet && Reflect.deleteProperty(globalThis, 'EventSource')))

for (const program of programs.filter(({ isPage }) => !isPage)) {
  test(`${program.door} ${program.name} runs`, async () => {
    const url = (path: string): string => new URL(path, import.meta.url).href
    const source = ts.transpileModule(moduleOf(program, { patchcord: url('../../../src/index.js'), 'patchcord/history': url('../../../src/history/index.js'), 'patchcord/push': url('../../../src/push/index.js'), 'patchcord/changes': url('../../../src/changes/index.js'), 'patchcord/tabs': url('../../../src/tabs/index.js'), 'patchcord/persist': url('../../../src/persist/index.js'), 'patchcord/outbox': url('../../../src/outbox/index.js'), 'patchcord/devtools': url('../../../src/devtools/index.js'), 'patchcord/testing': url('../../../src/testing/index.js'), prelude: url('./prelude.js') }), {
      compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
    })
    const file = join(folder, `${program.file}-${process.pid}.mjs`)
    writeFileSync(file, source.outputText)
    const { default: run } = (await import(file)) as { default(controller: Controller, fetch: MockFetch, document: object, localStorage: object, history: History): Promise<void> }
    const network = prelude.network()
    globalThis.fetch = network as typeof fetch
    const controller = prelude.makeController(network)
    const saved = JSON.stringify(prelude.savedState)
    const printed: string[] = []
    const { log } = console
    console.log = (...words: unknown[]) => void printed.push(words.map(word => (typeof word === 'string' ? word : inspect(word))).join(' '))
    try {
      await controller.fetch(prelude.TodoResource.getList)
      await run(controller, network, { getElementById: () => ({ textContent: saved }) }, { getItem: () => saved, setItem() {} }, historyOf(controller))
    } finally {
      console.log = log
      controller.dispose()
    }
    const comments = [...program.code.matchAll(/console\.log\(.*\).*? \/\/ (.+)$/gm)].map(([, words]) => words!)
    if (comments.length > 0) assert.equal(printed, comments)
  })
}

test.run()
