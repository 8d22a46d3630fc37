// A scripted server and the transport in front of it. Every request stays open until a step releases it, so the order
// of responses is part of the history.

const copy = value => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)))
const rows = list => new Map(list.map(row => [row.id, row]))

/** The tables that every history starts with. Ids are unique across tables, so that a mixed-up pk shows. */
function initialTables() {
  return {
    users: rows([{ id: 'u1', name: 'Ann', username: 'ann' }, { id: 'u2', name: 'Bob', username: 'bob' }, { id: 'u3', name: 'Cy', username: 'cy' }]),
    todos: rows([
      { id: '1', title: 'a', n: 1, done: false, group: 'a', tags: ['x'], owner: 'u1', due: '2020-01-01T00:00:00.000Z' },
      { id: '2', title: 'b', n: 2, done: true, group: 'b', tags: [], owner: 'u2' },
      { id: '3', title: 'c', n: 3, done: false, group: 'a', tags: ['x', 'y'], owner: 'u1' },
      { id: '4', title: 'd', n: 0, done: false, group: 'b', tags: [] },
    ]),
    projects: rows([{ id: 'p1', name: 'P' }, { id: 'p2', name: 'Q' }]),
    tasks: rows([
      { id: 'k1', title: 'one', project: 'p1' }, { id: 'k2', title: 'two', project: 'p1' }, { id: 'k3', title: 'three', project: 'p2' },
    ]),
    feed: rows([{ id: 'f1', type: 'note', text: 'n' }, { id: 'f2', type: 'photo', url: 'p', owner: 'u1' }, { id: 'f3', type: 'note', text: 'm' }]),
    prices: rows([{ id: 'eur', amount: 1 }, { id: 'usd', amount: 2 }]),
    comments: rows([{ id: 'c1', text: 'hi', author: 'u1' }, { id: 'c2', text: 'ho', author: 'u2' }]),
    logs: rows([{ id: 'l1', entries: ['start'] }, { id: 'l2', entries: [] }]),
    rated: rows([{ id: 'r1', title: 'r', rev: 1 }, { id: 'r2', title: 's', rev: 1 }]),
    docs: rows([{ id: 'd1', title: 'doc', rev: 1 }, { id: 'd2', title: 'dac', rev: 1 }]),
  }
}

export class Server {
  tables = initialTables()
  /** Every request in the order it was sent. */
  sent = []
  /** Requests without a response. */
  open = []
  /** The step of the history that is being performed, and what it does. */
  step = 0
  doing = ''
  /** Requests whose signal was aborted. */
  aborted = []
  #created = 0
  #events = 0
  #ignoresAborts

  /** `ignoresAborts`: the transport does not react to signals, so that responses come after an abort or a timeout. */
  constructor(ignoresAborts) {
    this.#ignoresAborts = ignoresAborts
  }

