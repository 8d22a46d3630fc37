import { makeRows } from './data.mjs'
import { offer } from './harness.mjs'
import { answers, atMost, firstRender, oneDifferent, oneField, overPages, sharedAuthor } from './pages.mjs'
import { plainStore } from './solid/createStore.mjs'
import { patchcord } from './solid/patchcord.mjs'
import { solidDb } from './solid/solidDb.mjs'
import { solidQueryDefault, solidQueryReconcile } from './solid/solidQuery.mjs'

const ALL = [patchcord, plainStore, solidQueryDefault, solidQueryReconcile, solidDb]
/** It keeps rows in the order of their keys. */
const ordered = ALL.filter(contender => contender !== solidDb)
const US = patchcord.name

const none = atMost(patchcord, { rows: 0 })
const one = atMost(patchcord, { mutations: 1, rows: 0 })

const swapped = (list, turn) => {
  const other = 2 + (turn % 90)
  return list.with(1, list[other]).with(other, list[1])
}

const rows = [
  overPages(
    'one field, 10k rows',
    'one field of one row of a list on the page',
    [
      ...one,
      { kind: 'growth', from: `${US} 1k`, to: US, atMost: 1.5 },
      { kind: 'share', who: US, of: plainStore.name, atMost: 2 },
      { kind: 'faster', who: US, than: solidQueryDefault.name, atLeast: 1000 },
      { kind: 'faster', who: US, than: solidDb.name, atLeast: 1000 },
    ],
    ALL,
    oneField,
    { sizes: [[1000, ' 1k'], [10_000, '']] },
  ),
  overPages(
    'refetch, 10k rows',
    'the server answers with the same list, one title different',
    [...one, { kind: 'faster', who: US, than: solidQueryReconcile.name, atLeast: 3 }],
    ALL,
    oneDifferent,
  ),
  firstRender('first render, 10k rows', [{ kind: 'share', who: US, of: plainStore.name, atMost: 1.15 }], ALL),
  overPages('shared author, 10k rows', 'the author of all rows gets another name', none, ALL, sharedAuthor, { rowsOf: size => makeRows(size, 1) }),
  overPages('swap, 10k rows', 'two rows are swapped in the answer', none, ordered, answers(swapped, 1)),
  overPages(
    'insert at top, 10k rows',
    'the answer has one more row, before all others',
    atMost(patchcord, { rows: 1 }),
    ordered,
    answers((list, turn) => [{ ...list[0], id: `new ${turn}`, title: `new ${turn}` }, ...list], 0),
  ),
  overPages('remove, 10k rows', 'the answer has one row less', none, ALL, answers((list, turn) => list.toSpliced(turn % 90, 1), 0, -1)),
  overPages('sort, 10k rows', 'the answer has the rows in reverse', none, ordered, answers(list => list.reverse(), 0, -1)),
]

offer(rows, ALL)
