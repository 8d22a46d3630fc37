// The server of the guide to Solid, in a process of its own: Solid's server build comes with the plain conditions of Node.
//   node build/test/contract/docs/solidHost.js MODULE FOLDER    serves what MODULE answers, an API, and scripts from FOLDER
import { readFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

const [module = '', folder = '.'] = process.argv.slice(2)
const { answer } = (await import(module)) as { answer(response: ServerResponse, api: string): void }
/** How often the API was asked. */
let asked = 0

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost')
  if (pathname.startsWith('/api/')) {
    asked++
    // Later than the shell of the page.
    setTimeout(() => response.setHeader('content-type', 'application/json').end(JSON.stringify([{ id: '1', title: 'sow' }])), 20)
  } else if (pathname === '/asked') response.end(String(asked))
  else if (pathname === '/favicon.ico') response.writeHead(204).end()
  else if (pathname.endsWith('.js')) void readFile(join(folder, pathname)).then(script => response.setHeader('content-type', 'text/javascript').end(script))
  else answer(response, `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})

server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
// The one who started it goes, or says so by closing the pipe.
process.stdin.resume().on('end', () => process.exit())
