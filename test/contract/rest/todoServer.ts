import { serve, type Server } from './server.ts'

export interface Row { id: number; [field: string]: unknown }

/** A REST server with one table at `/todos`, in pages where they are asked for. */
export async function serveTodos(rows: Row[] = [{ id: 1, title: 'sow', done: false }, { id: 2, title: 'reap', done: false }]): Promise<Server & { readonly rows: Row[] }> {
  const server = await serve((request, response) => {
    const { pathname, searchParams } = new URL(request.url, server.url)
    const id = Number(pathname.split('/')[2])
    const at = rows.findIndex((row) => row.id === id)
    const sent = request.body === '' ? {} : (JSON.parse(request.body) as object)
    const fail = (status: number): undefined => void response.writeHead(status).end()
    switch (request.method) {
      case 'POST': {
        const row = { ...sent, id: Math.max(0, ...rows.map((each) => each.id)) + 1 }
        rows.push(row)
        return row
      }
      case 'PUT':
        return at < 0 ? fail(404) : (rows[at] = { ...sent, id })
      case 'PATCH':
        return at < 0 ? fail(404) : (rows[at] = { ...rows[at], ...sent, id })
      case 'DELETE':
        return at < 0 ? fail(404) : (rows.splice(at, 1), fail(204))
    }
    if (!Number.isNaN(id)) return at < 0 ? fail(404) : rows[at]
    return rows.filter((row) => [...searchParams].every(([name, value]) => name.startsWith('order') || String(row[name]) === value))
  })
  return Object.assign(server, { rows })
}
