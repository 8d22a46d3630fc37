import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startSolidServer, type ServerProcess } from './solidProcess.ts'

/** What one failing read, and `useDLE`, do to a page. */
const test = suite('solid: failing reads on a server')

let server: ServerProcess
test.before(async () => {
  server = await startSolidServer('.')
})
test.after(() => server.stop())

const load = async (query: string): Promise<string> => (await fetch(`${server.url}?${query}`)).text()
const body = (html: string): string => html.slice(html.indexOf('<div id="app">'), html.indexOf('<script type="application/json"')).replace(/ data-hk="\w*"|<!--.*?-->/g, '')
const asked = async (): Promise<unknown> => (await fetch(`${server.url}asked`)).json()

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
    assert.match(await load(`mode=${mode}&id=none&failed`), /<em[^>]*>told<\/em>/)
    assert.equal(await asked(), { server: 0, page: 0 })
  }
})

test('useDLE asks for nothing on a server: missing data is loading, a failed read is shown', async () => {
  for (const mode of ['string', 'async', 'stream']) {
    assert.match(body(await load(`mode=${mode}&count`)), '<main><i>loading</i></main>')
    assert.match(body(await load(`mode=${mode}&count&failed`)), '<main><b></b></main>')
    assert.equal(await asked(), { server: 0, page: 0 })
  }
})

test.run()
