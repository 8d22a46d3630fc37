// The classes, endpoints and readers of one side, made from its build alone.

const urlPrefix = 'http://api.test'

/** Names of the tables that hold entities with server ids, for finding temporary pks. */
export const entityKeys = ['User', 'Todo', 'Project', 'Task', 'Note', 'Photo', 'Price', 'Comment', 'Log', 'Rated', 'Doc']

/** Endpoint names that read, with the argument lists that histories use. */
export const reads = {
  'Todos.getList': [[], [{ group: 'a' }], [{ group: 'b' }], [{ orderBy: 'n' }]],
  'Todos.get': ['1', '2', '3', '4', 's1'].map(id => [{ id }]),
  'Users.getList': [[]],
  'Users.get': ['u1', 'u2', 'u3'].map(id => [{ id }]),
  'Projects.getList': [[]],
  'Projects.get': [[{ id: 'p1' }], [{ id: 'p2' }]],
  'Tasks.getList': [[], [{ project: 'p1' }], [{ project: 'p2' }]],
  'Tasks.get': [[{ id: 'k1' }], [{ id: 'k2' }]],
  feed: [[]],
  item: [[{ id: 'f1' }], [{ id: 'f2' }]],
  prices: [[]],
  rates: [[]],
  page: [[]],
  more: [[{ cursor: 2 }]],
  open: [[]],
  'Comments.getList': [[]],
  'Comments.get': [[{ id: 'c1' }]],
  'Logs.getList': [[]],
  'Logs.get': [[{ id: 'l1' }], [{ id: 'l2' }]],
  'Rateds.getList': [[]],
  'Rateds.get': [[{ id: 'r1' }]],
  'Docs.getList': [[]],
  'Docs.get': [[{ id: 'd1' }]],
}

