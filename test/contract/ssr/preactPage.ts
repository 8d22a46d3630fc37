// A page of Preact on a server. Bundled once with each Preact, because a renderer and its components must share one.
import { h, options, type ComponentChild } from 'preact'
import * as whole from 'preact-render-to-string'
import * as pieces from 'preact-render-to-string/stream'
import { dehydrate, renderState } from '../../../src/index.ts'
import { App, type AppProps } from './preactApp.ts'
import { makeController, writeHead, type Answer } from './todos.ts'

// Their types ask for those of another Preact.
const { renderToString, renderToStringAsync } = whole as unknown as {
  renderToString(page: ComponentChild): string
  renderToStringAsync(page: ComponentChild): Promise<string>
}
const { renderToReadableStream } = pieces as unknown as { renderToReadableStream(page: ComponentChild): AsyncIterable<Uint8Array> }

export const answer: Answer = async (response, origin, query) => {
  const controller = await makeController(origin, query)
  const page = h(App, { controller, id: query.get('id') ?? undefined, by: (query.get('by') ?? undefined) as AppProps['by'] })
  ;(options as { errorBoundaries?: boolean }).errorBoundaries = query.has('boundaries')
  writeHead(response, query)
  try {
    if (query.get('mode') === 'stream') {
      let end = '</div>'
      // The first piece is the page as it is; the others say what becomes of it, and are no part of it.
      for await (const piece of renderToReadableStream(page)) {
        response.write(piece)
        response.write(end)
        end = ''
      }
    } else response.write(`${query.get('mode') === 'string' ? renderToString(page) : await renderToStringAsync(page)}</div>`)
    response.end(query.has('stateless') ? '' : renderState(dehydrate(controller)))
  } finally {
    controller.dispose()
  }
}
