// A server in a process of its own: Solid's server build comes with the plain conditions of Node.
//   node build/test/contract/ssr/host.js MODULE FOLDER    serves the pages of MODULE, an API, and scripts from FOLDER
import { readFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { todos, type Answer } from './todos.ts'

const [module = '', folder = '.'] = process.argv.slice(2)
const { answer } = (await import(module)) as { answer: Answer }
/** Requests to the API since the last page, by who asked. */
const asked = { server: 0, page: 0 }
/** The API answers an early page only after `/release`. */
let released: Promise<void> | undefined
let release = (): void => {}

const json = (response: ServerResponse, body: unknown, status = 200): unknown =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  if (pathname.startsWith('/api/')) {
    await released
    // Later than the shell of the page.
    await new Promise(resolve => setTimeout(resolve, 20))
    asked[request.headers['x-from'] === 'server' ? 'server' : 'page']++
    const id = pathname.split('/')[3]
    const found = id === undefined ? todos : todos.find(each => each.id === id)
    json(response, found ?? { message: 'none' }, found ? 200 : 404)
  } else if (pathname === '/asked') json(response, asked)
  else if (pathname === '/release') response.end(release())
  else if (pathname === '/favicon.ico') response.writeHead(204).end()
  else if (pathname.endsWith('.js')) response.setHeader('content-type', 'text/javascript').end(await readFile(join(folder, pathname)))
  else {
    asked.server = asked.page = 0
    released = searchParams.has('early') ? new Promise(resolve => (release = resolve)) : undefined
    try {
      await answer(response, `http://127.0.0.1:${(server.address() as AddressInfo).port}`, searchParams)
    } catch (error) {
      response.end(`FAILED ${String(error)}`)
    }
  }
})

server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
// The one who started it goes, or says so by closing the pipe.
process.stdin.resume().on('end', () => process.exit())
