import { idOf, makeRows, until, watch } from './data.mjs'
import { runRows } from './harness.mjs'
import { live, querySignals, snapshots } from './preact/patchcord.mjs'
import { plainPreact, plainSignals } from './preact/plain.mjs'
import { preactQuery } from './preact/preactQuery.mjs'

const BY_SIGNALS = [live, querySignals, plainSignals]
const BY_MEMO = [snapshots, plainPreact, preactQuery]
const SIZE = 10_000
const root = document.getElementById('app')

async function open(contender) {
  const place = root.appendChild(document.createElement('div'))
  const page = contender.mount(contender.load(makeRows(SIZE)), place)
  await until(() => page.made.list?.children.length === SIZE)
  return { ...page, contender, changes: watch(page.made.list), close: () => (page.unmount(), place.remove()) }
}

const text = ({ made }, index) => made.list.children[index]?.firstChild.textContent

/** What one piece of work does to the page, counted and not timed. */
async function counted(page, work) {
  const { name } = page.contender
  page.changes()
  const { rows, lists } = page.made
  await work()
  // Signals in JSX write two microtasks later, and nothing may follow.
  await new Promise(resolve => setTimeout(resolve, 20))
  return { [`${name}: mutations`]: page.changes(), [`${name}: rows rendered`]: page.made.rows - rows, [`${name}: lists rendered`]: page.made.lists - lists }
}

function demand(isSo, what) {
  if (!isSo) throw new Error(what)
}

/** A row over pages that stay open. */
function overPages(name, about, budgets, contenders, make) {
  const pages = []
  return {
    name,
    about,
    budgets,
    async entries() {
      const entries = {}
      for (const contender of contenders) {
        const page = await open(contender)
        pages.push(page)
        entries[contender.name] = make(page)
      }
      return entries
    },
    dispose() {
      for (const page of pages.splice(0)) page.close()
    },
  }
}

const oneField = page => {
  const run = (_, turn) => {
    page.title(idOf(5), `new ${turn}`)
    return until(() => text(page, 5) === `new ${turn}`)
  }
  return {
    maxBatch: 200,
    async check() {
      const counts = await counted(page, () => run(undefined, 'one'))
      demand(text(page, 5) === 'new one', 'The row does not show it.')
      return counts
    },
    run,
  }
}

const refetch = page => {
  const next = turn => {
    const rows = makeRows(SIZE)
    rows[5].title = `again ${turn}`
    return rows
  }
  const run = rows => {
    page.answer(rows)
    return until(() => text(page, 5) === rows[5].title)
  }
  let turn = 0
  return {
    async check() {
      await run(next('zero'))
      const counts = await counted(page, () => run(next('one')))
      demand(text(page, 5) === 'again one' && text(page, SIZE - 1) === `title ${SIZE - 1}`, 'The page shows other rows.')
      return counts
    },
    before: () => next(++turn),
    run,
  }
}

const mount = (name, budgets, contenders) => ({
  name,
  about: 'a list on the page, from data that is in the store already',
  budgets,
  entries: () =>
    Object.fromEntries(
      contenders.map(contender => [
        contender.name,
        {
          async check() {
            const page = await open(contender)
            demand(text(page, SIZE - 1) === `title ${SIZE - 1}`, 'The last row is missing.')
            page.close()
          },
          before: () => ({ loaded: contender.load(makeRows(SIZE)), place: root.appendChild(document.createElement('div')) }),
          run(prepared) {
            prepared.page = contender.mount(prepared.loaded, prepared.place)
            return until(() => prepared.page.made.list.children.length === SIZE)
          },
          after({ page, place }) {
            page.unmount()
            place.remove()
          },
        },
      ]),
    ),
})

const counts = (who, limits) => Object.entries(limits).map(([what, atMost]) => ({ kind: 'count', count: `${who.name}: ${what}`, atMost }))

const rows = [
  overPages(
    'one field, signals in JSX, 10k rows',
    'one field of one row of a list on the page',
    [
      ...[live, querySignals].flatMap(who => counts(who, { mutations: 1, 'rows rendered': 0, 'lists rendered': 0 })),
      { kind: 'faster', who: live.name, than: preactQuery.name, atLeast: 10 },
    ],
    [...BY_SIGNALS, preactQuery],
    oneField,
  ),
  overPages('one field, memoised rows, 10k rows', 'the same, through a snapshot of the list', counts(snapshots, { mutations: 1, 'rows rendered': 1, 'lists rendered': 1 }), BY_MEMO, oneField),
  overPages(
    'refetch, 10k rows',
    'the server answers with the same list, one title different',
    [...counts(snapshots, { mutations: 1, 'rows rendered': 1, 'lists rendered': 1 }), ...counts(live, { mutations: 1, 'rows rendered': 0, 'lists rendered': 0 })],
    [...BY_MEMO, live, plainSignals],
    refetch,
  ),
  mount('mount, memoised rows, 10k rows', [{ kind: 'share', who: snapshots.name, of: plainPreact.name, atMost: 1.3 }], BY_MEMO),
  mount('mount, signals in JSX, 10k rows', [], BY_SIGNALS),
]

globalThis.packages = [...new Set([...BY_SIGNALS, ...BY_MEMO].flatMap(contender => contender.packages))]
globalThis.start = options => runRows(rows, options, globalThis.tell)
