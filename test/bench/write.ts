// npm run bench:counts            what is counted, and where it differs from what is written down
// npm run bench:counts -- --write  writes it down
import { withDom } from '../support/dom.ts'
import { countFaults, countsFile, readCounts, writeCounts } from './counts.ts'
import { pageCounts } from './page.ts'
import { coreCounts } from './scenarios.ts'

let closeDom = (): void => {}
withDom({ before: open => open(), after: close => void (closeDom = close) })
const counted = { ...(await coreCounts()), ...pageCounts() }
closeDom()

for (const [scenario, counts] of Object.entries(counted)) {
  console.log(scenario)
  for (const [name, count] of Object.entries(counts)) console.log(`    ${name.padEnd(22)} ${count}`)
}
if (process.argv.includes('--write')) {
  writeCounts(counted)
  console.log(`Written to ${countsFile}.`)
} else {
  const faults = countFaults(readCounts(), counted)
  for (const fault of faults) console.log(fault)
  console.log(faults.length === 0 ? `All as ${countsFile} says.` : `${countsFile} says otherwise. If that is meant: npm run bench:counts -- --write`)
  process.exitCode = faults.length === 0 ? 0 : 1
}
