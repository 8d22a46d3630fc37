// An application on a server, in a process of its own: Solid's server build comes with the plain conditions of Node.
//   node build/test/contract/ssr/solidServer.js FOLDER    serves pages, an API, and the client's script from FOLDER
import { readFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createComponent } from 'solid-js'
import { generateHydrationScript, isServer, renderToStream, renderToString, renderToStringAsync } from 'solid-js/web'
import { Controller, dehydrate, renderState } from '../../../src/index.ts'
import { App, getFleeting, TodoResource, type AppProps } from './solidApp.ts'

if (!isServer) throw new Error('This is not the server build of Solid.')

const todos = [
  { id: '1', title: 'milk' },
  { id: '2', title: '</script><script>alert(1)</script>' },
]
/** Requests to the API, by who asked. */
const asked = { server: 0, page: 0 }
/** Lets go what an early page waits for. */
let release = (): void => {}
const folder = process.argv[2] ?? '.'

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://localhost')
  if (url.pathname.startsWith('/api/')) return void setTimeout(() => api(url, request.headers['x-from'] === 'server', response), 20)
  if (url.pathname === '/release') return void response.end(release())
  if (url.pathname === '/asked') return void json(response, asked)
  if (url.pathname.endsWith('.js')) {
    readFile(join(folder, url.pathname)).then(
      script => response.setHeader('content-type', 'text/javascript').end(script),
      () => response.writeHead(404).end(),
    )
    return
  }
  response.setHeader('content-type', 'text/html; charset=utf-8')
  page(url, response).catch((error: unknown) => response.end(`FAILED ${String(error)}`))
})

function api(url: URL, fromServer: boolean, response: ServerResponse): void {
  asked[fromServer ? 'server' : 'page']++
  const id = url.pathname.split('/')[3]
  const found = id === undefined ? todos : todos.find(each => each.id === id)
  json(response, found ?? { message: 'none' }, found ? 200 : 404)
}

function json(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function page(url: URL, response: ServerResponse): Promise<void> {
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  asked.server = asked.page = 0
  // An early script runs while the page still comes in; a module that is not async waits for all of it.
  const early = url.searchParams.has('early')
  const controller = new Controller({
    retry: false,
    fetch: async (path, init) => {
      if (early) await new Promise<void>(resolve => (release = resolve))
      return fetch(new URL(path, origin), { ...init, headers: { ...(init?.headers as object), 'x-from': 'server' } })
    },
  })
  const mode = url.searchParams.get('mode')
  const get = (name: string): string | undefined => url.searchParams.get(name) ?? undefined
  const props = { controller, above: url.searchParams.has('above'), count: url.searchParams.has('count'), note: url.searchParams.has('note'), fleeting: get('fleeting') as AppProps['fleeting'], id: get('id') }
  const app = (): unknown => createComponent(App, props)
  const client = `/${url.searchParams.get('client') ?? 'client'}.js`
  const script = `<script type="module"${early ? ' async' : ''} src="${client}"></script>`
  response.write(`<!doctype html><link rel="icon" href="data:,">${generateHydrationScript()}<script>window.props = ${JSON.stringify({ ...props, controller: undefined })}</script>${script}<div id="app">`)
  const state = (): string => renderState(dehydrate(controller))
  if (url.searchParams.has('full')) await controller.fetch(props.fleeting ? getFleeting : TodoResource.getList)
  if (url.searchParams.has('failed')) {
    controller.setError(TodoResource.getList, new Error('failed'))
    controller.setError(TodoResource.get, { id: 'none' }, new Error('failed'))
  }
  if (mode === 'string') {
    response.end(`${renderToString(app)}</div>${state()}`)
  } else if (mode === 'async') {
    const html = await renderToStringAsync(app)
    response.end(`${html}</div>${state()}`)
  } else {
    await new Promise<void>(resolve => {
      renderToStream(app, {
        onCompleteShell: ({ write }) => write('</div>'),
        onCompleteAll({ write }) {
          write(state())
          resolve()
        },
      }).pipe(response)
    })
  }
  controller.dispose()
}

server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
// The one who started it goes, or says so by closing the pipe.
process.stdin.resume().on('end', () => process.exit())
