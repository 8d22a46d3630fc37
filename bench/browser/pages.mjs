import { idOf, makeRows, until, watch } from './data.mjs'

/**
 * One way to keep a list on a page.
 *
 * @typedef {object} Contender
 * @property {string} name
 * @property {string[]} packages Whose versions stand in the results.
 * @property {boolean} [sync] A write is on the page when the call returns; the others are asked until it does.
 * @property {{ [what: string]: string }} [counts] What its mutations, rows and lists are called where they are counted.
 * @property {(rows: object[]) => unknown} load Not timed where only the rendering is.
 * @property {(loaded: unknown, container: Element) => Mounted} mount
 *
 * @typedef {object} Mounted
 * @property {{ list: Element, rows: number, lists?: number }} made The list, and how many rows and lists were made or rendered so far.
 * @property {(id: string, title: string) => void} title
 * @property {(id: string, name: string) => void} [author]
 * @property {(rows: object[]) => void} answer The server answers with these.
 * @property {() => unknown} unmount
 */

const root = document.getElementById('app')

async function open(contender, rows) {
  const container = root.appendChild(document.createElement('div'))
  const page = contender.mount(contender.load(rows), container)
  await until(() => page.made.list?.children.length === rows.length)
  const { list } = page.made
  const close = async () => {
    await page.unmount()
    container.remove()
  }
  return { ...page, contender, list, changes: watch(list), close }
}

const settled = ({ contender }, isSo) => (contender.sync ? undefined : until(isSo))

const text = ({ list }, index, part = 'firstChild') => list.children[index]?.[part].textContent

const demand = (isSo, what) => {
  if (!isSo) throw new Error(what)
}

const nameOf = ({ counts, name }, what) => counts?.[what] ?? `${name}: ${what === 'mutations' ? what : `${what} rendered`}`

/** What one piece of work does to the page, counted and not timed. */
async function counted({ changes, contender, made }, work) {
  changes()
  const { rows, lists } = made
  await work()
  // Some write a few microtasks later, and nothing may follow.
  await new Promise(resolve => setTimeout(resolve, 20))
  const counts = { mutations: changes(), rows: made.rows - rows, ...(lists === undefined ? {} : { lists: made.lists - lists }) }
  return Object.fromEntries(Object.entries(counts).map(([what, count]) => [nameOf(contender, what), count]))
}

/** Budgets for what `counted` counts. */
export const atMost = (who, limits) => Object.entries(limits).map(([what, limit]) => ({ kind: 'count', count: nameOf(who, what), atMost: limit }))

/** A row over pages that stay open: `make` gives the entry for one of them. A suffix tells one size from the other. */
export function overPages(name, about, budgets, contenders, make, { sizes = [[10_000, '']], rowsOf = makeRows } = {}) {
  const pages = []
  return {
    name,
    about,
    budgets,
    async entries() {
      const entries = {}
      for (const [size, suffix] of sizes) {
        for (const contender of contenders) {
          try {
            const page = await open(contender, rowsOf(size))
            pages.push(page)
            entries[contender.name + suffix] = make(page, size)
          } catch (error) {
            entries[contender.name + suffix] = { check: () => Promise.reject(error) }
          }
        }
      }
      return entries
    },
    async dispose() {
      for (const page of pages.splice(0)) await page.close()
    },
  }
}

/** One field of one row gets another value. */
export const oneField = page => {
  const run = (_, turn) => {
    page.title(idOf(5), `new ${turn}`)
    return settled(page, () => text(page, 5) === `new ${turn}`)
  }
  return {
    maxBatch: 2000,
    async check() {
      const counts = await counted(page, () => run(undefined, 'one'))
      demand(text(page, 5) === 'new one', 'The row does not show it.')
      return counts
    },
    run,
  }
}

/** The author of all rows gets another name. */
export const sharedAuthor = (page, size) => {
  const run = (_, turn) => {
    page.author(idOf(0), `name ${turn}`)
    return settled(page, () => text(page, size - 1, 'lastChild') === `name ${turn}`)
  }
  return {
    async check() {
      const counts = await counted(page, () => run(undefined, 'one'))
      demand([...page.list.children].every(each => each.lastChild.textContent === 'name one'), 'Some row shows another author.')
      return counts
    },
    run,
  }
}

/** The server answers with another list. `next` makes it of a fresh copy; the page shows it when the rows at `indexes` are the right ones. */
export const answers = (next, ...indexes) => (page, size) => {
  const shows = (rows, at) => page.list.children.length === rows.length && at.every(index => text(page, index < 0 ? rows.length + index : index) === rows.at(index).title)
  const put = rows => {
    page.answer(rows)
    return until(() => shows(rows, [0, 5, size - 2]))
  }
  let turn = 0
  return {
    async check() {
      const counts = await counted(page, () => put(next(makeRows(size), 0)))
      const titles = [...page.list.children].map(each => each.firstChild.textContent)
      demand(titles.join() === next(makeRows(size), 0).map(row => row.title).join(), 'The page shows other rows.')
      await put(makeRows(size))
      return counts
    },
    before: () => next(makeRows(size), ++turn),
    run(rows) {
      page.answer(rows)
      return settled(page, () => shows(rows, indexes))
    },
    after: () => put(makeRows(size)),
  }
}

/** The same list, one title different. */
export const oneDifferent = answers((list, turn) => {
  list[5].title = `again ${turn}`
  return list
}, 5)

/** A row about a list that comes onto the page. */
export const firstRender = (name, budgets, contenders, size = 10_000) => ({
  name,
  about: 'a list on the page, from data that is in the store already',
  budgets,
  entries: () =>
    Object.fromEntries(
      contenders.map(contender => [
        contender.name,
        {
          async check() {
            const page = await open(contender, makeRows(size))
            demand(text(page, size - 1) === `title ${size - 1}`, 'The last row is missing.')
            await page.close()
          },
          before: () => ({ loaded: contender.load(makeRows(size)), container: root.appendChild(document.createElement('div')) }),
          run(prepared) {
            prepared.page = contender.mount(prepared.loaded, prepared.container)
            return settled({ contender }, () => prepared.page.made.list?.children.length === size)
          },
          async after({ page, container }) {
            await page.unmount()
            container.remove()
          },
        },
      ]),
    ),
})
