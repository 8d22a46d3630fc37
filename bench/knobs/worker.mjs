// Measures a suite over values of a knob, in a process of its own: the values take turns, as contenders do.
import '../production.mjs'
import './register.mjs'
import { EFFORT, measure } from '../measure.mjs'
import { pin, quietest } from '../pin.mjs'

const { effort, filter, input, knob, suite, values } = JSON.parse(process.argv[2])
const tell = message => new Promise(done => (process.send ? process.send(message, done) : (console.log(JSON.stringify(message)), done(null))))
const named = (entry, value) => `${entry === 'patchcord' ? '' : `${entry}, `}${knob}=${value}`

// The parent process has ended, or everything is reported.
process.on('disconnect', () => process.exit())

/** The rows of the suite, over the library with one value. */
async function rowsWith(value) {
  const query = `knob=${knob}~${value}`
  if (suite === 'tune') return { rows: await (await import(`./tune.mjs?${query}`)).rowsOf(input), contenders: [] }
  const [{ rows }, { contender }] = await Promise.all([import(`../suites/${suite}.mjs?${query}`), import(`../contenders/patchcord.mjs?${query}`)])
  return { rows, contenders: [contender] }
}

async function gauge(sides, progress) {
  const all = { values: {}, counts: {}, notes: [] }
  for (const [at, { contenders, row, value }] of sides.entries()) {
    progress(at / sides.length)
    // Processes that the row starts see it.
    process.env['BENCH_KNOB'] = `${knob}~${value}`
    const { counts, note, unit, values } = await row.gauge(contenders, () => {})
    Object.assign(all, { unit })
    for (const [name, amount] of Object.entries(values)) all.values[named(name, value)] = amount
    for (const [name, count] of Object.entries(counts ?? {})) all.counts[named(name, value)] = count
    if (note) all.notes.push(`${value}: ${note}`)
  }
  delete process.env['BENCH_KNOB']
  return { unit: all.unit, values: all.values, counts: all.counts, note: all.notes.join('; ') || undefined }
}

async function time(sides, progress) {
  const entries = {}
  for (const { contenders, row, value } of sides) {
    for (const [name, entry] of Object.entries(row.setup(contenders).entries)) {
      try {
        await entry.check?.()
      } catch (error) {
        throw new Error(`${row.name} with ${knob}=${value} gives a wrong result: ${/** @type {Error} */ (error).message}`, { cause: error })
      }
      entries[named(name, value)] = entry
    }
  }
  pin(quietest())
  return { timings: await measure(entries, EFFORT[effort], progress) }
}

try {
  const sides = []
  for (const value of values) sides.push({ value, ...(await rowsWith(value)) })
  const names = sides[0].rows.map(({ name }) => name)
  const wanted = names.filter(name => name.toLowerCase().includes(filter.toLowerCase()))
  await tell({ begin: { names, wanted } })
  for (const name of wanted) {
    globalThis.gc?.()
    const row = sides.map(({ contenders, rows, value }) => ({ contenders, value, row: rows.find(row => row.name === name) }))
    const progress = share => void tell({ progress: { row: name, share } })
    await tell({ progress: { row: name, share: 0 } })
    const measured = row[0].row.gauge ? await gauge(row, progress) : await time(row, progress)
    await tell({ row: { name, about: row[0].row.about, ...measured, verdicts: [] } })
  }
} catch (error) {
  await tell({ failed: /** @type {Error} */ (error).message })
  process.exitCode = 1
}
process.disconnect?.()