const topics = [
  ['todos', /^(Todos|page|more|open)|get (Todo|list|all|done|sum|owners)\(|Users.get\(.*u1|username":"(ann|zoe)/],
  ['projects', /^(Projects|Tasks)|get (projectTasks|allTasks)/],
  ['feed', /^(feed|item|prices|rates|Users)|get (either|allItems|allUsers|User)/],
  ['merges', /^(Logs|Rateds|Docs|Comments|Users)|get (allUsers|User)/],
]

function topicsOf(name) {
  return topics.filter(([, pattern]) => pattern.test(name)).map(([topic]) => topic)
}

export function createWorld(lib) {
  const { Entity, schema, createResource, RestEndpoint } = lib
  const { All, Collection, Invalidate, Query, Union, Values } = schema

  const entity = (key, fields, statics = {}) => {
    const made = class extends Entity {
      constructor() {
        super()
        Object.assign(this, { id: '' }, structuredClone(fields))
      }
    }
    return Object.assign(made, { key }, statics)
  }
  const User = entity('User', { name: '', username: '' }, { indexes: ['username'] })
  const todoFields = { title: '', n: 0, done: false, group: '', tags: [], owner: undefined, due: undefined }
  const Todo = entity('Todo', todoFields, { schema: { owner: User, due: Date } })
  const Task = entity('Task', { title: '', project: undefined })
  const projectTasks = new Collection([Task], { nestKey: parent => ({ project: parent.id }) })
  const Project = entity('Project', { name: '', tasks: [] }, { schema: { tasks: projectTasks } })
  Task.schema = { project: Project }
  const Note = entity('Note', { type: 'note', text: '' })
  const Photo = entity('Photo', { type: 'photo', url: '', owner: undefined }, { schema: { owner: User } })
  const Price = entity('Price', { amount: 0 })
  /** `author` has a truthy default and so is required: without its user a comment is not shown. */
  class Comment extends Entity {
    id = ''
    text = ''
    author = User.fromJS({})
    static key = 'Comment'
    static schema = { author: User }
  }
  /** Its merge is neither idempotent nor commutative. */
  const Log = entity('Log', { entries: [] }, {
    merge: (existing, incoming) => ({ ...existing, ...incoming, entries: [...(existing.entries ?? []), ...(incoming.entries ?? [])].slice(-8) }),
  })
  const Rated = entity('Rated', { title: '', rev: 0 }, {
    shouldReorder: (_existingMeta, _incomingMeta, existing, incoming) => (incoming.rev ?? 0) < (existing.rev ?? 0),
    shouldUpdate: (_existingMeta, _incomingMeta, _existing, incoming) => incoming.title !== 'ignored',
  })
  const Doc = entity('Doc', { title: '', rev: 0 }, { version: 'rev' })

  const resource = (name, Class, optimistic) => createResource({ urlPrefix, path: `/${name}/:id`, schema: Class, ...(optimistic && { optimistic: true }) })
  const either = new Union({ note: Note, photo: Photo }, 'type')
  const Todos = resource('todos', Todo, true)
  const Plain = resource('todos', Todo, false)
  const Users = resource('users', User, true)
  const Projects = resource('projects', Project, true)
  const Tasks = resource('tasks', Task, true)
  const Comments = resource('comments', Comment, true)
  const Logs = resource('logs', Log, true)
  const Rateds = resource('rated', Rated, true)
  const Docs = resource('docs', Doc, true)
  const feed = new RestEndpoint({ urlPrefix, path: '/feed', schema: new Collection([either]), name: 'feed' })
  const item = new RestEndpoint({ urlPrefix, path: '/feed/:id', schema: either, name: 'item' })
  const prices = new RestEndpoint({ urlPrefix, path: '/prices', schema: new Collection(new Values(Price)), name: 'prices' })
  const rates = new RestEndpoint({ urlPrefix, path: '/rates', schema: new Values(Price), name: 'rates' })
  const page = new RestEndpoint({ urlPrefix, path: '/page', schema: { results: [Todo], total: 0 }, name: 'page' })
  const openTodos = new Query(new Collection([Todo]), todos => todos.filter(todo => !todo.done).map(todo => todo.title))

  const endpoints = {
    Todos, Plain, Users, Projects, Tasks, Comments, Logs, Rateds, Docs, feed, item, prices, rates, page,
    more: Todos.getList.paginated('cursor'),
    open: Todos.getList.extend({ schema: openTodos, path: '/todos', searchParams: undefined, key: () => 'open todos', name: 'open' }),
    like: new RestEndpoint({
      urlPrefix, path: '/todos/:id/like', method: 'POST', body: undefined, schema: Todo, name: 'like',
      getOptimisticResponse(snap, { id }) {
        const todo = snap.get(Todo, { id })
        if (!todo) throw snap.abort
        if (todo.n === 7) throw new Error('unlucky')
        return { id, n: todo.n * 2 + 1 }
      },
    }),
    loose: Todos.partialUpdate.extend({ serial: false, name: 'loose' }),
    counted: Todos.getList.push.extend({ name: 'counted', update: () => ({ [page.key()]: (previous = { results: [], total: 0 }) => ({ ...previous, total: previous.total + 1 }) }) }),
    dropItem: item.extend({ method: 'DELETE', schema: new Invalidate(either), name: 'dropItem', process: (value, { id }) => ({ id, type: id === 'f2' ? 'photo' : 'note' }) }),
    polled: Todos.getList.extend({ pollFrequency: 5000, name: 'polled' }),
  }
  const all = new All(Todo)
  const schemas = {
    User, Todo, Project, Task, Note, Photo, Price, Comment, Log, Rated, Doc, either, all,
    list: Todos.getList.schema,
    projectTasks: Tasks.getList.schema,
    feedList: feed.schema,
    priceMap: prices.schema,
    allTasks: new All(Task),
    allUsers: new All(User),
    allItems: new All({ note: Note, photo: Photo }, 'type'),
    done: new Query(all, todos => todos.filter(todo => todo.done).map(todo => todo.id)),
    sum: new Query(all, (todos, { more } = {}) => todos.reduce((sum, { n }) => (typeof n === 'number' ? sum + n : sum), more ?? 0)),
    owners: new Query(new Collection([Todo]), todos => [...new Set(todos.map(todo => todo.owner?.name))]),
  }

  const find = name => name.split('.').reduce((value, part) => value[part], endpoints)
  const readers = []
  for (const [name, lists] of Object.entries(reads)) for (const args of lists) {
    // With its key computed once: readers are asked after every step, and most of that time would go into keys.
    const key = find(name).key(...args)
    readers.push({ name: `${name}(${args.map(each => JSON.stringify(each)).join()})`, endpoint: find(name).extend({ key: () => key }), args })
  }
  const query = (name, ...args) => readers.push({ name: `get ${name}(${args.map(each => JSON.stringify(each)).join()})`, schema: schemas[name], args })
  for (const id of ['1', '2', '3', 's1', 's2']) query('Todo', { id })
  for (const username of ['ann', 'bob', 'zoe']) query('User', { username })
  query('either', { id: 'f1' })
  query('either', { id: 'f2', type: 'photo' })
  query('list', {})
  query('list', { group: 'a' })
  query('projectTasks', { project: 'p1' })
  for (const name of ['all', 'allTasks', 'allUsers', 'allItems', 'done', 'sum']) query(name)
  query('sum', { more: 10 })
  query('owners', {})
  // Histories about few tables look at the readers of those tables after every step, and at all of them at the end.
  for (const reader of readers) reader.topics = topicsOf(reader.name)
  const live = [
    { name: 'live Todo 1', topic: 'todos', target: Todo, args: [{ id: '1' }] },
    { name: 'live Todos.getList()', topic: 'todos', target: Todos.getList, args: [] },
    { name: 'live Projects.get p1', topic: 'projects', target: Projects.get, args: [{ id: 'p1' }] },
  ]
  return { endpoints, schemas, find, readers, live }
}
