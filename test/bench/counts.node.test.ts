import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { withDom } from '../support/dom.ts'
import { countFaults, readCounts } from './counts.ts'
import { pageCounts } from './page.ts'
import { coreCounts } from './scenarios.ts'

const test = suite('counts')

withDom(test)

// Times differ from machine to machine; what is done does not. Who changes a number on purpose writes it down with
// `npm run bench:counts -- --write`, and the difference is seen in the review.
test('patches, wakes, pages, requests and changes of a page are those that are written down', async () => {
  const faults = countFaults(readCounts(), { ...(await coreCounts()), ...pageCounts() })
  assert.equal(faults, [], `${faults.join('\n')}\nIf that is meant: npm run bench:counts -- --write, and say why in the changelog.`)
})

test('a count that is more, less, new or gone is named', () => {
  assert.equal(countFaults({ a: { patches: 1, wakes: 2 }, b: { pages: 3 } }, { a: { patches: 2, wakes: 2, commits: 1 } }), [
    'a: patches was 1, is 2.',
    'a: commits is not written down, is 1.',
    'b: pages was 3, is no longer counted.',
  ])
})

test.run()
