import { suite } from 'uvu'
import { applyPatches } from '../../src/index.ts'
import type { State } from '../../src/index.ts'
import { difference, readRow } from '../adapter.ts'
import { Coverage } from './coverage.ts'
import { documentOf, orderOf, sameDocuments, type Document } from './document.ts'
import { histories, walk, type Change } from './history.ts'
import { same } from '../support/same.ts'
import { broken, law } from '../support/settings.ts'
import { Watch } from './watch.ts'
import { makeZoo } from './zoo.ts'

const test = suite('laws: inverse')

/** Half of the kinds do what the defaults do by default, half by overridden methods. */
const zoo = [...makeZoo(), ...makeZoo(new Watch())]

const coverage = new Coverage()

law(test, 'INV-06 Applying patches and then their inverse gives back every record, result, list order and the order of All', 20_000, histories(zoo), history => {
  walk(history, change => {
    coverage.see(change.patches)
    const before = documentOf(change.before)
    const back = applyPatches(change.after, change.inverse)
    checkBack('the inverse patches', before, back, change)
    keepsUntouched(change, change.after, before)
    keepsUntouched(change, back, before)
  })
  coverage.run()
}, () => coverage.finish())

law(test, 'INV-06 The difference of two versions, read backwards, is an inverse too', 3_000, histories(zoo), history => {
  walk(history, change => {
    const backwards = difference(change.after, change.before).patches
    checkBack('the difference', documentOf(change.before), applyPatches(change.after, backwards), change)
  })
})

function checkBack(what: string, before: Document, back: State, change: Change): void {
  const after = documentOf(back)
  if (!sameDocuments(before, after)) broken(`${what} did not lead back`, change.patches, change.inverse, before, after)
  if (!same(orderOf(before), orderOf(after))) broken(`${what} changed the order of rows`, change.inverse, orderOf(before), orderOf(after))
}

/** Rows that no patch names keep their very reference; so do fields that are equal. */
function keepsUntouched({ patches }: Change, next: State, before: Document): void {
  const touched = new Set(patches.map(({ path }) => JSON.stringify(path.slice(0, 3))))
  for (const [key, table] of before.entities) {
    for (const [pk, record] of table) {
      const row = readRow(next, key, pk)
      if (row === record) continue
      if (!touched.has(JSON.stringify(['entities', key, pk]))) broken(`the row ${key} ${pk} is a new object though no patch names it`)
    }
  }
}

test.run()
