import { batch, signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import { draw } from './list.mjs'

/** Preact's own state and memoised rows, written to by hand: the floor for rendering. */
export const plainPreact = {
  name: 'preact',
  packages: [],
  load: rows => rows,
  mount(loaded, root) {
    let rows = loaded
    let setRows
    const page = draw(root, child => child, () => {
      const [visible, set] = useState(loaded)
      setRows = set
      return visible
    }, 'memo')
    const put = next => setRows((rows = next))
    return {
      ...page,
      title: (id, title) => put(rows.map(row => (row.id === id ? { ...row, title } : row))),
      // By hand one keeps the rows that are the same.
      answer: next => put(next.map((row, n) => (rows[n]?.id === row.id && rows[n].title === row.title && rows[n].author.name === row.author.name ? rows[n] : row))),
    }
  },
}

class Row {
  #title
  constructor({ id, title, author }) {
    this.id = id
    this.author = author
    this.#title = signal(title)
  }
  get title() {
    return this.#title.value
  }
  set title(title) {
    this.#title.value = title
  }
}

/** A signal for each title, made by hand: the floor for updates. */
export const plainSignals = {
  name: 'signals',
  packages: [],
  load(rows) {
    const made = rows.map(row => new Row(row))
    return { list: signal(made), byId: new Map(made.map(row => [row.id, row])) }
  },
  mount({ list, byId }, root) {
    const page = draw(root, child => child, () => list.value, 'signals')
    return {
      ...page,
      title: (id, title) => (byId.get(id).title = title),
      answer: rows =>
        batch(() => {
          for (const row of rows) byId.get(row.id).title = row.title
        }),
    }
  },
}
