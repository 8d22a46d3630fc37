import { createComponent, For, type JSX } from 'solid-js'
import { insert, template } from 'solid-js/web'
import { useSuspense } from '../../bindings/solid/index.ts'
import { Controller, createResource, Entity } from '../../src/index.ts'
import { mountSolid } from '../contract/bindings/solidFramework.ts'
import type { Counts } from './work.ts'

class Todo extends Entity {
  id = ''
  title = ''
  static override key = 'Todo'
}

const { getList } = createResource({ path: '/todos/:id', schema: Todo })
const SIZE = 100
const todos = (): object[] => Array.from({ length: SIZE }, (_, id) => ({ id: String(id), title: `title ${id}` }))

/** What changes do to a list of a hundred rows that Solid has drawn. */
export function pageCounts(): Record<string, Counts> {
  const controller = new Controller({ gc: false })
  controller.setResponse(getList, todos())
  let created = 0
  const list = document.createElement('ul')
  const item = template('<li></li>')
  const screen = mountSolid(controller, () => {
    const visible = useSuspense(getList)
    const children = (todo: Todo): JSX.Element => {
      created++
      const element = item() as HTMLElement
      insert(element, () => todo.title)
      return element
    }
    insert(list, createComponent(For, { get each() { return visible() }, children }))
    return list
  })
  const observer = new (document.defaultView as Window & typeof globalThis).MutationObserver(() => {})
  observer.observe(list, { childList: true, characterData: true, subtree: true })
  const counted = (work: () => void): Counts => {
    created = 0
    work()
    // Taken, and not waited for: what a write does to the page is done when it returns.
    const records = observer.takeRecords()
    const mutations = records.reduce((sum, { type, addedNodes, removedNodes }) => sum + (type === 'characterData' ? 1 : addedNodes.length + removedNodes.length), 0)
    return { 'rows created': created, mutations }
  }
  const first = { 'rows created': created, mutations: list.children.length }
  const counts = {
    'Solid: 100 rows': first,
    'Solid: one field': counted(() => controller.set(Todo, { id: '7' }, { id: '7', title: 'new' })),
    'Solid: the same answer': counted(() => controller.setResponse(getList, todos().with(7, { id: '7', title: 'new' }))),
    'Solid: one row more': counted(() => controller.setResponse(getList, [{ id: 'new', title: 'first' }, ...todos()])),
    'Solid: one row less': counted(() => controller.setResponse(getList, todos())),
  }
  observer.disconnect()
  screen.unmount()
  controller.dispose()
  return counts
}
