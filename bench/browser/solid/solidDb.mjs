import { render } from 'solid-js/web'
import { createCollection, useLiveQuery } from '@tanstack/solid-db'
import { createList } from './list.mjs'

/** A collection that is synchronized from outside, as from a server. */
export const solidDb = {
  name: 'solid-db',
  packages: ['@tanstack/solid-db', '@tanstack/db'],
  load(rows) {
    let sync
    const collection = createCollection({
      id: `todos-${Math.random()}`,
      getKey: row => row.id,
      startSync: true,
      sync: {
        sync(given) {
          sync = given
          given.begin()
          for (const value of rows) given.write({ type: 'insert', value })
          given.commit()
          given.markReady()
        },
      },
    })
    const write = changes => {
      sync.begin()
      for (const change of changes) sync.write(change)
      sync.commit()
    }
    return { collection, write }
  },
  mount({ collection, write }, root) {
    let made
    const unmount = render(() => {
      const rows = useLiveQuery(() => collection)
      made = createList(() => rows())
      return made.list
    }, root)
    const update = (which, change) => write([...collection.values()].filter(which).map(row => ({ type: 'update', value: { ...row, ...change(row) } })))
    return {
      made,
      title: (id, title) => write([{ type: 'update', value: { ...collection.get(id), title } }]),
      author: (id, name) => update(row => row.author.id === id, row => ({ author: { ...row.author, name } })),
      answer(rows) {
        const wanted = new Set(rows.map(row => row.id))
        const gone = [...collection.values()].filter(row => !wanted.has(row.id)).map(value => ({ type: 'delete', value }))
        write([...gone, ...rows.map(value => ({ type: collection.has(value.id) ? 'update' : 'insert', value }))])
      },
      unmount() {
        unmount()
        return collection.cleanup()
      },
    }
  },
}
