// What the pages of both frameworks share: the data, the controller that reads it, and the head of a page.
import type { ServerResponse } from 'node:http'
import { Controller, createResource, Entity } from '../../../src/index.ts'

export class Todo extends Entity {
  id = ''
  title = ''
  static override key = 'Todo'
}

export const TodoResource = createResource({ path: '/api/todos/:id', schema: Todo })

/** The list, stale as soon as it has come. */
export const getFleeting = TodoResource.getList.extend({ dataExpiryLength: 0 })

export const todos = [{ id: '1', title: 'milk' }, { id: '2', title: '</script><script>alert(1)</script>' }]

/** Answers a request for a page; the API is at `origin`. */
export type Answer = (response: ServerResponse, origin: string, query: URLSearchParams) => unknown

/** The controller of one page. With `full` it has the list, with `failed` errors instead of the list and of one todo. */
export async function makeController(origin: string, query: URLSearchParams): Promise<Controller> {
  const controller = new Controller({
    retry: false,
    fetch: (path, init) => fetch(new URL(path, origin), { ...init, headers: { ...(init?.headers as object), 'x-from': 'server' } }),
  })
  if (query.has('full')) await controller.fetch(query.has('fleeting') ? getFleeting : TodoResource.getList)
  if (query.has('failed')) {
    controller.setError(TodoResource.getList, new Error('failed'))
    controller.setError(TodoResource.get, { id: 'none' }, new Error('failed'))
  }
  return controller
}

/** Writes a page up to the content of its `#app`. An early script runs while the page still comes in. */
export function writeHead(response: ServerResponse, query: URLSearchParams, more = ''): void {
  const script = `<script type="module"${query.has('early') ? ' async' : ''} src="/${query.get('client')}.js"></script>`
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.write(`<!doctype html><link rel="icon" href="data:,">${more}${script}<div id="app">`)
}
