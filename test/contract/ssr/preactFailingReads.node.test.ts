import { Component, h, type ComponentChild, type ComponentChildren } from 'preact'
import { Suspense } from 'preact/compat'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { DataProvider, useDLE, useSuspense } from '../../../bindings/preact/index.ts'
import { Controller } from '../../../src/index.ts'
import { TodoResource } from './preactApp.ts'

/** What one failing read, and `useDLE`, do to a page. */
const test = suite('preact: failing reads on a server')

// By names that the compiler does not look up, because their types ask for those of another Preact.
const { renderToString, renderToStringAsync } = (await import(String('preact-render-to-string'))) as {
  renderToString(page: ComponentChild): string
  renderToStringAsync(page: ComponentChild): Promise<string>
}
const { renderToReadableStream } = (await import(String('preact-render-to-string/stream'))) as { renderToReadableStream(page: ComponentChild): ReadableStream<Uint8Array> }

const modes: { readonly [mode: string]: (page: ComponentChild) => Promise<string> } = {
  string: async page => renderToString(page),
  async: renderToStringAsync,
  stream: page => new Response(renderToReadableStream(page)).text(),
}

class Boundary extends Component<{ children?: ComponentChildren }, { error?: Error }> {
  static override getDerivedStateFromError(error: Error): { error: Error } {
    return { error }
  }

  override render(): ComponentChildren {
    return this.state.error ? h('em', null, this.state.error.message) : this.props.children
  }
}

const Title = (): ComponentChild => h('p', null, useSuspense(TodoResource.get, { id: '1' }).title)
const ErrorText = (): ComponentChild => {
  const { data, loading, error } = useDLE(TodoResource.get, { id: '1' })
  return h('p', null, `${data?.title} ${loading} ${String(error)}`)
}

/** Renders a page whose network fails. */
async function load(mode: string, Body: () => ComponentChild, error?: Error): Promise<{ html: string; sent: number }> {
  let sent = 0
  const controller = new Controller({ retry: false, fetch: async () => (sent++, Response.json({}, { status: 404 })) })
  if (error) controller.setError(TodoResource.get, { id: '1' }, error)
  const body = h(Boundary, {}, h(Suspense, { fallback: h('i', null, 'waiting'), children: h(Body, {}) }))
  try {
    const html = await modes[mode]!(h('main', null, h(DataProvider, { controller }, body), h('b', null, 'tail'))).catch((thrown: Error) => `REJECTED ${thrown.message}`)
    return { html: html.replace(/<!--.*?-->/g, ''), sent }
  } finally {
    controller.dispose()
  }
}

test('a read that fails rejects the page as a string; in a stream the rest is sent, and Preact shows undefined instead', async () => {
  assert.match(await load('async', Title).then(({ html }) => html), /^REJECTED .*404/)
  const { html, sent } = await load('stream', Title)
  assert.match(html, '<main><i>waiting</i><b>tail</b></main>')
  assert.match(html, '>undefined</preact-island>')
  assert.not.match(html, '404')
  assert.is(sent, 1)
})

test('renderToString asks for nothing: it throws where a component suspends', async () => {
  const { html } = await load('string', Title)
  assert.match(html, /^REJECTED .*renderToStringAsync/)
})

test('an error that is stored is thrown, and not asked for again', async () => {
  for (const mode of ['string', 'async']) assert.equal(await load(mode, Title, new Error('failed')), { html: 'REJECTED failed', sent: 0 })
})

test('useDLE asks for nothing on a server: missing data is loading, a failed read is shown', async () => {
  for (const mode of Object.keys(modes)) {
    assert.equal(await load(mode, ErrorText), { html: '<main><p>undefined true undefined</p><b>tail</b></main>', sent: 0 })
    assert.equal(await load(mode, ErrorText, new Error('failed')), { html: '<main><p>undefined false Error: failed</p><b>tail</b></main>', sent: 0 })
  }
})

test.run()
