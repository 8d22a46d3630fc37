// A page on a server. Bundled once with each Preact, because a renderer and its components must share one.
import { h, type ComponentChild } from 'preact'
import * as whole from 'preact-render-to-string'
import * as pieces from 'preact-render-to-string/stream'
import { Controller, dehydrate, renderState, type ControllerOptions } from '../../../src/index.ts'
import { App, TodoResource } from './preactApp.ts'

// Their types ask for those of another Preact.
const { renderToString, renderToStringAsync } = whole as unknown as {
  renderToString(page: ComponentChild): string
  renderToStringAsync(page: ComponentChild): Promise<string>
}
const { renderToReadableStream } = pieces as unknown as { renderToReadableStream(page: ComponentChild): AsyncIterable<Uint8Array> }

/** Writes what stands inside of `<div id="app">`, the end of that, and the state. */
export async function writePage(write: (text: string) => void, mode: string, id: string | undefined, fetch: NonNullable<ControllerOptions['fetch']>): Promise<void> {
  const controller = new Controller({ retry: false, fetch })
  const page = h(App, { controller, id })
  if (mode === 'stream') {
    const decoder = new TextDecoder()
    let end = '</div>'
    // The first piece is the page as it is; the others say what becomes of it, and are no part of it.
    for await (const piece of renderToReadableStream(page)) {
      write(decoder.decode(piece, { stream: true }) + end)
      end = ''
    }
  } else {
    if (mode === 'string') await (id === undefined ? controller.fetch(TodoResource.getList) : controller.fetch(TodoResource.get, { id }))
    write(`${mode === 'string' ? renderToString(page) : await renderToStringAsync(page)}</div>`)
  }
  write(renderState(dehydrate(controller)))
  controller.dispose()
}
