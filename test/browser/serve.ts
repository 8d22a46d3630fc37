import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join, normalize } from 'node:path'
import { listening } from '../support/listening.ts'

interface Served { readonly url: string; close(): Promise<void> }

const page = `<!doctype html><meta charset="utf-8"><title>suites</title><link rel="icon" href="data:,">
<script type="module" src="/entry.js"></script>`

/**
 * Serves a folder of scripts, and at `/` the page that loads its `entry.js`. Over HTTP and not from a
 * file, because storage, channels and modules need an origin.
 */
export async function serve(folder: string): Promise<Served> {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://localhost').pathname)
    if (path === '/') {
      response.setHeader('content-type', 'text/html').end(page)
      return
    }
    readFile(join(folder, path)).then(
      (content) => response.setHeader('content-type', path.endsWith('.js') ? 'text/javascript' : 'application/json').end(content),
      () => response.writeHead(404).end(),
    )
  })
  const { url, close } = await listening(server)
  return { url: `${url}/`, close }
}
