import { useComputed } from '@preact/signals'
import { h, render } from 'preact'
import { Controller, createResource, Entity } from 'patchcord'
import { DataProvider, useController, useQuerySignal, useSuspense } from 'patchcord/preact'
import { draw } from './list.mjs'

class Author extends Entity {
  id = ''
  name = ''
  static key = 'Author'
}

class Todo extends Entity {
  id = ''
  title = ''
  done = false
  author = Author.fromJS({})
  static key = 'Todo'
  static schema = { author: Author }
}

const { getList } = createResource({ path: '/todos/:id', schema: Todo })

const contender = (name, show) => ({
  name,
  packages: ['patchcord'],
  load(rows) {
    const controller = new Controller()
    controller.setResponse(getList, rows)
    return controller
  },
  mount(controller, root) {
    const { made, unmount } = show(root, children => h(DataProvider, { controller }, children))
    return {
      made,
      title: (id, title) => controller.set(Todo, { id }, { id, title }),
      answer: rows => controller.setResponse(getList, rows),
      unmount() {
        unmount()
        controller.dispose()
      },
    }
  },
})

/** `useSuspense`, and rows that are memoised. */
export const snapshots = contender('patchcord', (root, wrap) => draw(root, wrap, () => useSuspense(getList), 'memo'))

/** Live objects, read in computeds that stand in JSX. */
export const live = contender('patchcord live', (root, wrap) => draw(root, wrap, () => useController().live(getList), 'signals'))

/** A list of ids, and `useQuerySignal` in each row. */
export const querySignals = contender('patchcord useQuerySignal', (root, wrap) => {
  const made = { rows: 0, lists: 0, list: undefined }
  const Row = ({ id }) => {
    made.rows++
    const row = useQuerySignal(Todo, { id })
    return h('li', null, h('b', null, useComputed(() => row.value.title)), h('i', null, useComputed(() => row.value.author.name)))
  }
  const List = () => {
    made.lists++
    const rows = useController().live(getList)
    return h('ul', { ref: element => (made.list = element ?? made.list) }, rows.map(({ id }) => h(Row, { key: id, id })))
  }
  render(wrap(h(List, {})), root)
  return { made, unmount: () => render(null, root) }
})
