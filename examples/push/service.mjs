// A small service whose changes are pushed to everybody.
//   node examples/push/service.mjs                                       one process, everything in memory
//   REDIS=redis://127.0.0.1:6379 PORT=3211 node examples/push/service.mjs  any number of them, on one Redis
import { createServer } from 'node:http'
import { listen, wantedPort } from '../listen.mjs'
import { sendEvents } from './events.mjs'
import { createMemoryIssues } from './memoryIssues.mjs'
import { createMemoryStream } from './memoryStream.mjs'

/** `GET /stream`, and issues: `GET /issues`, `GET PATCH DELETE /issues/1`, `POST /issues`. */
export function createService({ issues, stream, every, pages = new Map() }) {
  return createServer(async (request, response) => {
    const json = (status, body) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    try {
      const { pathname } = new URL(request.url, 'http://localhost')
      const [, name, id] = pathname.split('/')
      const page = pages.get(pathname)
      if (page) return response.writeHead(200, { 'content-type': page.type }).end(page.body)
      if (name === 'stream') return await sendEvents(stream, request, response, { every })
      if (name !== 'issues') return json(404, { message: `There is nothing at ${pathname}.` })
      const act = {
        GET: () => (id === undefined ? issues.all() : issues.get(id)),
        POST: async () => issues.create(await readJson(request)),
        PATCH: async () => issues.change(id, await readJson(request)),
        DELETE: async () => (await issues.remove(id), { id }),
      }[request.method]
      const found = await act?.()
      return found === undefined ? json(404, { message: `There is nothing at ${request.method} ${pathname}.` }) : json(200, found)
    } catch (error) {
      if (response.headersSent) response.destroy()
      else json(error instanceof SyntaxError ? 400 : 503, { message: error.message })
    }
  })
}

async function readJson(request) {
  let text = ''
  for await (const chunk of request) text += chunk
  return JSON.parse(text)
}

/** Issues and their stream: in Redis at `url`, or in this process. */
export async function createStores(url, limit) {
  if (!url) {
    const stream = createMemoryStream({ limit })
    return { stream, issues: createMemoryIssues(stream) }
  }
  const { createClient } = await import('redis')
  const { createRedisStream } = await import('./redisStream.mjs')
  const { createRedisIssues } = await import('./redisIssues.mjs')
  // A request fails at once while Redis is away, so that its client can try again.
  const client = await createClient({ url, disableOfflineQueue: true, socket: { reconnectStrategy: 100 } }).on('error', () => {}).connect()
  return { stream: await createRedisStream(client, { limit }), issues: createRedisIssues(client, { limit }) }
}

if (import.meta.filename === process.argv[1]) {
  const stores = await createStores(process.env.REDIS)
  const port = await listen(createService({ ...stores, every: Number(process.env.EVERY) || undefined }), wantedPort())
  console.log(`http://127.0.0.1:${port}/issues, and their changes at http://127.0.0.1:${port}/stream`)
}
