import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { applyPatches, emptyState, Entity, normalize } from '../../../src/index.ts'

const test = suite('normalize: what a response leaves behind')

class Todo extends Entity {
  static override key = 'Todo'
  id = ''
}
class Project extends Entity {
  static override key = 'Project'
  static override schema = { todos: [Todo] }
  id = ''
  todos: Todo[] = []
}

const collect = (globalThis as { gc?: () => void }).gc!

test('whoever keeps the patches, or the state, does not keep the response', async () => {
  const refs: WeakRef<object>[] = []
  const take = (): unknown => {
    const todos = [{ id: 'a' }, { id: 'b', deep: { list: [1] } }]
    const projects = [{ id: 'p', todos }]
    refs.push(...[projects, projects[0]!, todos, ...todos, todos[1]!.deep!].map(each => new WeakRef(each)))
    const change = normalize([Project], projects)
    return [change, applyPatches(emptyState, change.patches, change.stamps)]
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
