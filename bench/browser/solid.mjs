import { idOf, makeRows, until, watch } from './data.mjs'
import { runRows } from './harness.mjs'
import { plainStore } from './solid/createStore.mjs'
import { patchcord } from './solid/patchcord.mjs'
import { solidDb } from './solid/solidDb.mjs'
import { solidQueryDefault, solidQueryReconcile } from './solid/solidQuery.mjs'

const ALL = [patchcord, plainStore, solidQueryDefault, solidQueryReconcile, solidDb]
const US = patchcord.name
const root = document.getElementById('app')

/** A contender with rows on the page. */
async function open(contender, rows) {
  const place = root.appendChild(document.createElement('div'))
  const page = contender.mount(contender.load(rows), place)
  await until(() => page.made.list.children.length === rows.length)
  return { ...page, contender, changes: watch(page.made.list), list: page.made.list, close: () => (page.unmount(), place.remove()) }
}

/** Some contenders show what they are told a few turns later. */
const settled = ({ contender }, isSo) => (contender.slow ? until(isSo) : undefined)

const text = ({ list }, index, part = 'firstChild') => list.children[index]?.[part].textContent

/** Rows made and changes to the page by `work`, for us: what is counted and not timed. */
async function counted(page, work) {
  page.changes()
  const before = page.made.created
  await work()
  if (page.contender !== patchcord) return {}
  return { 'mutations of the page': page.changes(), 'rows created': page.made.created - before }
}

/** A row over pages that stay open: `make` gives the entry for one of them. */
function overPages(name, about, budgets, sizes, make, contenders = ALL, rowsOf = makeRows) {
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

const demand = (isSo, what) => {
  if (!isSo) throw new Error(what)
}

const oneField = page => {
  const run = (_, turn) => {
    page.title(idOf(5), `new ${turn}`)
    return settled(page, () => text(page, 5) === `new ${turn}`)
  }
  return {
    maxBatch: page.contender.slow ? 1 : 2000,
    async check() {
      const counts = await counted(page, () => run(undefined, 'one'))
      demand(text(page, 5) === 'new one', 'The row does not show it.')
      return counts
    },
    run,
  }
}

/** The server answers with another list. `next` makes it of a fresh copy; `shown` says when the page shows it. */
const answers = (next, shown) => (page, size) => {
  const put = async rows => {
    page.answer(rows)
    await until(() => page.list.children.length === rows.length && text(page, 0) === rows[0].title && text(page, 5) === rows[5].title && text(page, size - 2) === rows[size - 2].title)
  }
  let turn = 0
  return {
    maxBatch: 1,
    async check() {
      const counts = await counted(page, () => put(next(makeRows(size), 'one')))
      const titles = [...page.list.children].map(each => each.firstChild.textContent)
      demand(titles.join() === next(makeRows(size), 'one').map(row => row.title).join(), 'The page shows other rows.')
      await put(makeRows(size))
      return counts
    },
    before: () => next(makeRows(size), ++turn),
    run(rows) {
      page.answer(rows)
      return settled(page, () => shown(page, rows, size))
    },
    after: () => put(makeRows(size)),
  }
}

const same = (page, rows, ...indexes) => page.list.children.length === rows.length && indexes.every(index => text(page, index) === rows[index].title)

const sharedAuthor = (page, size) => {
  const run = (_, turn) => {
    page.author(idOf(0), `name ${turn}`)
    return settled(page, () => text(page, size - 1, 'lastChild') === `name ${turn}`)
  }
  return {
    maxBatch: 1,
    async check() {
      const counts = await counted(page, () => run(undefined, 'one'))
      demand([...page.list.children].every(each => each.lastChild.textContent === 'name one'), 'Some row shows another author.')
      return counts
    },
    run,
  }
}

const firstRender = size => ({
  name: `first render, ${size / 1000}k rows`,
  about: 'a list on the page, from data that is in the store already',
  budgets: [{ kind: 'share', who: US, of: plainStore.name, atMost: 1.15 }],
  entries: () =>
    Object.fromEntries(
      ALL.map(contender => [
        contender.name,
        {
          async check() {
            const page = await open(contender, makeRows(size))
            demand(text(page, size - 1) === `title ${size - 1}`, 'The last row is missing.')
            await page.close()
          },
          before: () => ({ loaded: contender.load(makeRows(size)), place: root.appendChild(document.createElement('div')) }),
          run(prepared) {
            prepared.page = contender.mount(prepared.loaded, prepared.place)
            return settled({ contender }, () => prepared.page.made.list.children.length === size)
          },
          async after({ page, place }) {
            await page.unmount()
            place.remove()
          },
        },
      ]),
    ),
})

const none = [{ kind: 'count', count: 'rows created', atMost: 0 }]
const TEN = [[10_000, '']]
const ordered = ALL.filter(contender => contender !== solidDb)

const rows = [
  overPages(
    'one field, 10k rows',
    'one field of one row of a list on the page',
    [
      { kind: 'count', count: 'mutations of the page', atMost: 1 },
      ...none,
      { kind: 'growth', from: `${US} 1k`, to: US, atMost: 1.5 },
      { kind: 'share', who: US, of: plainStore.name, atMost: 2 },
      { kind: 'faster', who: US, than: solidQueryDefault.name, atLeast: 1000 },
      { kind: 'faster', who: US, than: solidDb.name, atLeast: 1000 },
    ],
    [[1000, ' 1k'], [10_000, '']],
    oneField,
  ),
  overPages(
    'refetch, 10k rows',
    'the server answers with the same list, one title different',
    [...none, { kind: 'count', count: 'mutations of the page', atMost: 1 }, { kind: 'faster', who: US, than: solidQueryReconcile.name, atLeast: 3 }],
    TEN,
    answers(
      (list, turn) => {
        list[5].title = `again ${turn}`
        return list
      },
      (page, list) => same(page, list, 5),
    ),
  ),
  firstRender(10_000),
  overPages(
    'shared author, 10k rows',
    'the author of all rows gets another name',
    none,
    TEN,
    sharedAuthor,
    ALL,
    size => makeRows(size, 1),
  ),
  overPages(
    'swap, 10k rows',
    'two rows change places in the answer',
    none,
    TEN,
    answers(
      (list, turn) => list.with(1, list[turn === 'one' ? 3 : 2 + (turn % 90)]).with(turn === 'one' ? 3 : 2 + (turn % 90), list[1]),
      (page, list) => same(page, list, 1),
    ),
    ordered,
  ),
  overPages(
    'insert at top, 10k rows',
    'the answer has one more row, before all others',
    [{ kind: 'count', count: 'rows created', atMost: 1 }],
    TEN,
    answers((list, turn) => [{ ...list[0], id: `new ${turn}`, title: `new ${turn}` }, ...list], (page, list) => same(page, list, 0)),
    ordered,
  ),
  overPages(
    'remove, 10k rows',
    'the answer has one row less',
    none,
    TEN,
    answers((list, turn) => list.toSpliced(turn === 'one' ? 7 : turn % 90, 1), (page, list, size) => same(page, list, 0, size - 2)),
  ),
  overPages(
    'sort, 1k rows',
    'the answer has the rows in reverse',
    none,
    [[1000, '']],
    answers(list => list.reverse(), (page, list, size) => same(page, list, 0, size - 1)),
    ordered,
  ),
]

globalThis.packages = [...new Set(ALL.flatMap(contender => contender.packages))]
globalThis.start = options => runRows(rows, options, globalThis.tell)
