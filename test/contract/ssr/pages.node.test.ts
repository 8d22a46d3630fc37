import { h, type ComponentChild } from 'preact'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { DataProvider, useSuspense } from '../../../bindings/preact/index.ts'
import { Controller } from '../../../src/index.ts'
import { createClock } from '../../../src/testing/index.ts'
import { startHost, type Host } from './startHost.ts'
import { TodoResource } from './todos.ts'

const test = suite('what a server sends')

const hosts: { [framework: string]: Host } = {}
test.before(async () => {
  for (const framework of ['solid', 'preact']) hosts[framework] = await startHost(new URL(`${framework}Page.js`, import.meta.url))
})
test.after(async () => {
  for (const host of Object.values(hosts)) await host.stop()
})

/** The page without its scripts. */
const body = (html: string): string =>
  html.split('<div id="app">')[1]!.split('<script type="application/json"')[0]!.replace(/ data-hk="\w*"|<!--.*?-->/g, '')

const all = /^<main><ul><li>milk<\/li><li>.*<\/li><\/ul>(<b>2<\/b>)?<\/main>/
const waiting = /^<main><i>waiting<\/i><\/main>/
const list = /<i>waiting<\/i>.*<li>milk<\/li>/s
const undefinedLater = /^<main><i>waiting<\/i><b>tail<\/b><\/main>(?!.*404).*>undefined<\/preact-island>/s

/** What a page is in some modes, and how often the server has asked the API for it. */
type Row = readonly [title: string, modes: string, query: string, part: RegExp, requests: number]
const pages: Readonly<Record<string, readonly Row[]>> = {
  solid: [
    ['renderToString shows what is there', 'string', 'full', all, 1],
    ['renderToString asks for nothing: it shows the fallback', 'string string&id=none', '', waiting, 0],
    ['renderToStringAsync asks once and shows the answer', 'async async&above', '', all, 1],
    ['a stream sends the fallback, then the answer', 'stream stream&above', '', list, 1],
    ['what depends on another read is asked for too, had that to be or not', 'async async&full stream stream&full', 'note', /<p>milk<\/p>/, 2],
    ['a read that fails is shown by its boundary in a string', 'async', 'id=none', /<em>[^<]*404/, 1],
    ['a read that fails is sent as an error in a stream', 'stream', 'id=none', /<i>waiting<\/i>.*new Error\("[^"]*404/s, 1],
    ['an error that is stored is shown, and not asked for again', 'string async stream', 'id=none&failed', /<em>failed<\/em>/, 0],
    ['useDLE asks for nothing: missing data is loading', 'string async stream', 'count', /^<main><i>loading<\/i><\/main>/, 0],
    ['useDLE asks for nothing: a failed read is shown', 'string async stream', 'count&failed', /^<main><b><\/b><\/main>/, 0],
    ['useDLE shows what is there', 'string', 'full&count', /^<main><b>2<\/b><\/main>/, 1],
  ],
  preact: [
    ['renderToString shows what is there', 'string', 'full', all, 1],
    ['renderToString throws where a component suspends', 'string string&id=1&by=useSuspense', '', /^FAILED .*renderToStringAsync/, 0],
    ['renderToStringAsync asks once and shows the answer', 'async', '', all, 1],
    ['a signal is its text', 'async', 'id=1', /^<main><p>milk<\/p><b>tail<\/b><\/main>/, 1],
    ['a stream sends the fallback, then the answer', 'stream', '', list, 1],
    ['a read that fails rejects the page as a string', 'async async&by=useSuspense', 'id=none', /^FAILED .*404/, 1],
    ['a read that fails is undefined in a stream, and the rest of the page is sent', 'stream', 'id=none&by=useSuspense', undefinedLater, 1],
    ['an error that is stored is thrown, and not asked for again', 'string async', 'id=none&by=useSuspense&failed', /^FAILED Error: failed$/, 0],
    ['an error that is stored is shown by a boundary that the renderer asks', 'string', 'id=none&failed&boundaries', /<em>failed<\/em>/, 0],
    ['useDLE asks for nothing: missing data is loading', 'string async stream', 'id=none&by=useDLE', /^<main><p>undefined true undefined<\/p>/, 0],
    ['useDLE asks for nothing: a failed read is shown', 'string async stream', 'id=none&by=useDLE&failed', />undefined false Error: failed</, 0],
  ],
}
for (const framework of ['solid', 'preact']) {
  for (const [title, modes, query, part, requests] of pages[framework]!) {
    test(`${framework}: ${title}`, async () => {
      for (const mode of modes.split(' ')) {
        assert.match(body(await hosts[framework]!.load(`mode=${mode}&${query}`)), part, mode)
        assert.equal(await hosts[framework]!.asked(), { server: requests, page: 0 }, mode)
      }
    })
  }

  test(`${framework}: the state comes last and is inert: no text in it ends the element`, async () => {
    for (const mode of ['string&full', 'async', 'stream']) {
      const html = await hosts[framework]!.load(`mode=${mode}`)
      assert.not.match(html, '<script>alert(1)')
      const [, state = ''] = /<script type="application\/json" id="patchcord">(.*?)<\/script>$/s.exec(html)!
      assert.match(JSON.stringify(JSON.parse(state)), 'alert(1)')
    }
  })

  test(`${framework}: requests at one time share nothing`, async () => {
    const { load } = hosts[framework]!
    const [list = '', one = '', two = ''] = await Promise.all([load('mode=async'), load('mode=async&id=1'), load('mode=stream&id=2')])
    assert.match(body(list), all)
    assert.match(body(one), '<p>milk</p>')
    assert.not.match(one, 'alert(1)')
    assert.not.match(two, 'milk')
  })
}

test('solid: what the resource carries is a token, never data', async () => {
  const html = await hosts['solid']!.load('mode=stream')
  assert.not.match([...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, code]) => code).join('\n'), 'milk')
})

test('solid: of an error the page gets the message, the code and the status', async () => {
  for (const mode of ['async', 'stream']) {
    const html = await hosts['solid']!.load(`mode=${mode}&id=none`)
    assert.match(html, '<script type="application/json" id="patchcord">')
    // Neither what the other server answered, nor where this one keeps its files.
    assert.not.match(html, /FAILED|Headers|keep-alive|atob|\.js:\d/)
    assert.match(html, /code:"NETWORK",status:404/)
  }
})

test('preact: two reads of one component that are stale at once are each asked for once, however long the other takes', async () => {
  // By a name that the compiler does not look up, because its types ask for those of another Preact.
  const { renderToStringAsync } = (await import(String('preact-render-to-string'))) as { renderToStringAsync(page: ComponentChild): Promise<string> }
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
  const fleeting = TodoResource.get.extend({ dataExpiryLength: 0, invalidIfStale: true })
  const Both = (): ComponentChild => ['1', '2'].map(id => useSuspense(fleeting, { id }).title).join()
  const html = renderToStringAsync(h(DataProvider, { controller }, h(Both, {})))
  assert.match(await Promise.race([html, new Promise<string>(resolve => setTimeout(resolve, 100, 'nothing'))]), 'title 1,title 2')
  assert.equal(sent, ['/api/todos/1', '/api/todos/2'])
  controller.dispose()
})

test.run()
