import { basename, join } from 'node:path'
import { nodeResolve } from '@rollup/plugin-node-resolve'
import { rollup } from 'rollup'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createConsumer } from './consumer.ts'
import type { Consumer } from './consumer.ts'
import { examplesOf } from './readme.ts'
import { filesBelow, projectRoot, readText } from './sources.ts'

const test = suite('a project that has installed the package')

const readme = examplesOf(readText(projectRoot, 'README.md'))

let consumer: Consumer
test.before(() => {
  consumer = createConsumer()
  consumer.write('main.ts', program)
  for (const [n, { code }] of readme.entries()) consumer.write(`readme-${n}.ts`, code)
  consumer.write('wrong.ts', `${program}\ncreateClock('noon')\n`)
  consumer.write('library.ts', library)
  for (const file of [...typeSuites, 'test/types/expect.ts', 'test/types/todos.ts']) {
    consumer.write(basename(file), installedDoors(readText(projectRoot, file)))
  }
})
test.after(() => consumer.remove())

/** Every door, as values and as types. */
const program = `
import { Controller, PatchcordError, ProviderError } from 'patchcord'
import type { Clock } from 'patchcord'
import { createHistory } from 'patchcord/history'
import type { History } from 'patchcord/history'
import { connect as push } from 'patchcord/push'
import type { PushConnection } from 'patchcord/push'
import type { Devtools } from 'patchcord/devtools'
import { connectTabs } from 'patchcord/tabs'
import type { Tabs } from 'patchcord/tabs'
import { DataProvider, useController } from 'patchcord/solid'
import type { DataProviderProps } from 'patchcord/solid'
import { DataProvider as PreactProvider } from 'patchcord/preact'
import { createClock, mockFetch } from 'patchcord/testing'
import type { MockFetch } from 'patchcord/testing'

const clock: Clock = createClock()
const fetch: MockFetch = mockFetch({ 'GET /a': { body: 1 } })
const props: DataProviderProps = { controller: new Controller() }
const history: History = createHistory(props.controller!)
const stream: PushConnection = push(props.controller!, { source: async function* () {}, types: {} })
const connect: (...args: Parameters<typeof connectTabs>) => Tabs = connectTabs
const error: Error = new ProviderError('none')
export const tools: Devtools | undefined = undefined
const found: () => Controller = useController
// @ts-expect-error A door whose types were lost would be any, and would let this through.
createClock(true)
console.log([
  clock.now() === 0, props.controller instanceof Controller, error instanceof PatchcordError,
  history.canUndo.value, typeof DataProvider, typeof PreactProvider, typeof found, typeof connect, stream.status.value, await (await fetch('/a')).json(),
].join())
`
const printed = 'true,true,true,false,function,function,function,function,connecting,1\n'

/** What a package of resources would export: each type must have a name that others can import. */
const library = `
import { createResource, Endpoint, Entity, EntityMixin, RestEndpoint, schema } from 'patchcord'
export class Todo extends Entity { static override key = 'Todo'; id = 0; title = '' }
export const entityOf = (key: string) => class extends Entity { id = 0; static override key = key }
export const Todos = createResource({ path: '/todos/:id', schema: Todo, paginationField: 'page' })
export const Extended = Todos.extend({ getList: { schema: { results: new schema.Collection([Todo]), total: 0 } } })
  .extend('first', { path: '/first' })
  .extend(Base => ({ make: Base.getList.push.extend({ schema: { todo: Base.getList.push.schema } }) }))
export const { get, getList, update, partialUpdate, delete: remove } = Todos
export const { push, unshift, move, remove: takeOut, getPage } = Todos.getList
export const next = getList.paginated('cursor')
export const nextBy = getList.paginated(({ after: _after, ...rest }: { after: number }) => [rest])
export const send = new RestEndpoint({ path: '/a/:b', method: 'POST' }).extend({ path: '/c' })
export const sum = new Endpoint(async (a: number) => a, { name: 'sum' }).extend({ schema: Todo })
export const { push: pushed, move: moved } = Todos.getList.schema
export const lazily = new schema.Lazy([Todo]).query
class Point { x = 0; y = 0 }
export const Spot = EntityMixin(Point, { key: 'Spot', pk: ({ x, y }) => x + ',' + y })
export const sorted = new schema.Query(new schema.All(Todo), (todos, { n }: { n: number }) => todos.slice(n))
`

const compilers = { 'TypeScript 7': 'typescript', 'TypeScript 5.9': 'typescript-5.9' }

const typeSuites = ['types', 'contract/bindings'].flatMap((folder) => filesBelow(projectRoot, `test/${folder}`, '.types.ts'))

