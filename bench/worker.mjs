// Measures, in a process of its own: node --expose-gc worker.mjs <json of { suite, rows, effort }>
// Tells the parent over the channel what it has, so that drawing a table never disturbs a measurement.
import { LOADED } from './production.mjs'
import { loadContenders } from './contenders/index.mjs'
import { EFFORT } from './measure.mjs'
import { payloadDigest, payloadText } from './payload.mjs'
import { runRow } from './row.mjs'

const { suite, rows: wanted, effort } = JSON.parse(process.argv[2])

/** The channel must be empty before the process may end, or the last row is lost. */
const tell = message => new Promise(done => (process.send ? process.send(message, done) : (console.log(JSON.stringify(message)), done(null))))

// Whoever asked is gone, or all is told.
process.on('disconnect', () => process.exit())

const { rows } = await import(`./suites/${suite}.mjs`)
const { contenders, missing } = await loadContenders()
await tell({
  begin: {
    missing,
    contenders: contenders.map(({ name }) => name),
    loaded: LOADED,
    environment: process.env.NODE_ENV,
    packages: contenders.flatMap(({ packages }) => packages),
    payload: { bytes: payloadText.length, digest: payloadDigest },
  },
})

for (const row of rows.filter(({ name }) => wanted.includes(name))) {
  globalThis.gc?.()
  let told = 0
  const progress = share => {
    // Ten lines a row, not one a round: each of them wakes the parent on the other core.
    if (share < told) return
    told = share + 0.1
    void tell({ progress: { row: row.name, share } })
  }
  await tell({ progress: { row: row.name, share: 0 } })
  await tell({ row: { ...(await runRow(row, contenders, EFFORT[effort], progress)), sizes: row.sizes } })
}
process.disconnect?.()
