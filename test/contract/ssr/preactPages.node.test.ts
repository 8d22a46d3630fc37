import { h, hydrate as hydratePage, options, render, type ComponentChild } from 'preact'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { DataProvider, useSuspense } from '../../../bindings/preact/index.ts'
import { Controller, dehydrate, hydrate, renderState } from '../../../src/index.ts'
import { createClock } from '../../../src/testing/index.ts'
import { mutations, settle } from '../bindings/preactStage.ts'
import { until } from '../bindings/wire.ts'
import { withDom } from '../../support/dom.ts'
import { serve, type Server } from '../rest/server.ts'
import { App, Todo, TodoResource } from './preactApp.ts'

/** A page from the server's first byte to its life in the browser. */
const test = suite('preact: pages from a server')
withDom(test)

interface Renderer {
  renderToString(page: ComponentChild): string
  renderToStringAsync(page: ComponentChild): Promise<string>
}
interface Streamer {
  renderToReadableStream(page: ComponentChild): ReadableStream<Uint8Array> & { allReady: Promise<void> }
}

const todos = [
  { id: '1', title: 'milk' },
  { id: '2', title: '</script><script>alert(1)</script>' },
]
let server: Server
let renderer: Renderer
let controllers: Controller[] = []

test.before(async () => {
  // By a name that the compiler does not look up, because its types ask for those of another Preact.
  renderer = (await import(String('preact-render-to-string'))) as Renderer
  server = await serve(({ url }, response) => {
    const id = url.split('/')[2]
    const found = id === undefined ? todos : todos.find(each => each.id === id)
    if (found === undefined) response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
    return found
  })
})
test.before.each(() => {
  server.seen.length = 0
})
test.after.each(() => {
  for (const controller of controllers) controller.dispose()
  controllers = []
})
test.after(() => server.close())

const make = (): Controller => {
  const controller = new Controller({ fetch: (path, init) => fetch(server.url + path, init), retry: false })
  controllers.push(controller)
  return controller
}
const asked = (): string[] => server.seen.map(({ method, url }) => `${method} ${url}`)
const page = async (id?: string): Promise<{ html: string; state: string }> => {
  const controller = make()
  const html = await renderer.renderToStringAsync(h(App, { controller, id }))
  return { html, state: renderState(dehydrate(controller)) }
}
const plain = (html: string): string => html.replace(/<!--.*?-->/g, '')

/** Puts a page where a browser would have it; what `hydrate` is to be given, and the elements that the server sent. */
function arrive({ html, state }: { html: string; state: string }): { root: HTMLElement; data: string; sent: Element[] } {
  document.body.innerHTML = `<div id="app">${html}</div>${state}`
  const root = document.getElementById('app')!
  return { root, data: document.getElementById('patchcord')?.textContent ?? '', sent: [...root.querySelectorAll('*')] }
}

test('renderToStringAsync asks once and shows the answer', async () => {
  const { html } = await page()
  assert.match(plain(html), '<main><ul><li>milk</li>')
  assert.not.match(html, 'waiting')
  assert.equal(asked(), ['GET /todos'])
})

test('renderToString shows what is there, and asks for nothing', async () => {
  const controller = make()
  controller.setResponse(TodoResource.getList, todos)
  assert.match(plain(renderer.renderToString(h(App, { controller }))), '<li>milk</li>')
  assert.equal(asked(), [])
})

test('a signal is its text', async () => {
  assert.match(plain((await page('1')).html), '<main><p>milk</p></main>')
  assert.equal(asked(), ['GET /todos/1'])
})

test('a stream sends the fallback, then the answer', async () => {
  const { renderToReadableStream } = (await import(String('preact-render-to-string/stream'))) as Streamer
  const controller = make()
  const stream = renderToReadableStream(h(App, { controller }))
  const html = await new Response(stream).text()
  const offsets = ['<i>waiting</i>', '<li>milk</li>'].map(each => html.indexOf(each))
  assert.ok(offsets[0]! >= 0 && offsets[1]! > offsets[0]!, html)
  assert.equal(asked(), ['GET /todos'])
})

