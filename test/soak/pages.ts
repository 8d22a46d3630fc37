// node --expose-gc pages.js [renders = 10000]
// INV-34: a server that renders page after page, each with a store of its own: by Solid, by Preact, waiting for the
// answer and not. Nothing of it may stay, and the process ends by itself.
import { queryObjects } from 'node:v8'
import { h, type ComponentChild } from 'preact'
import * as preact from 'preact-render-to-string'
import { createComponent } from 'solid-js'
import { isServer, renderToString as solidString, renderToStringAsync as solidAsync } from 'solid-js/web'
import { Controller, dehydrate, renderState } from '../../src/index.ts'
import { App as PreactApp, TodoResource as PreactTodos } from '../ssr/preactApp.ts'
import { App as SolidApp, TodoResource as SolidTodos } from '../ssr/solidApp.ts'
import { heapUsed, slope, type Sample } from './heap.ts'

if (!isServer) throw new Error('This is not the server build of Solid.')

// Its types ask for those of another Preact.
const { renderToString: preactString, renderToStringAsync: preactAsync } = preact as unknown as {
  renderToString(page: ComponentChild): string
  renderToStringAsync(page: ComponentChild): Promise<string>
}

// Whole rounds, so that the last page before each look is of one kind: every page is one of thirty.
const [wanted = 10_000] = process.argv.slice(2).map(Number)
const STEPS = 10
const step = Math.ceil(wanted / STEPS / 30) * 30
const MAX_GROWTH = 2 * 2 ** 20
const todos = Array.from({ length: 20 }, (_, i) => ({ id: `${i}`, title: `todo ${i}` }))

async function page(n: number): Promise<string> {
  // Every page asks for something else, as every visitor does.
  const id = n % 3 === 0 ? `${n}` : undefined
  const answer = id === undefined ? todos : { id, title: `todo ${n}` }
  const controller = new Controller({ fetch: async () => Response.json(answer) })
  const inSolid = n % 2 === 0
  const early = n % 5 === 0
  if (early) {
    const { get, getList } = (inSolid ? SolidTodos : PreactTodos) as typeof SolidTodos
    await (id === undefined ? controller.fetch(getList) : controller.fetch(get, { id }))
  }
  const solid = (): ReturnType<typeof SolidApp> => createComponent(SolidApp, { controller, id })
  const html = inSolid ? (early ? solidString(solid) : await solidAsync(solid)) : early ? preactString(h(PreactApp, { controller, id })) : await preactAsync(h(PreactApp, { controller, id }))
  const whole = html + renderState(dehydrate(controller))
  controller.dispose()
  return whole
}

const samples: Sample[] = []
const objects: number[] = []
const faults: string[] = []
console.log('pages,heap,objects')
for (let n = 0; n < step * STEPS; ) {
  for (const end = n + step; n < end; n++) {
    const html = await page(n)
    if (!html.includes(n % 3 === 0 ? `>todo ${n}<` : '>todo 19<')) faults.push(`Page ${n} is not what it should be: ${html.slice(0, 300)}`)
  }
  samples.push({ operations: n, heap: await heapUsed() })
  if (n % (step * (STEPS / 2)) === 0) {
    // Bytes go up and down by some 100 kB with what the engine makes of code; objects are counted exactly.
    objects.push(queryObjects(Object, { format: 'count' }))
    const controllers = queryObjects(Controller, { format: 'count' })
    // The frameworks hold on to the page that they rendered last.
    if (controllers > 1) faults.push(`${controllers} controllers are left after ${n} pages.`)
  }
  console.log(`${n},${samples.at(-1)!.heap},${objects.at(-1) ?? ''}`)
}
const second = samples.slice(STEPS / 2 - 1)
const growth = second.at(-1)!.heap - second[0]!.heap
// What this file notes down is not counted.
const more = objects[1]! - objects[0]! - STEPS / 2
// The streams that this writes to are no business of ours.
const held = process.getActiveResourcesInfo().filter(name => !/^(Pipe|TTY|File)/.test(name))
const summary = `${step * STEPS} pages; in the second half ${more} objects more, slope ${slope(second).toFixed(2)} B/page, growth ${growth} B; ${held.length} handles`
console.log(summary)
if (held.length > 0) faults.push(`Still open: ${held.join(', ')}`)
// One object for every tenth page would be a leak, however small.
if (more > (step * STEPS) / 20) faults.push(`Objects stay: ${summary}.`)
if (growth > MAX_GROWTH) faults.push(`The heap has grown: ${summary}.`)
for (const fault of faults.slice(0, 10)) console.error(fault)
process.exitCode = faults.length > 0 ? 1 : 0
