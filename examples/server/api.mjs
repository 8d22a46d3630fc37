import { tick } from './data.mjs'

const PAGE = 25
const TITLE = 100
const ranks = ['urgent', 'high', 'normal', 'low']
const orders = {
  newest: (a, b) => b.createdAt.localeCompare(a.createdAt),
  oldest: (a, b) => a.createdAt.localeCompare(b.createdAt),
  priority: (a, b) => ranks.indexOf(a.priority) - ranks.indexOf(b.priority) || orders.newest(a, b),
}

/** The REST interface: `GET /issues`, `PATCH /issues/3`, `GET /board`, … Gives a status and a body, and the message of a change for the stream. */
export function answer(data, method, url, sent) {
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  const [, collection, id] = pathname.split('/')
  const route = routes[`${method} ${collection}${id === undefined ? '' : '/:id'}`]
  return route?.(data, id ?? Object.fromEntries(searchParams), sent) ?? { status: 404, body: { message: `There is nothing at ${method} ${url}.` } }
}

const routes = {
  'GET people': ({ people }) => ok([...people.values()]),
  'PATCH people/:id': ({ people }, id, sent) => {
    const person = people.get(id)
    if (!person) return undefined
    people.set(id, { ...person, ...sent, id })
    return { ...ok(people.get(id)), message: { type: 'upsert', entity: 'Person', value: people.get(id) } }
  },
  'GET issues': (data, { status, assignee, search = '', orderBy = 'newest', cursor }) => {
    const text = search.toLowerCase()
    const found = [...data.issues.values()]
      .filter(issue => (!status || issue.status === status) && (!assignee || issue.assignee === assignee) && issue.title.toLowerCase().includes(text))
      .sort(orders[orderBy] ?? orders.newest)
    // The cursor is where a row would stand, so that it works after that row is gone.
    const after = cursor && JSON.parse(Buffer.from(cursor, 'base64url').toString())
    const remaining = after ? found.filter(issue => (orders[orderBy] ?? orders.newest)(issue, after) > 0) : found
    const page = remaining.slice(0, PAGE)
    return ok({ results: page.map(issue => withAssignee(data, issue)), cursor: remaining.length > PAGE ? cursorAt(page.at(-1)) : '' })
  },
  'POST issues': (data, _query, sent) => {
    // What was deleted and is wanted back keeps its number.
    const id = Number.isInteger(sent.id) && !data.issues.has(sent.id) ? sent.id : Math.max(0, ...data.issues.keys()) + 1
    const issue = { body: '', status: 'open', priority: 'normal', assignee: null, createdAt: new Date().toISOString(), ...sent, id }
    return refusalOf(issue) ?? { ...store(data, issue), status: 201 }
  },
  'GET issues/:id': (data, id) => withIssue(data, id, issue => ok(withAssignee(data, issue))),
  'PATCH issues/:id': (data, id, sent) =>
    withIssue(data, id, issue => {
      const next = { ...issue, ...sent, id: issue.id }
      return refusalOf(next) ?? store(data, next)
    }),
  'DELETE issues/:id': (data, id) =>
    withIssue(data, id, issue => {
      data.issues.delete(issue.id)
      return { status: 204, message: { type: 'remove', entity: 'Issue', pk: issue.id } }
    }),
  'GET board': data => {
    tick(data)
    return ok(data.services)
  },
}

/** Not for the form to know: some rules are the server's. */
function refusalOf({ title }) {
  const message = !title?.trim() ? 'An issue needs a title.' : title.length > TITLE ? `A title has at most ${TITLE} characters.` : undefined
  return message && { status: 422, body: { message } }
}

const ok = body => ({ status: 200, body })

const cursorAt = ({ createdAt, priority }) => Buffer.from(JSON.stringify({ createdAt, priority })).toString('base64url')

/** An issue as it is sent: with its person inside. */
const withAssignee = ({ people }, issue) => ({ ...issue, assignee: people.get(issue.assignee) ?? null })

const withIssue = ({ issues }, id, act) => {
  const issue = issues.get(Number(id))
  return issue && act(issue)
}

function store(data, issue) {
  data.issues.set(issue.id, issue)
  const value = withAssignee(data, issue)
  return { ...ok(value), message: { type: 'upsert', entity: 'Issue', value } }
}
