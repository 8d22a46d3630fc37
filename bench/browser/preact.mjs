import { offer } from './harness.mjs'
import { atMost, firstRender, oneDifferent, oneField, overPages } from './pages.mjs'
import { live, querySignals, snapshots } from './preact/patchcord.mjs'
import { plainPreact, plainSignals } from './preact/plain.mjs'
import { preactQuery } from './preact/preactQuery.mjs'

const BY_SIGNALS = [live, querySignals, plainSignals]
const BY_MEMO = [snapshots, plainPreact, preactQuery]

const noRow = who => atMost(who, { mutations: 1, rows: 0, lists: 0 })
const oneRow = who => atMost(who, { mutations: 1, rows: 1, lists: 1 })

const rows = [
  overPages(
    'one field, signals in JSX, 10k rows',
    'one field of one row of a list on the page',
    [...noRow(live), ...noRow(querySignals), { kind: 'faster', who: live.name, than: preactQuery.name, atLeast: 10 }],
    [...BY_SIGNALS, preactQuery],
    oneField,
  ),
  overPages('one field, memoised rows, 10k rows', 'the same, through a snapshot of the list', oneRow(snapshots), BY_MEMO, oneField),
  overPages(
    'refetch, 10k rows',
    'the server answers with the same list, one title different',
    [...oneRow(snapshots), ...noRow(live)],
    [...BY_MEMO, live, plainSignals],
    oneDifferent,
  ),
  firstRender('mount, memoised rows, 10k rows', [{ kind: 'share', who: snapshots.name, of: plainPreact.name, atMost: 1.3 }], BY_MEMO),
  firstRender('mount, signals in JSX, 10k rows', [], BY_SIGNALS),
]

offer(rows, [...BY_SIGNALS, ...BY_MEMO])
