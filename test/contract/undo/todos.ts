import type { ServerResponse } from 'node:http'
import { createHistory } from '../../../src/history/index.ts'
import { Controller, createResource, Entity } from '../../../src/index.ts'
import { serve, type Seen } from '../rest/server.ts'

export class Todo extends Entity {
  static override key = 'Todo'
  id = 0
  title = ''
  done = false
}

type Row = { readonly [field: string]: unknown }

/** A client, and a server over HTTP that keeps todos. */
export async function openTodos() {
  const rows = new Map<number, Row>()
  let last = 0
  const make = (row: Row): Row => {
    const made = { done: false, ...row, id: ++last }
    rows.set(last, made)
    return made
  }
  for (const title of ['sow', 'reap']) make({ title })
  const options = {
    /** Answers 422 where it says so. */
    refuses: (_request: Seen): boolean => false,
    /** Takes the request, and does not answer. */
    holds: (_request: Seen): boolean => false,
  }
  const waiting: (() => void)[] = []
  const act = ({ method, url, body }: Seen): unknown => {
    const id = Number(url.split('/')[2])
    const sent = body === '' ? {} : (JSON.parse(body) as Row)
    if (method === 'POST') return make(sent)
    if (Number.isNaN(id)) return [...rows.values()]
    const known = rows.get(id)
    if (method === 'DELETE') rows.delete(id)
    if (method === 'DELETE') return {}
    if (known === undefined) return undefined
    if (method === 'GET') return known
    const next = { ...known, ...sent, id }
    rows.set(id, next)
    return next
  }
  const server = await serve((request, response: ServerResponse) => {
    if (options.refuses(request)) return void response.writeHead(422, { 'content-type': 'application/json' }).end('{"reason":"no"}')
    const value = act(request)
    if (value === undefined) return void response.writeHead(404).end()
    if (!options.holds(request)) return value
    waiting.push(() => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value)))
    return undefined
  })
  const resource = createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Todo, optimistic: true })
  const controller = new Controller({ retry: false })
  const history = createHistory(controller)
  await controller.fetch(resource.getList)
  return {
    controller,
    history,
    resource,
    options,
    rows,
    /** Somebody else writes. */
    other: (id: number, fields: Row): void => void rows.set(id, { ...rows.get(id), ...fields }),
    release: (): void => waiting.splice(0).forEach(each => each()),
    /** What has been asked of the server, reads aside. */
    asked: (): string[] => server.seen.filter(({ method }) => method !== 'GET').map(({ method, url, body }) => `${method} ${url} ${body}`.trim()),
    reads: (): number => server.seen.filter(({ method }) => method === 'GET').length,
    visible: (): string[] => controller.getResponse(resource.getList).data!.map(({ id, title, done }) => `${id} ${title}${done ? ' done' : ''}`),
    stored: (): string[] => [...rows.values()].map(({ id, title, done }) => `${String(id)} ${String(title)}${done ? ' done' : ''}`),
    can: (): [boolean, boolean] => [history.canUndo.value, history.canRedo.value],
    close: (): Promise<void> => {
      controller.dispose()
      return server.close()
    },
  }
}

/** Until it holds. */
export async function until(holds: () => boolean): Promise<void> {
  for (let i = 0; !holds(); i++) {
    if (i > 500) throw new Error(`Waited in vain for ${holds}`)
    await new Promise(resolve => setTimeout(resolve, 2))
  }
}
