import { h, render } from 'preact'
import { memo } from 'preact/compat'
import { useComputed } from '@preact/signals'

/**
 * Draws `List` into `root`. `made` counts the rows, and the lists, that were rendered. Rows are `<li><b>title</b><i>author</i></li>`,
 * for all contenders.
 */
export function draw(root, wrap, useRows, kind) {
  const made = { rows: 0, lists: 0, list: undefined }
  const Row = kind === 'signals' ? signalRow(made) : memoRow(made)
  const List = () => {
    made.lists++
    return h('ul', { ref: element => (made.list = element ?? made.list) }, useRows().map(row => h(Row, { key: row.id, row })))
  }
  render(wrap(h(List, {})), root)
  return { made, unmount: () => render(null, root) }
}

/** Rendered again when it is given another row. */
const memoRow = made =>
  memo(({ row }) => {
    made.rows++
    return h('li', null, h('b', null, row.title), h('i', null, row.author.name))
  })

/** Rendered once; `row.title` and `row.author.name` are read where signals are followed. */
const signalRow = made =>
  function Row({ row }) {
    made.rows++
    return h('li', null, h('b', null, useComputed(() => row.title)), h('i', null, useComputed(() => row.author.name)))
  }
