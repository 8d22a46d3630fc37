import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { write } from '../../support/write.ts'
import { entity } from '../schema/todos.ts'

const test = suite('normalize: what a response leaves behind')

const collect = (globalThis as { gc?: () => void }).gc!
const Project = entity('Project', { schema: { todos: [entity('Todo')] } })

test('whoever keeps the patches, or the state, does not keep the response', async () => {
  const refs: WeakRef<object>[] = []
  const take = (): unknown => {
    const todos = [{ id: 'a' }, { id: 'b', deep: { list: [1] } }]
    const projects = [{ id: 'p', todos }]
    refs.push(...[projects, projects[0]!, todos, ...todos, todos[1]!.deep!].map(each => new WeakRef(each)))
    const { change, state } = write([Project], projects)
    return [change, state]
  }
  const retained = take()
  for (let i = 0; i < 5; i++) {
    await new Promise(done => setTimeout(done))
    collect()
  }
  assert.equal(refs.map(ref => ref.deref() === undefined), refs.map(() => true))
  assert.ok(retained)
})

test.run()
