/** A process with an outbox in a file, to be killed: `killed.js file url yes|no`, where `yes` makes the calls. Says `made` and `done`. */
import { Controller, createResource } from '../../../src/index.ts'
import { outbox } from '../../../src/outbox/index.ts'
import { fileStorage } from '../../support/fileStorage.ts'
import { pause, Todo } from '../persist/todos.ts'

const [file = '', urlPrefix = '', makes] = process.argv.slice(2)
const resource = createResource({ urlPrefix, path: '/todos/:id', schema: Todo, optimistic: true })
const controller = new Controller()
const box = outbox(controller, { storage: fileStorage(file), endpoints: [resource] })
const alive = setInterval(() => {}, 1000)
await box.restored
controller.setResponse(resource.getList, [])
if (makes === 'yes') {
  void controller.fetch(resource.getList.push, { title: 'three' })
  const id = String(controller.get(resource.getList.schema)![0]!.pk())
  void controller.fetch(resource.partialUpdate, { id }, { title: 'drei' })
  void controller.fetch(resource.partialUpdate, { id: 1 }, { title: 'uno' })
}
process.send?.('made')
while (box.pending.value > 0) await pause(2)
await box.dispose()
process.send?.('done')
clearInterval(alive)
process.disconnect?.()
