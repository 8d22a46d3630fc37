import { createComponent, For, type JSX } from 'solid-js'
import { insert, render, template } from 'solid-js/web'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { DataProvider, useQuery } from '../../../bindings/solid/index.ts'
import { All, Controller, Entity } from '../../../src/index.ts'
import { withDom } from '../../support/dom.ts'

const test = suite('solid: a mounted page')

withDom(test)

class Todo extends Entity {
  static override key = 'Todo'
  id = 0
  title = ''
}

/** Nothing of the page is retained but its elements, as in `render(() => <App />, root)`. */
function mount(controller: Controller): HTMLElement {
  const list = document.createElement('ul')
  const row = template('<li></li>')
  const Todos = (): JSX.Element => {
    const todos = useQuery(new All(Todo))
    return createComponent(For, {
      get each() {
        return todos()
      },
      children: (todo: Todo) => {
        const item = row() as HTMLElement
        insert(item, () => todo.title)
        return item
      },
    })
  }
  render(() => createComponent(DataProvider, { controller, get children() { return createComponent(Todos, {}) } }), list)
  return list
}

test('goes on showing changes after a garbage collection, though nobody holds its root', async () => {
  const controller = new Controller()
  controller.set([Todo], [{ id: 1, title: 'sow' }])
  const list = mount(controller)
  for (let n = 0; n < 5; n++) {
    await new Promise(resolve => setTimeout(resolve, 10))
    globalThis.gc!()
  }
  controller.set(Todo, { id: 1, title: 'mow' })
  controller.set(Todo, { id: 2, title: 'reap' })
  assert.is([...list.children].map(item => item.textContent).join(), 'mow,reap')
})

test.run()
