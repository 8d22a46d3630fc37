import { createComponent } from 'solid-js'
import { render } from 'solid-js/web'
import { Controller, createResource, Entity } from 'patchcord'
import { DataProvider, useSuspense } from 'patchcord/solid'
import { createList } from './list.mjs'

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

export const patchcord = {
  name: 'patchcord',
  packages: ['patchcord'],
  sync: true,
  counts: { mutations: 'mutations of the page', rows: 'rows created' },
  load(rows) {
    const controller = new Controller()
    controller.setResponse(getList, rows)
    return controller
  },
  mount(controller, root) {
    let made
    const unmount = render(
      () =>
        createComponent(DataProvider, {
          controller,
          get children() {
            const todos = useSuspense(getList)
            made = createList(() => todos())
            return made.list
          },
        }),
      root,
    )
    return {
      made,
      title: (id, title) => controller.set(Todo, { id }, { id, title }),
      author: (id, name) => controller.set(Author, { id }, { id, name }),
      answer: rows => controller.setResponse(getList, rows),
      unmount() {
        unmount()
        controller.dispose()
      },
    }
  },
}