/** A suite that imports what somebody has who has installed the package. */
const installedDoors = (text: string): string =>
  text
    .replace(/'[./]*\/src\/index\.ts'/g, "'patchcord'")
    .replace(/'[./]*\/src\/(history|push|changes|tabs|persist|outbox|testing)\/index\.ts'/g, "'patchcord/$1'")
    .replace(/'[./]*\/bindings\/(\w+)\/index\.ts'/g, "'patchcord/$1'")
    .replace(/'[./]*\/types\//g, "'./")

const compile = (compiler: string, moduleResolution: string, module: string, ...files: string[]): string =>
  consumer.node(
    join(projectRoot, 'node_modules', compiler, 'bin/tsc'), ...files, '--strict', '--exactOptionalPropertyTypes',
    '--target', 'es2022', '--lib', 'es2023,dom,dom.iterable', '--module', module, '--moduleResolution', moduleResolution,
    '--outDir', 'out', '--pretty', 'false',
  ).output

/** Files of one program: a compiler needs most of its time for declarations, which are the same for all of them. */
const compiled = ['main.ts', 'wrong.ts', 'library.ts', ...readme.map((_, n) => `readme-${n}.ts`), ...typeSuites.map((file) => basename(file))]
const outputs = new Map<string, string>()

/** What a compiler says of files whose name matches, and of none of ours. */
function errorsIn(compiler: string, names: RegExp): string {
  const output = outputs.get(compiler) ?? compile(compiler, 'nodenext', 'nodenext', ...compiled, '--declaration', '--rewriteRelativeImportExtensions')
  outputs.set(compiler, output)
  const isOurs = (line: string): boolean => compiled.some((file) => line.startsWith(`${file}(`))
  return output.split('\n').filter((line) => line !== '' && (names.test(line) || !isOurs(line))).join('\n')
}

for (const [name, compiler] of Object.entries(compilers)) {
  for (const moduleResolution of ['nodenext', 'bundler']) {
    test(`type-checks with ${name} and ${moduleResolution} resolution`, () => {
      const output = moduleResolution === 'nodenext' ? errorsIn(compiler, /^(main|wrong)\.ts/) : compile(compiler, moduleResolution, 'esnext', 'main.ts', 'wrong.ts')
      const errors = output.trim().split('\n')
      assert.is(errors.length, 1, output)
      assert.match(String(errors[0]), /^wrong\.ts.*'string' is not assignable to parameter of type 'number'/)
    })
  }
  test(`type-checks the examples of the README with ${name}`, () => assert.is(errorsIn(compiler, /^readme-/), ''))
  test(`type-checks on a server, which has no types of a page, with ${name}`, () => {
    consumer.write('server.ts', "import { Controller } from 'patchcord'\nimport { mockFetch } from 'patchcord/testing'\nnew Controller({ fetch: mockFetch({}) }).dispose()\n")
    const types = ['--lib', 'es2023', '--types', 'node', '--typeRoots', join(projectRoot, 'node_modules/@types')]
    assert.is(compile(compiler, 'nodenext', 'nodenext', 'server.ts', ...types), '')
  })
  test(`lets others export what they make of it, with ${name}`, () => assert.is(errorsIn(compiler, /^library\.ts/), ''))
  // The suites try the types of the sources; what is installed are declarations, which leave out what is internal.
  test(`has the types that the suites try, with ${name}`, () => {
    // They export functions whose types only `library.ts` promises to have names for.
    assert.is(errorsIn(compiler, /\.types\.ts(?!.*error TS(2742|2883):)/), '')
  })
}

// The two below run what the compilers above have emitted.
test('runs in Node, whatever NODE_ENV is', () => {
  assert.equal(consumer.node('out/main.js'), { ok: true, output: printed })
  consumer.write('production.mjs', "process.env.NODE_ENV = 'production'\nawait import('./out/main.js')\n")
  assert.equal(consumer.node('production.mjs'), { ok: true, output: printed })
})

test('runs as a rollup bundle', async () => {
  const bundle = await rollup({ input: join(consumer.folder, 'out/main.js'), plugins: [nodeResolve({ browser: true })] })
  await bundle.write({ file: join(consumer.folder, 'bundle/main.mjs'), format: 'es' })
  assert.equal(consumer.node('bundle/main.mjs'), { ok: true, output: printed })
})

test('gets the licence, the sources that the maps lead to, and no tests', () => {
  for (const file of ['LICENSE', 'README.md', 'CHANGELOG.md', 'dist/index.js', 'dist/types/src/index.d.ts', 'src/index.ts', 'bindings/solid/index.ts']) {
    assert.ok(consumer.packed.includes(file), file)
  }
  assert.equal(consumer.packed.filter((file) => /^(test|bench|build|examples|\.ci)\b/.test(file)), [])
})

test.run()