test('what fails is shown by its boundary where the renderer asks boundaries, and ends the page otherwise', async () => {
  const failed = await page('none').catch((error: unknown) => error)
  assert.match((failed as Error).message, '404')
  const before = (options as { errorBoundaries?: boolean }).errorBoundaries
  ;(options as { errorBoundaries?: boolean | undefined }).errorBoundaries = true
  try {
    assert.equal(asked(), ['GET /todos/none'])
    const controller = make()
    controller.setError(TodoResource.get, { id: 'none' }, new Error('failed'))
    assert.match(plain(renderer.renderToString(h(App, { controller, id: 'none' }))), '<em>failed</em>')
  } finally {
    ;(options as { errorBoundaries?: boolean | undefined }).errorBoundaries = before
  }
})

test('pages at one time share nothing', async () => {
  const [list, one, two] = await Promise.all([page(), page('1'), page('2')])
  assert.match(list!.html, 'milk')
  assert.not.match(one!.html + one!.state, 'alert')
  assert.not.match(two!.html + two!.state, 'milk')
})

test('two reads of one component that are stale at once are each asked for once, however long the other takes', async () => {
  const clock = createClock(1e12)
  const sent: string[] = []
  const controller = new Controller({
    clock,
    fetch: url => {
      sent.push(url)
      clock.advance(5000)
      return sent.length > 4 ? new Promise(() => {}) : Promise.resolve(Response.json({ id: url.at(-1), title: `title ${url.at(-1)}` }))
    },
  })
  controllers.push(controller)
  const fleeting = TodoResource.get.extend({ dataExpiryLength: 0, invalidIfStale: true })
  const Both = (): ComponentChild => ['1', '2'].map(id => useSuspense(fleeting, { id }).title).join()
  const html = renderer.renderToStringAsync(h(DataProvider, { controller }, h(Both, {})))
  assert.match(await Promise.race([html, new Promise<string>(resolve => setTimeout(resolve, 100, 'nothing'))]), 'title 1,title 2')
  assert.equal(sent, ['/todos/1', '/todos/2'])
})

test('the state is inert: no text in it ends its element', async () => {
  const { html, state } = await page()
  assert.not.match(html + state, '<script>alert')
  const { data } = arrive({ html, state })
  assert.match(JSON.stringify(JSON.parse(data)), 'alert(1)')
})

for (const id of [undefined, '1']) {
  test(`hydration of ${id === undefined ? 'a list' : 'a signal'}: the server's elements stay, nothing is asked for, and they live`, async () => {
    const { root, data, sent } = arrive(await page(id))
    server.seen.length = 0
    const controller = make()
    assert.ok(hydrate(controller, data))
    // Preact 10 moves an element past the comments that mark a boundary; none is made.
    const touched = await mutations(root, () => hydratePage(h(App, { controller, id }), root))
    for (const { addedNodes } of touched) for (const node of addedNodes) assert.ok(node.nodeType !== 1 || sent.includes(node as Element))
    assert.equal([...root.querySelectorAll('*')], sent)
    controller.set(Todo, { id: '1' }, todo => void (todo.title = 'bread'))
    await settle()
    assert.match(root.textContent!, /^bread/)
    assert.equal([...root.querySelectorAll('*')], sent)
    assert.equal(asked(), [])
    render(null, root)
  })
}

test('a page that arrives without its state keeps its elements, and asks once', async () => {
  const { root, sent } = arrive({ ...(await page()), state: '' })
  server.seen.length = 0
  const controller = make()
  hydratePage(h(App, { controller }), root)
  await settle()
  assert.match(root.textContent!, 'milk')
  await until(() => controller.get(Todo, { id: '1' }) !== undefined)
  await settle()
  controller.set(Todo, { id: '1' }, todo => void (todo.title = 'bread'))
  await settle()
  assert.match(root.textContent!, 'bread')
  assert.ok(sent.filter(each => each.isConnected).length >= 2)
  assert.equal(asked(), ['GET /todos'])
  render(null, root)
})

test('a thousand pages leave nothing, and no timer', async () => {
  // It stands still: whatever is left to a timer stays.
  const clock = createClock(1e12)
  const heap = (): number => {
    globalThis.gc!()
    return process.memoryUsage().heapUsed
  }
  const many = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n++) {
      const controller = new Controller({ fetch: async () => Response.json(todos), clock })
      await renderer.renderToStringAsync(h(App, { controller }))
      controller.dispose()
    }
  }
  await many(500)
  await settle()
  const before = heap()
  await many(1000)
  await settle()
  const grown = heap() - before
  // A store that stayed would be more than 10 kB.
  assert.ok(grown < 2_000_000, `${grown} bytes`)
  assert.is(clock.pending, 0)
})

test.run()
