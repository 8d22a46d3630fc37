import { createStore, reconcile } from 'solid-js/store'
import { render } from 'solid-js/web'
import { createList } from './list.mjs'

/** Solid's own store, written to by hand: the floor. Authors stand beside the rows, as one would normalize by hand. */
export const plainStore = {
  name: 'createStore',
  packages: [],
  sync: true,
  load(rows) {
    const authors = Object.fromEntries(rows.map(({ author }) => [author.id, { ...author }]))
    return createStore({ rows: rows.map(row => ({ ...row, author: row.author.id })), authors })
  },
  mount([store, setStore], root) {
    let made
    const unmount = render(() => {
      made = createList(() => store.rows, row => store.authors[row.author].name)
      return made.list
    }, root)
    return {
      made,
      title: (id, title) => setStore('rows', Number(id), 'title', title),
      author: (id, name) => setStore('authors', id, 'name', name),
      answer: rows => setStore('rows', reconcile(rows.map(row => ({ ...row, author: row.author.id })), { key: 'id' })),
      unmount,
    }
  },
}