  fetch = (input, init = {}) => {
    const { method = 'GET', body, signal } = init
    if (signal?.aborted) return Promise.reject(signal.reason)
    return new Promise((resolve, reject) => {
      const url = String(input).replace('http://api.test', '')
      const request = { step: this.step, during: this.doing, method, url, body: typeof body === 'string' ? body : body === undefined ? '' : String(body), resolve, reject, tables: method === 'GET' ? this.#snapshot() : undefined }
      this.sent.push(request)
      this.open.push(request)
      signal?.addEventListener('abort', () => {
        if (!this.open.includes(request)) return
        this.aborted.push(`${method} ${url}`)
        request.aborted = true
        if (this.#ignoresAborts) return
        this.open.splice(this.open.indexOf(request), 1)
        reject(signal.reason)
      })
    })
  }

  /** Rows are never written in place, so a copy of the maps is a snapshot. */
  #snapshot() {
    return Object.fromEntries(Object.entries(this.tables).map(([name, table]) => [name, new Map(table)]))
  }

  /** Answers an open request. `how` is what the network does, `omit` selects fields that the response leaves out. */
  release(request, how, omit) {
    this.open.splice(this.open.indexOf(request), 1)
    request.released = this.step
    const isRead = request.method === 'GET'
    if (how === 'network') return request.reject(new TypeError('fetch failed'))
    if (how === '500' || how === '409') return request.resolve(respond(Number(how), { message: 'no' }))
    if (how === '404') return request.resolve(respond((request.status = 404), {}))
    if (how === 'truncated') return request.resolve(respond(200, undefined, '{"id": 1, "ti'))
    // The server carries it out and the response is lost.
    const { status, body } = isRead && how === 'stale' ? this.#read(request, request.tables) : isRead ? this.#read(request, this.tables) : this.#write(request)
    if (how === 'lost') return request.reject(new TypeError('connection reset'))
    request.status = status
    request.answer = status < 300 ? omitFields(body, omit) : undefined
    request.resolve(respond(status, request.answer ?? body))
  }

  /** Something changes at the server without a request of this client. */
  change({ table, id, fields }) {
    const row = this.tables[table].get(id)
    if (fields === null) this.tables[table].delete(id)
    else this.tables[table].set(id, { id, ...row, ...fields })
  }

  #read({ url }, tables) {
    const [path, query] = url.split('?')
    const [, name, id] = path.split('/')
    const params = new URLSearchParams(query ?? '')
    const show = row => this.#expand(name, row, tables)
    if (name === 'page') return ok({ results: [...tables.todos.values()].slice(0, 3).map(row => this.#expand('todos', row, tables)), total: tables.todos.size })
    if (name === 'rates') return ok(Object.fromEntries([...tables.prices.values()].map(row => [row.id, row])))
    const table = tables[name]
    if (table === undefined) return { status: 404, body: {} }
    if (id !== undefined) return table.has(id) ? ok(show(table.get(id))) : { status: 404, body: {} }
    let list = [...table.values()]
    for (const field of ['group', 'project']) if (params.has(field)) list = list.filter(row => row[field] === params.get(field))
    if (params.get('orderBy') === 'n') list.sort((a, b) => (b.n ?? 0) - (a.n ?? 0))
    if (params.has('cursor')) list = list.slice(Number(params.get('cursor')))
    return ok(name === 'prices' ? Object.fromEntries(list.map(row => [row.id, row])) : list.map(show))
  }

  /** A row as responses show it: with nested entities. */
  #expand(name, row, tables) {
    const response = { ...row }
    const user = field => {
      if (typeof row[field] === 'string') response[field] = tables.users.get(row[field]) ?? row[field]
    }
    if (name === 'todos' || name === 'feed') user('owner')
    if (name === 'comments') user('author')
    if (name === 'projects') response.tasks = [...tables.tasks.values()].filter(task => task.project === row.id)
    return response
  }

  #write({ method, url, body }) {
    const [path, query] = url.split('?')
    const [, name, id, verb] = path.split('/').map(decodeURIComponent)
    const table = this.tables[name]
    if (table === undefined) return { status: 404, body: {} }
    const fields = flatten(body === '' ? {} : JSON.parse(body))
    const row = table.get(id)
    if (method === 'POST' && id === undefined) {
      if (Array.isArray(fields)) return ok(fields.map(each => this.#create(name, each, query)))
      if (name === 'prices') {
        for (const [key, value] of Object.entries(fields)) table.set(key, { id: key, ...value })
        return ok(fields)
      }
      return ok(this.#create(name, fields, query))
    }
    if (row === undefined) return { status: 404, body: {} }
    if (method === 'DELETE') {
      table.delete(id)
      return this.#events++ % 3 === 0 ? ok({ id }) : { status: 204, body: undefined }
    }
    const next = verb === 'like' ? { ...row, n: (row.n ?? 0) * 2 + 1 } : { ...row, ...fields, id }
    if ('rev' in row) next.rev = row.rev + 1
    // The response of a log brings a new entry: its merge appends, so every order and every repetition shows.
    if (name === 'logs') next.entries = [`e${++this.#events}`]
    table.set(id, next)
    return ok(this.#expand(name, next, this.tables))
  }

  #create(name, fields, query) {
    let id
    // A change at the server may have made a row with the next pk.
    do id = `s${++this.#created}`
    while (this.tables[name].has(id))
    const row = { ...Object.fromEntries(new URLSearchParams(query ?? '')), ...fields, id }
    this.tables[name].set(id, row)
    return this.#expand(name, row, this.tables)
  }
}

const ok = body => ({ status: 200, body })

/** A body with nested objects as ids, as a relational server stores it. */
function flatten(body) {
  if (Array.isArray(body)) return body.map(flatten)
  const flat = { ...body }
  for (const field of ['owner', 'author', 'project']) if (typeof flat[field] === 'object' && flat[field] !== null) flat[field] = flat[field].id
  return flat
}

/** Leaves out fields of the rows in a response. Bit i of `omit` decides about the i-th field. */
function omitFields(body, omit) {
  const value = copy(body)
  if (!omit || value === undefined) return value
  const cut = row => {
    if (typeof row !== 'object' || row === null) return
    Object.keys(row).forEach((field, i) => {
      if (field !== 'id' && field !== 'type' && field !== 'results' && field !== 'rev' && (omit >> i % 8) & 1) delete row[field]
    })
  }
  if (Array.isArray(value)) value.forEach(cut)
  else if (value.id !== undefined) cut(value)
  else for (const member of Object.values(value)) [member].flat().forEach(cut)
  return value
}

function respond(status, body, text = body === undefined ? null : JSON.stringify(body)) {
  return new Response(text, { status, headers: text === null ? {} : { 'content-type': 'application/json' } })
}
