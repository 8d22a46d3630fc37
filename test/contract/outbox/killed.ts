/** A process with an outbox in a file, to be killed: `killed.js file url yes|no`, where `yes` makes the calls. Says `made` and `done`. */
import { Controller, createResource, Entity } from '../../../src/index.ts'
import { outbox } from '../../../src/outbox/index.ts'
import { fileStorage } from '../../support/fileStorage.ts'

class Todo extends Entity {
  static override key = 'Todo'
  id: number | string = 0
  title = ''
}
const [file = '', urlPrefix = '', makes] = process.argv.slice(2)
const TodoResource = createResource({ urlPrefix, path: '/todos/:id', schema: Todo, optimistic: true })
const controller = new Controller()
const box = outbox(controller, { storage: fileStorage(file), endpoints: [TodoResource] })
const alive = setInterval(() => {}, 1000)
await box.restored
controller.setResponse(TodoResource.getList, [])
if (makes === 'yes') {
  void controller.fetch(TodoResource.getList.push, { title: 'three' })
  const id = String(controller.get(TodoResource.getList.schema)![0]!.pk())
  void controller.fetch(TodoResource.partialUpdate, { id }, { title: 'drei' })
  void controller.fetch(TodoResource.partialUpdate, { id: 1 }, { title: 'uno' })
}
process.send?.('made')
while (box.pending.value > 0) await new Promise(resolve => setTimeout(resolve, 2))
await box.dispose()
process.send?.('done')
clearInterval(alive)
process.disconnect?.()
