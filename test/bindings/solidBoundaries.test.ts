import { createComponent, ErrorBoundary, type JSX } from 'solid-js'
import { insert } from 'solid-js/web'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { useQuery } from '../../bindings/solid/index.ts'
import { Controller, createResource, Entity, Query } from '../../src/index.ts'
import { withDom } from '../dom.ts'
import { mountSolid } from './solidFramework.ts'

const test = suite('solid: boundaries')

withDom(test)

class Todo extends Entity {
  id = ''
  title = ''
  static override key = 'Todo'
}
const { getList } = createResource({ path: '/todos/:id', schema: Todo })

/** An element that shows what `read` gives. */
function shown(read: () => unknown): JSX.Element {
  const element = document.createElement('p')
  insert(element, read as () => JSX.Element)
  return element
}

test('what a query throws goes to the boundary of who reads it, and all others run', () => {
  const reported: unknown[] = []
  const controller = new Controller({ onError: error => void reported.push(error) })
  controller.setResponse(getList, [{ id: '1', title: 'one' }])
  const count = new Query(getList.schema, todos => {
    if (todos.some(todo => todo.title === '')) throw new Error('no title')
    return todos.length
  })
  let again: (() => void) | undefined
  const screen = mountSolid(controller, () => [
    createComponent(ErrorBoundary, {
      fallback: (error: Error, reset: () => void) => {
        again = reset
        return error.message
      },
      get children() {
        return createComponent(() => shown(useQuery(count)), {})
      },
    }),
    createComponent(() => {
      const todo = useQuery(Todo, { id: '1' })
      return shown(() => ` ${todo()?.title}.`)
    }, {}),
  ])
  assert.is(screen.text(), '1 one.')
  controller.set(Todo, { id: '1' }, { id: '1', title: '' })
  assert.is(screen.text(), 'no title .')
  controller.set(Todo, { id: '1' }, { id: '1', title: 'two' })
  again!()
  assert.is(screen.text(), '1 two.')
  assert.equal(reported, [])
  screen.unmount()
  controller.dispose()
})

test.run()
