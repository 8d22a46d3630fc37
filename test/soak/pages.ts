// node --expose-gc --no-opt pages.js [renders = 10000]
// INV-34: a server that renders page after page, each with a store of its own: by Solid, by Preact, waiting for the
// answer and not. Nothing of it may stay, and the process ends by itself. Bytes are counted in snapshots, where code is
// a kind of its own: it grows with what the engine learns of types, however long a server runs, and is not judged here.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { queryObjects } from 'node:v8'
import { h, type ComponentChild } from 'preact'
import * as preact from 'preact-render-to-string'
import { createComponent } from 'solid-js'
import { isServer, renderToString as solidString, renderToStringAsync as solidAsync } from 'solid-js/web'
import { Controller, dehydrate, renderState } from '../../src/index.ts'
import { App as PreactApp } from '../contract/ssr/preactApp.ts'
import { App as SolidApp } from '../contract/ssr/solidApp.ts'
import { TodoResource } from '../contract/ssr/todos.ts'
import { grown, readCensus } from './census.ts'
import { heapUsed, steadySlope } from './heap.ts'

if (!isServer) throw new Error('This is not the server build of Solid.')

// Its types ask for those of another Preact.
const { renderToString: preactString, renderToStringAsync: preactAsync } = preact as unknown as {
  renderToString(page: ComponentChild): string
  renderToStringAsync(page: ComponentChild): Promise<string>
}

// Whole rounds, so that the last page before each look is of one kind: every page is one of thirty.
const [wanted = 10_000] = process.argv.slice(2).map(Number)
const STEPS = wanted < 1_000 ? 4 : 10
const step = Math.ceil(wanted / STEPS / 30) * 30
/** Bytes that a page may leave; in a short run what is there once and for all weighs more. */
const MAX_DATA = wanted < 10_000 ? 20 : 1
const todos = Array.from({ length: 20 }, (_, i) => ({ id: `${i}`, title: `todo ${i}` }))

async function page(n: number): Promise<string> {
  // Every page asks for something else, as every visitor does.
  const id = n % 3 === 0 ? `${n}` : undefined
  const answer = id === undefined ? todos : { id, title: `todo ${n}` }
  const controller = new Controller({ fetch: async () => Response.json(answer) })
  const inSolid = n % 2 === 0
  const early = n % 5 === 0
  if (early) await (id === undefined ? controller.fetch(TodoResource.getList) : controller.fetch(TodoResource.get, { id }))
  const solid = (): ReturnType<typeof SolidApp> => createComponent(SolidApp, { controller, id })
  const html = inSolid ? (early ? solidString(solid) : await solidAsync(solid)) : early ? preactString(h(PreactApp, { controller, id })) : await preactAsync(h(PreactApp, { controller, id }))
  const whole = html + renderState(dehydrate(controller))
  controller.dispose()
  return whole
}

/** The frameworks hold on to what they rendered last: something that has no store. */
function nothing(): void {
  solidString(() => '')
  preactString(h('p', {}))
}

const looks: number[] = []
const faults: string[] = []
const folder = mkdtempSync(join(tmpdir(), 'pages-'))
const file = (pages: number): string => join(folder, `${pages}.heapsnapshot`)
for (let n = 0; n < step * STEPS; ) {
  for (const end = n + step; n < end; n++) {
    const html = await page(n)
    if (!html.includes(n % 3 === 0 ? `>todo ${n}<` : '>todo 19<')) faults.push(`Page ${n} is not what it should be: ${html.slice(0, 300)}`)
  }
  nothing()
  // The first half is for the engine to get warm, and so is the first look.
  if (n > step && n < step * (STEPS / 2)) continue
  await heapUsed(file(n))
  looks.push(n)
}
const controllers = queryObjects(Controller, { format: 'count' })
// The streams that this writes to are no business of ours.
const active = process.getActiveResourcesInfo().filter(name => !/^(Pipe|TTY|File)/.test(name))

console.log('pages,data,code,objects')
const heaps = looks.slice(1).map(pages => ({ pages, ...readCensus(file(pages)) }))
rmSync(folder, { recursive: true })
for (const { pages, data, code, objects } of heaps) console.log(`${pages},${data},${code},${objects}`)
const rate = (what: 'data' | 'code' | 'objects'): number => steadySlope(heaps.map(heap => ({ operations: heap.pages, heap: heap[what] })))
const summary = `${step * STEPS} pages; each of the second half leaves ${rate('data').toFixed(2)} B of data, ${rate('objects').toFixed(3)} objects and ${rate('code').toFixed(2)} B of code; ${active.length} handles`
console.log(summary)
if (active.length > 0) faults.push(`Still open: ${active.join(', ')}`)
if (controllers > 0) faults.push(`${controllers} controllers are left.`)
// One object for every tenth page would be a leak, however small.
if (rate('objects') > 0.1) faults.push(`Objects stay: ${summary}.`)
if (rate('data') > MAX_DATA) faults.push(`Data stays: ${summary}.\n  ${grown(heaps.at(-2)!, heaps.at(-1)!).join('\n  ')}`)
for (const fault of faults.slice(0, 10)) console.error(fault)
process.exitCode = faults.length > 0 ? 1 : 0
