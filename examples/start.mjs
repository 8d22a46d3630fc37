// npm start: a resource, a server, real HTTP between them, and what happens in the store.
import { Controller, createResource, Entity } from 'patchcord'
import { createApi } from './api.mjs'
import { listen, wantedPort } from './listen.mjs'

class Todo extends Entity {
  static key = 'Todo'
  id = 0
  title = ''
  done = false

  get label() {
    return `${this.done ? '[x]' : '[ ]'} ${this.title}`
  }
}

const show = (heading, todos) => console.log(`\n${heading}\n${todos.map((todo) => `  ${todo.label}`).join('\n')}`)

async function main() {
  const server = createApi()
  const port = await listen(server, wantedPort())
  console.log(`A REST server answers at http://127.0.0.1:${port}/todos`)

  const TodoResource = createResource({ urlPrefix: `http://127.0.0.1:${port}`, path: '/todos/:id', schema: Todo })
  const controller = new Controller()
  controller.subscribePatches(({ patches }) => {
    console.log(`\n  ${patches.length} ${patches.length === 1 ? 'patch' : 'patches'}`)
    for (const { op, path, value } of patches) console.log(`    ${op} ${path.join('/')} ${JSON.stringify(value) ?? ''}`)
  })

  console.log('\nGET /todos')
  const before = await controller.fetch(TodoResource.getList)
  show('The list:', before)

  console.log('\nPATCH /todos/2 with { done: true }')
  await controller.fetch(TodoResource.partialUpdate, { id: 2 }, { done: true })
  const after = controller.get(TodoResource.getList.schema)
  show('The same list, read again:', after)
  console.log(`\nRows that did not change are the same objects: ${before[0] === after[0] && before[2] === after[2]}`)

  console.log('\nPOST /todos')
  await controller.fetch(TodoResource.getList.push, { title: 'read the guide', done: false })
  show('The list with its new row:', controller.get(TodoResource.getList.schema))

  controller.dispose()
  server.close()
  server.closeAllConnections()
  console.log('\nDone. The program is examples/start.mjs.')
}

main().catch((error) => {
  console.error(error instanceof RangeError ? error.message : error)
  process.exit(1)
})
