// A cold start, in a fresh process: node process.mjs <bundle> <file of the response>
// Prints the nanoseconds from the text of the bundle to the first view.
import { readFileSync } from 'node:fs'
import { runInThisContext } from 'node:vm'
import { stopwatch } from '../stopwatch.mjs'

// Node loads these when they are first touched, `fetch` in about 30 ms. A browser has them, so they are touched before.
const PLATFORM = ['AbortController', 'AbortSignal', 'Blob', 'BroadcastChannel', 'crypto', 'fetch', 'FormData', 'Headers', 'navigator', 'performance', 'Request', 'Response', 'URL']
for (const name of PLATFORM) void globalThis[name]

const [bundle, response] = process.argv.slice(2).map(file => readFileSync(file, 'utf8'))
const passed = stopwatch()
runInThisContext(bundle)
const seen = globalThis.app.start(response)
// As a page would: every row is looked at.
const names = seen.project.map(({ buildTypes, name }) => `${name}: ${buildTypes.buildType.map(each => each.name).join()}`)
const took = passed()

const { project } = JSON.parse(response)
const wanted = project.map(({ buildTypes, name }) => `${name}: ${buildTypes.buildType.map(each => each.name).join()}`)
if (names.join('\n') !== wanted.join('\n')) throw new Error('the first view is not what went in')
process.stdout.write(String(took))
