import { createComponent, For } from 'solid-js'
import { insert, template } from 'solid-js/web'

const item = template('<li><b></b><i></i></li>')

/**
 * The list that all contenders show, spelled as Solid's compiler would spell it. `rows` counts those that were
 * made; `author` gives the name to show for a row.
 */
export function createList(each, author = row => row.author.name) {
  const list = document.createElement('ul')
  const made = { list, rows: 0 }
  insert(
    list,
    createComponent(For, {
      get each() {
        return each()
      },
      children: row => {
        made.rows++
        const element = item()
        insert(element.firstChild, () => row.title)
        insert(element.lastChild, () => author(row))
        return element
      },
    }),
  )
  return made
}
