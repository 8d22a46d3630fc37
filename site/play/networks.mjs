import { mockFetch } from 'patchcord/testing'

/** The servers of guides that do not mock one themselves, by page. Each has the data of the test that runs the guide. */
const networks = {
  resources() {
    const rows = [{ id: 1, title: 'sow', done: false }]
    const routes = {
      'POST /trades': ({ body }) => ({ body: { trade: { id: 't', ...body }, account: { id: 'a', balance: 95 } } }),
      'GET /posts': ({ url }) => ({ body: { results: [{ id: 9, title: 'next' }], cursor: new URL(url, 'https://api.example.com').searchParams.get('cursor') === 'a' ? 'b' : '' } }),
      'PATCH /quiet/2': { status: 204 },
      'GET /todos': ({ url }) => ({ body: rows.filter(({ done }) => [null, String(done)].includes(new URL(url, 'https://api.example.com').searchParams.get('done'))) }),
      'POST /todos': ({ body }) => ({ body: (rows[rows.length] = { done: false, title: '', ...body, id: rows.length + 1 }) }),
      ...each(rows, ['GET', 'PUT', 'PATCH'], 'nothing here'),
    }
    return mockFetch(routes)
  },
  preact() {
    const rows = ['sow', 'water', 'harvest'].map((title, n) => ({ id: n + 1, title, done: false }))
    let tick = 0
    return mockFetch({
      'GET /todos': () => ({ body: rows }),
      'GET /ticks': () => ({ body: { id: 9, title: `tick ${Math.min(++tick, 3)}` } }),
      'GET /ticks/9': () => ({ body: { id: 9, title: `tick ${Math.min(++tick, 3)}` } }),
      ...each(rows, ['GET', 'PUT', 'PATCH']),
    })
  },
  solid() {
    const rows = [{ id: 1, title: 'sow', done: false }, { id: 2, title: 'reap', done: false }]
    return mockFetch({ 'GET /todos': () => ({ body: rows }), ...each(rows, ['GET', 'PUT', 'PATCH']) })
  },
}

/** Reads and changes of single rows; a row that is not there is a 404. */
function each(rows, methods, message) {
  const answer = (id) => ({ body }) => {
    const row = rows.find((row) => row.id === id)
    return row ? { body: Object.assign(row, body) } : { status: 404, body: message ? { message } : {} }
  }
  return Object.fromEntries([1, 2, 3, 4, 5, 404].flatMap((id) => methods.map((method) => [`${method} /todos/${id}`, answer(id)])))
}

export const networkOf = (page) => networks[page]?.()
