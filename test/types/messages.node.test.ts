import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compile, written } from '../house/compiler.ts'

/** What the compiler says of a mistake must say what to do, in words of the user's own code. */
const test = suite('messages of the compiler')

/** Mistake, and what its message has in it. */
const mistakes: readonly (readonly [string, RegExp])[] = [
  ['Todos.get({})', /missing the following properties from type '\{ id: string \| number; list: string \| number; \}'/],
  ['Todos.get({ list: 1, ID: 2 })', /'ID' does not exist in type '\{ id: string \| number; list: string \| number; \}'\. Did you mean to write 'id'\?/],
  ['Todos.get()', /Expected 1 arguments, but got 0/],
  ['Todos.get({ list: 1, id: 2 }, {})', /Expected 1 arguments, but got 2/],
  ['Todos.getList({ lst: 1 })', /Property 'list' is missing in type '\{ lst: number; \}'/],
  ['Todos.partialUpdate({ list: 1, id: 2 }, { doen: true })', /'doen' does not exist in type/],
  ['Todos.partialUpdate({ list: 1, id: 2 })', /Expected 2 arguments, but got 1/],
  ["Todos.getList.paginated('cursor')({ list: 1 })", /Property 'cursor' is missing/],
  ['Todos.extend({ gte: {} })', /There is no member \\?"gte\\?" to change; add it with extend\(name, options\)/],
  ["Todos.extend({ get: { pth: '/x' } })", /^\S+ error TS2561: .*'pth' does not exist in type 'RestOptions.*'\. Did you mean to write 'path'\?/],
  ["Todos.extend({ get: { getRequestInit: () => ({ mode: 'all' }) } })", /^\S+ error TS2322: .*is not assignable to type '.*\n.*[^]*'"all"' is not assignable to type 'RequestMode'/],
  ["Todos.extend({ get: {}, current: { path: '/x' } })", /There is no member \\?"current\\?" to change; add it with extend\(name, options\)/],
  ["createResource({ path: '/todos/:id' })", /Property 'schema' is missing/],
  ["createResource({ path: '/x', schema: Todo, optimstic: true })", /'true' is not assignable to type 'true & \{ readonly refused: "There is no option \\"optimstic\\"\."; \}'/],
  ['createResource({ schema: Todo })', /Property 'path' is missing/],
]

test('name what is missing or misspelt', () => {
  const head = `import { createResource, Entity } from '../../src/index.ts'
class Todo extends Entity { id = 0; title = ''; done = false; static override key = 'Todo' }
const Todos = createResource({ path: '/lists/:list/todos/:id', schema: Todo })
`
  const file = written('types/mistakes.ts', `${head}${mistakes.map(([code]) => `void ${code}\n`).join('')}`)
  const stdout = compile([file], '--noErrorTruncation')
  const first = head.split('\n').length
  for (const [n, [code, message]] of mistakes.entries()) {
    const output = stdout.split(/\n(?=\S)/).filter((line) => line.includes(`mistakes.ts(${first + n},`)).join('\n')
    assert.match(output, message, code)
  }
})

test.run()
