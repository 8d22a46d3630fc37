import { createServer } from 'node:http'

/** A small REST server that keeps its todos in memory. */
export function createApi() {
  const todos = new Map([
    [1, { id: 1, title: 'declare a resource', done: true }],
    [2, { id: 2, title: 'fetch it over HTTP', done: false }],
    [3, { id: 3, title: 'see the patches', done: false }],
  ])
  return createServer(async (request, response) => {
    const { status, body } = answer(todos, request.method, request.url, await readJson(request))
    response.writeHead(status, body === undefined ? {} : { 'content-type': 'application/json' })
    response.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

function answer(todos, method, url, sent) {
  const [, collection, id] = new URL(url, 'http://localhost').pathname.split('/')
  if (collection !== 'todos') return notFound(url)
  if (id === undefined) {
    if (method === 'GET') return { status: 200, body: [...todos.values()] }
    if (method !== 'POST') return { status: 405 }
    const created = { ...sent, id: Math.max(0, ...todos.keys()) + 1 }
    todos.set(created.id, created)
    return { status: 201, body: created }
  }
  const found = todos.get(Number(id))
  if (!found) return notFound(url)
  if (method === 'DELETE') {
    todos.delete(found.id)
    return { status: 204 }
  }
  if (method === 'PATCH') todos.set(found.id, { ...found, ...sent })
  if (method === 'PUT') todos.set(found.id, { ...sent, id: found.id })
  return { status: 200, body: todos.get(found.id) }
}

const notFound = (url) => ({ status: 404, body: { message: `There is nothing at ${url}.` } })

async function readJson(request) {
  let text = ''
  for await (const chunk of request) text += chunk
  return text === '' ? undefined : JSON.parse(text)
}
