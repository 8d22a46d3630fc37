import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startSolidServer, type ServerProcess } from './solidProcess.ts'

const test = suite('solid: what a server sends')

let server: ServerProcess
test.before(async () => {
  server = await startSolidServer('.')
})
test.after(() => server.stop())

const load = async (query: string): Promise<string> => (await fetch(`${server.url}?${query}`)).text()
/** The page without its scripts. */
const body = (html: string): string => html.slice(html.indexOf('<div id="app">'), html.indexOf('<script type="application/json"')).replace(/ data-hk="\w*"|<!--.*?-->/g, '')
const asked = async (): Promise<{ server: number; page: number }> =>
  (await (await fetch(`${server.url}asked`)).json()) as { server: number; page: number }
const milk = '<li>milk</li>'

test('renderToString shows what is there, and asks for nothing', async () => {
  assert.match(body(await load('mode=string&full')), milk)
  assert.is((await asked()).server, 1)
  const empty = body(await load('mode=string'))
  assert.match(empty, '<i>waiting</i>')
  assert.not.match(empty, '<li>')
  assert.is((await asked()).server, 0)
})

test('useDLE asks for nothing on a server: missing data is loading, as when the page begins, and a failed read is shown', async () => {
  for (const mode of ['string', 'async', 'stream']) {
    assert.match(body(await load(`mode=${mode}&count`)), '<main><i>loading</i></main>')
    assert.equal(await asked(), { server: 0, page: 0 })
    assert.match(body(await load(`mode=${mode}&count&failed`)), '<main><b></b></main>')
    assert.equal(await asked(), { server: 0, page: 0 })
  }
  assert.match(body(await load('mode=string&full&count')), '<main><b>2</b></main>')
})

test('renderToStringAsync asks once and shows the answer', async () => {
  for (const above of ['', '&above']) {
    const html = await load(`mode=async${above}`)
    assert.match(body(html), milk)
    assert.not.match(body(html), 'waiting')
    assert.equal(await asked(), { server: 1, page: 0 })
  }
})

test('renderToStream sends the fallback, then the answer, then the state', async () => {
  for (const above of ['', '&above']) {
    const html = await load(`mode=stream${above}`)
    const order = ['<i', 'milk</li>', '<script type="application/json" id="patchcord">'].map(each => html.indexOf(each))
    assert.not.ok(order.includes(-1), html)
    assert.equal(order, order.toSorted((a, b) => a - b))
    assert.equal(await asked(), { server: 1, page: 0 })
  }
})

test('what depends on another read is asked for too, whether that had to be or not', async () => {
  for (const mode of ['async', 'stream']) {
    for (const full of ['', '&full']) {
      assert.match(await load(`mode=${mode}${full}&note`), /<p[^>]*>milk<\/p>/)
      assert.equal(await asked(), { server: 2, page: 0 })
    }
  }
})

test('the state is inert: no text in it ends the element', async () => {
  for (const mode of ['string&full', 'async', 'stream']) {
    const html = await load(`mode=${mode}`)
    assert.not.match(html, '<script>alert(1)')
    const state = /<script type="application\/json" id="patchcord">(.*?)<\/script>/s.exec(html)![1]!
    assert.match(JSON.stringify(JSON.parse(state)), 'alert(1)')
  }
})

test('what the resource carries is a token, never data', async () => {
  const html = await load('mode=stream')
  const scripts = [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, code]) => code).join('\n')
  assert.not.match(scripts, 'milk')
})

test('an error on the server is shown by its boundary, and the page ends', async () => {
  for (const mode of ['async', 'stream']) {
    const html = await load(`mode=${mode}&id=none`)
    assert.match(html, /404/)
    assert.not.match(html, 'FAILED')
    assert.match(html, '</script>')
    // Of the error the page gets the message alone, and not what the other server answered, nor where this one keeps its files.
    assert.not.match(html, /Headers|keep-alive|atob|\.js:\d/)
  }
})

test('requests at one time share nothing', async () => {
  const pages = await Promise.all([load('mode=async'), load('mode=async&id=1'), load('mode=stream&id=2')])
  assert.match(body(pages[0]!), '<ul>')
  assert.match(body(pages[1]!), '<p>milk</p>')
  assert.not.match(pages[1]!, 'alert(1)')
  assert.not.match(pages[2]!, 'milk')
})

test('a read that fails is shown by its boundary in a string, and sent as an error in a stream; the rest of the page is sent', async () => {
  for (const [mode, part] of [
    ['async', /<em[^>]*>[^<]*404/],
    ['stream', /<i>waiting<\/i>.*new Error\("[^"]*404/s],
  ] as const) {
    const html = await load(`mode=${mode}&id=none`)
    assert.match(html, part)
    assert.match(html, '<script type="application/json" id="patchcord">')
    assert.equal(await asked(), { server: 1, page: 0 })
  }
})

test('renderToString asks for nothing: it shows the fallback, or an error that is stored', async () => {
  assert.match(body(await load('mode=string&id=none')), '<i>waiting</i>')
  for (const mode of ['string', 'async', 'stream']) {
    assert.match(await load(`mode=${mode}&id=none&failed`), /<em[^>]*>failed<\/em>/)
    assert.equal(await asked(), { server: 0, page: 0 })
  }
})

test.run()
