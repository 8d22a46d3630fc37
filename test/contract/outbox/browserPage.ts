/** An app in a page: shared with other tabs, stored on disk, with an outbox. The test talks to it through `window.app`. */
import { Controller } from '../../../src/index.ts'
import { outbox } from '../../../src/outbox/index.ts'
import { idbStorage, persist } from '../../../src/persist/index.ts'
import { connectTabs } from '../../../src/tabs/index.ts'
import { getList, partialUpdate, titles, Todo, TodoResource } from '../persist/todos.ts'

const errors: string[] = []
const controller = new Controller({ onError: error => void errors.push(String(error)) })
const tabs = connectTabs(controller, { name: 'app' })
const persisted = persist(controller, { version: '1', name: 'app' })
const box = outbox(controller, { storage: idbStorage('app outbox'), name: 'app', endpoints: [TodoResource], persisted })

Object.assign(window, {
  app: {
    errors,
    ready: Promise.all([tabs.ready, persisted.restored, box.restored]),
    titles: () => titles({ controller }),
    load: () => controller.fetch(getList).then(() => undefined),
    loadIfStale: () => controller.fetchIfStale(getList).then(() => undefined),
    add: (title: string) => void controller.fetch(getList.push, { title }),
    rename: (id: number | string, title: string) => void controller.fetch(partialUpdate, { id }, { title }),
    setAndLeave(id: number, title: string) {
      controller.set(Todo, { id, title })
      location.href = '/'
    },
    ids: () => controller.get(getList.schema)?.map(todo => String(todo.pk())),
    reset: () => controller.reset(),
    pending: () => box.pending.value,
  },
})
