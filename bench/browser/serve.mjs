import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { basename, join } from 'node:path'

// No list items: a browser counts them, and counts all again for each one that moves. That would be what is measured.
const page = `<!doctype html><meta charset="utf-8"><title>bench</title><link rel="icon" href="data:,"><style>li { display: block }</style><div id="app"></div>
<script type="module" src="/page.js"></script>`

/** Serves the page and its scripts. Isolated, because only then the clock of a page ticks every 5 µs and not every 100. */
export async function serve(folder) {
  const server = createServer((request, response) => {
    response.setHeader('cross-origin-opener-policy', 'same-origin').setHeader('cross-origin-embedder-policy', 'require-corp')
    if (request.url === '/') return response.setHeader('content-type', 'text/html').end(page)
    readFile(join(folder, basename(request.url))).then(
      script => response.setHeader('content-type', 'text/javascript').end(script),
      () => response.writeHead(404).end(),
    )
  })
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() }
}
