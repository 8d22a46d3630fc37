// Random histories. A history is plain JSON: it can be printed, replayed and shrunk.
import { Random } from './random.mjs'
import { reads } from './world.mjs'

const todoIds = ['1', '2', '3', '4', 's1']

/** A history of `length` steps, followed by steps that settle what is open. */
export function generateHistory(seed, length) {
  const random = new Random(seed)
  // A history stays with few tables, so that its steps meet.
  const focus = random.weighted(focuses)
  const settings = { focus, retry: random.chance(40), gc: random.chance(60), deaf: random.chance(30), mount: Array.from({ length: 13 }, () => (random.chance(50) ? 1 : 0)) }
  const steps = []
  while (steps.length < length) steps.push(...(random.chance(5) ? burst(random, focus) : [step(random, focus)]))
  steps.length = length
  for (let i = 0; i < 2; i++) steps.push({ do: 'drain' }, { do: 'tick', ms: 2000 })
  steps.push({ do: 'drain' })
  return { settings, steps }
}

const focuses = [[50, 'todos'], [14, 'projects'], [10, 'feed'], [10, 'merges'], [16, 'all']]

function step(random, focus) {
  return random.weighted([
    [17, read], [21, call], [28, release], [6, set], [6, undo], [2, redo], [2, abort], [1.2, reset], [2, invalidate], [2, ifStale],
    [5, tick], [3, change], [2, setResponse], [1, again], [0.5, setError], [2, patch], [1.5, toggle], [0.7, poll], [0.7, collect], [0.5, jump], [1, group],
  ])(random, focus)
}

const newest = (how = 'ok') => ({ do: 'release', nth: -1, how })

/** Steps that meet in a way that single random steps rarely do. */
function burst(random, focus) {
  const list = { projects: 'Tasks.getList', feed: 'feed', merges: 'Docs.getList' }[focus] ?? 'Todos.getList'
  const id = { projects: 'k1', feed: 'f1', merges: 'd1' }[focus] ?? random.pick(['1', '2', '3'])
  const remove = { projects: 'Tasks.delete', feed: 'dropItem', merges: 'Docs.delete' }[focus] ?? 'Todos.delete'
  const update = { projects: 'Tasks.partialUpdate', feed: 'Users.partialUpdate', merges: 'Docs.partialUpdate' }[focus] ?? 'Todos.partialUpdate'
  const create = { projects: 'Tasks.getList.push', feed: 'feed.push', merges: 'Docs.getList.push' }[focus] ?? 'Todos.getList.push'
  const key = { projects: 'Task', feed: 'User', merges: 'Doc' }[focus] ?? 'Todo'
  const updated = focus === 'feed' ? 'u1' : id
  const fields = focus === 'feed' ? { name: 'Burst' } : { title: random.pick(['v', 'w']) }
  const created = focus === 'feed' ? { type: 'note', text: 'burst' } : fields
  const field = Object.keys(fields)[0]
  const readList = { do: 'read', of: list, args: [] }
  return random.pick([
    // A deletion, and a read from before it.
    () => [readList, { do: 'call', of: remove, args: [{ id }] }, newest(), newest('stale')],
    // Two reads that overtake each other.
    () => [readList, change(random, focus), read(random, focus), newest(), newest('stale')],
    // An undo of a settled call, after somebody else has changed the same row.
    () => [readList, newest(), { do: 'call', of: update, args: [{ id: updated }, fields] }, newest(), { do: 'patch', patches: [{ op: 'replace', path: ['entities', key, updated, random.chance(70) ? field : 'n'], value: 'theirs' }] }, { do: 'undo' }, newest()],
    // A creation, undone and made again.
    () => [{ do: 'call', of: create, args: [created] }, newest(), { do: 'undo' }, newest(), { do: 'redo' }, newest()],
    // Calls on a temporary pk, and the creation settles or fails.
    () => [{ do: 'call', of: create, args: [created] }, { do: 'call', of: random.pick([update, remove]), args: [{ id: { $temporary: 0, or: id } }, fields] }, newest(random.pick(['ok', 'ok', '500', 'network'])), newest()],
    // A failure that is older than the data.
    () => [readList, setResponse(random), { do: 'setResponse', of: 'Todos.getList', args: [], response: [{ id: '1' }] }, newest(random.pick(['500', '404', 'truncated']))],
    // A local write beneath pending calls and its undo.
    () => [{ do: 'call', of: update, args: [{ id: updated }, fields] }, set(random, focus), newest(), { do: 'undo' }, { do: 'undo' }, newest()],
    // A reset, with a response that comes after it.
    () => [readList, { do: 'call', of: update, args: [{ id: updated }, fields] }, { do: 'reset' }, newest(), readList, newest()],
  ])()
}

const readsOf = {
  todos: ['Todos.getList', 'Todos.getList', 'Todos.get', 'Todos.get', 'page', 'more', 'open', 'Users.get'],
  projects: ['Projects.getList', 'Projects.get', 'Tasks.getList', 'Tasks.getList', 'Tasks.get'],
  feed: ['feed', 'feed', 'item', 'prices', 'rates', 'Users.getList'],
  merges: ['Logs.getList', 'Logs.get', 'Rateds.getList', 'Rateds.get', 'Docs.getList', 'Docs.get', 'Comments.getList', 'Comments.get', 'Users.getList'],
  all: Object.keys(reads),
}

function anyRead(random, focus) {
  const of = random.pick(readsOf[focus])
  const args = random.pick(reads[of])
  if (/\.get$/.test(of) && of.startsWith('Todos') && random.chance(10)) return { of, args: [{ id: anyId(random, todoIds) }] }
  return { of, args }
}

const read = (random, focus) => ({ do: 'read', ...anyRead(random, focus) })
const ifStale = (random, focus) => ({ do: 'fetchIfStale', ...anyRead(random, focus) })

/** Now and then a temporary pk, if there is one. */
function anyId(random, ids) {
  const id = random.pick(ids)
  return random.chance(22) ? { $temporary: random.int(3), or: id } : id
}

function todoFields(random) {
  const fields = {}
  if (random.chance(60)) fields.title = random.pick(['t', 'u', 'v'])
  if (random.chance(40)) fields.n = random.int(4)
  if (random.chance(20)) fields.done = random.chance(50)
  if (random.chance(40)) fields.group = random.pick(['a', 'b'])
  if (random.chance(20)) fields.tags = random.some(['x', 'y', 'z'])
  if (random.chance(20)) fields.owner = random.chance(50) ? random.pick(['u1', 'u2']) : { id: 'u1', name: random.pick(['Ann', 'Anna']), username: random.pick(['ann', 'zoe']) }
  if (random.chance(5)) fields.due = '2021-05-05T00:00:00.000Z'
  return fields
}

function todoCall(random) {
  const home = random.chance(75) ? 'Todos' : 'Plain'
  const id = () => anyId(random, todoIds)
  const fields = todoFields(random)
  return random.weighted([
    [22, () => ({ of: `${home}.getList.push`, args: random.chance(50) ? [fields] : [{ group: random.pick(['a', 'b']) }, fields] })],
    [6, () => ({ of: `${home}.getList.unshift`, args: [fields] })],
    [3, () => ({ of: 'counted', args: [fields] })],
    [14, () => ({ of: `${home}.update`, args: [{ id: id() }, fields] })],
    [20, () => ({ of: `${home}.partialUpdate`, args: [{ id: id() }, fields] })],
    [16, () => ({ of: `${home}.delete`, args: [{ id: id() }] })],
    [8, () => ({ of: 'like', args: [{ id: id() }] })],
    [4, () => ({ of: 'loose', args: [{ id: id() }, fields] })],
    [7, () => ({ of: `${home}.getList.move`, args: [{ id: id() }, { ...fields, group: random.pick(['a', 'b']) }] })],
    [3, () => ({ of: `${home}.getList.remove`, args: [{ id: id() }, fields] })],
    [2, () => ({ of: `${home}.getList.push`, args: [[fields, todoFields(random)]] })],
  ])()
}

function projectCall(random) {
  const project = anyId(random, ['p1', 'p2'])
  const title = random.pick(['x', 'y'])
  return random.weighted([
    [20, () => ({ of: 'Tasks.getList.push', args: [{ project }, { title }] })],
    [8, () => ({ of: 'Tasks.getList.unshift', args: [{ project, title }] })],
    [15, () => ({ of: 'Projects.getList.push', args: [{ name: title, ...(random.chance(30) ? { tasks: [{ title: 'inner' }] } : {}) }] })],
    [10, () => ({ of: 'Tasks.delete', args: [{ id: anyId(random, ['k1', 'k2', 's1']) }] })],
    [10, () => ({ of: 'Tasks.partialUpdate', args: [{ id: anyId(random, ['k1', 'k2']) }, { title, ...(random.chance(40) ? { project } : {}) }] })],
    [10, () => ({ of: 'Tasks.getList.move', args: [{ id: anyId(random, ['k1', 'k3']) }, { project }] })],
    [8, () => ({ of: 'Projects.delete', args: [{ id: project }] })],
    [8, () => ({ of: 'Projects.partialUpdate', args: [{ id: project }, { name: title }] })],
  ])()
}

function feedCall(random) {
  return random.weighted([
    [10, () => ({ of: 'feed.push', args: [random.chance(50) ? { type: 'note', text: 'new' } : { type: 'photo', url: 'new', owner: 'u2' }] })],
    [6, () => ({ of: 'feed.unshift', args: [{ type: 'note', text: 'first' }] })],
    [8, () => ({ of: 'dropItem', args: [{ id: random.pick(['f1', 'f2', 'f3']) }] })],
    [8, () => ({ of: 'prices.assign', args: [{ [random.pick(['eur', 'gbp'])]: { id: random.pick(['eur', 'gbp']), amount: random.int(9) } }] })],
    [5, () => ({ of: 'Users.delete', args: [{ id: random.pick(['u1', 'u2']) }] })],
    [5, () => ({ of: 'Users.partialUpdate', args: [{ id: random.pick(['u1', 'u2']) }, { username: random.pick(['ann', 'bob', 'zoe']) }] })],
  ])()
}

function mergeCall(random) {
  return random.weighted([
    [10, () => ({ of: 'Logs.partialUpdate', args: [{ id: random.pick(['l1', 'l2']) }, { entries: [random.pick(['p', 'q'])] }] })],
    [4, () => ({ of: 'Logs.getList.push', args: [{ entries: ['made'] }] })],
    [8, () => ({ of: 'Rateds.partialUpdate', args: [{ id: 'r1' }, { title: random.pick(['r', 'ignored', 'q']) }] })],
    [8, () => ({ of: 'Docs.partialUpdate', args: [{ id: 'd1' }, { title: random.pick(['m', 'n']) }] })],
    [5, () => ({ of: 'Docs.delete', args: [{ id: 'd1' }] })],
    [6, () => ({ of: 'Users.delete', args: [{ id: random.pick(['u1', 'u2']) }] })],
    [6, () => ({ of: 'Comments.getList.push', args: [{ text: 'new', author: random.pick(['u1', 'u2', 'u3']) }] })],
    [4, () => ({ of: 'Comments.delete', args: [{ id: 'c1' }] })],
    [4, () => ({ of: 'Users.update', args: [{ id: 'u1' }, { name: random.pick(['Ann', 'Ana']), username: random.pick(['ann', 'zoe']) }] })],
  ])()
}

const callsOf = { todos: todoCall, projects: projectCall, feed: feedCall, merges: mergeCall }

function anyCall(random, focus) {
  return callsOf[focus === 'all' ? random.pick(['todos', 'projects', 'feed', 'merges']) : focus](random)
}

const call = (random, focus) => ({ do: 'call', ...anyCall(random, focus) })

function release(random) {
  const how = random.weighted([[62, 'ok'], [14, 'stale'], [6, '500'], [4, 'network'], [4, '404'], [3, 'truncated'], [3, 'lost'], [2, '409']])
  return { do: 'release', nth: random.chance(45) ? 0 : random.int(6), how, ...(random.chance(20) ? { omit: random.int(256) } : {}) }
}

function localWrite(random, focus) {
  if (focus === 'projects') {
    return random.weighted([
      [5, { of: 'Task', args: [], value: { id: random.pick(['k1', 'k2', 'k9']), title: random.pick(['x', 'z']), project: random.pick(['p1', 'p2']) } }],
      [5, { of: 'Project', args: [], value: { id: 'p1', name: random.pick(['P', 'R']), tasks: random.some(['k1', 'k2', 'k3']) } }],
      [5, { of: 'Task', args: [{ id: anyId(random, ['k1', 'k2']) }], updater: 'rename' }],
      [5, { of: 'projectTasks', args: [{ project: 'p1' }], value: random.some([{ id: 'k1' }, { id: 'k2', title: 'set' }, { id: 'k3' }]) }],
    ])
  }
  if (focus === 'feed') {
    return random.weighted([
      [5, { of: 'either', args: [], value: { id: random.pick(['f1', 'f4']), type: 'note', text: random.pick(['n', 'set']) } }],
      [5, { of: 'Price', args: [], value: { id: random.pick(['eur', 'usd']), amount: random.int(5) } }],
      [5, { of: 'User', args: [], value: { id: random.pick(['u1', 'u2', 'u4']), username: random.pick(['ann', 'bob', 'zoe']) } }],
    ])
  }
  if (focus === 'merges') {
    return random.weighted([
      [5, { of: 'Log', args: [], value: { id: 'l1', entries: [random.pick(['v', 'w'])] } }],
      [5, { of: 'Rated', args: [], value: { id: 'r1', title: random.pick(['set', 'ignored']), rev: random.int(4) } }],
      [5, { of: 'Doc', args: [], value: { id: 'd1', title: 'set', rev: random.int(4) } }],
      [5, { of: 'Comment', args: [], value: { id: random.pick(['c1', 'c3']), text: 'set', author: { id: 'u1', name: 'Set' } } }],
    ])
  }
  const id = anyId(random, ['1', '2', '3', '4', '9'])
  return random.weighted([
    [10, () => ({ of: 'Todo', args: [], value: { id, ...todoFields(random) } })],
    [14, () => ({ of: 'Todo', args: [{ id }], updater: random.pick(['inc', 'double', 'toggle', 'tag', 'rename', 'untitle', 'fail']) })],
    [2, () => ({ of: 'list', args: [{}], updater: random.pick(['reverse', 'shift']) })],
    [2, () => ({ of: 'list', args: [{ group: 'a' }], value: random.some([{ id: '1' }, { id: '2' }, { id: '3', title: 'set' }]) })],
  ])()
}

const set = (random, focus) => ({ do: 'set', ...localWrite(random, focus) })
/** `early`: also when the call that it undoes is in flight. */
const undo = random => ({ do: 'undo', ...(random.chance(8) ? { early: true } : {}) })
const redo = () => ({ do: 'redo' })
const reset = () => ({ do: 'reset' })
const collect = () => ({ do: 'collect' })
const abort = (random, focus) => ({ do: 'abort', ...(random.chance(50) ? anyRead(random, focus) : anyCall(random, focus)) })
const invalidate = (random, focus) => (random.chance(60) ? { do: 'invalidate', ...anyRead(random, focus) } : { do: random.pick(['expireAll', 'invalidateAll']), of: random.pick(readsOf[focus]) })
const tick = random => ({ do: 'tick', ms: random.pick([1, 100, 400, 700, 1500, 5000, 31_000, 61_000]) })
const jump = random => ({ do: 'jump', ms: random.pick([-3_600_000, 3_600_000]) })
const toggle = random => ({ do: 'toggle', reader: random.int(64) })
const poll = random => ({ do: 'poll', on: random.chance(60) })
const again = random => ({ do: 'again', nth: random.int(8) })
const group = (random, focus) => ({ do: 'group', steps: Array.from({ length: 2 + random.int(2) }, () => (random.chance(50) ? set(random, focus) : call(random, focus))) })
const setError = (random, focus) => ({ do: 'setError', ...anyRead(random, focus) })

function change(random, focus) {
  const tables = { todos: [['todos', todoIds]], projects: [['tasks', ['k1', 'k2', 'k4']], ['projects', ['p1', 'p2']]], feed: [['feed', ['f1', 'f2']], ['users', ['u1', 'u2']]], merges: [['docs', ['d1']], ['rated', ['r1']], ['users', ['u1', 'u2']], ['logs', ['l1']]] }
  const [table, ids] = random.pick(focus === 'all' ? Object.values(tables).flat() : tables[focus])
  const id = random.pick(ids)
  if (random.chance(20)) return { do: 'change', table, id, fields: null }
  const fields = {
    todos: todoFields, tasks: () => ({ title: random.pick(['c', 'd']), project: random.pick(['p1', 'p2']) }), projects: () => ({ name: random.pick(['P', 'S']) }),
    feed: () => (id === 'f2' ? { type: 'photo', url: random.pick(['p', 'q']) } : { type: 'note', text: random.pick(['n', 'o']) }), users: () => ({ name: random.pick(['Ann', 'Al']), username: random.pick(['ann', 'bob', 'zoe']) }),
    docs: () => ({ title: random.pick(['doc', 'dic']), rev: random.int(5) }), rated: () => ({ title: random.pick(['r', 'ignored']), rev: random.int(5) }), logs: () => ({ entries: [random.pick(['s', 't'])] }),
  }[table](random)
  if (typeof fields.owner === 'object') fields.owner = fields.owner.id
  return { do: 'change', table, id, fields }
}

function setResponse(random) {
  return random.weighted([
    [6, () => ({ do: 'setResponse', of: 'Todos.getList', args: random.chance(50) ? [] : [{ group: 'a' }], response: random.some(todoIds).map(id => ({ id, ...todoFields(random) })) })],
    [4, () => ({ do: 'setResponse', of: 'Todos.get', args: [{ id: '1' }], response: { id: '1', ...todoFields(random) } })],
    [2, () => ({ do: 'setResponse', of: 'page', args: [], response: { results: random.some(todoIds).map(id => ({ id })), total: random.int(9) } })],
    [2, () => ({ do: 'setResponse', of: 'prices', args: [], response: { eur: { id: 'eur', amount: random.int(5) }, gbp: null } })],
    [2, () => ({ do: 'setResponse', of: 'feed', args: [], response: random.some([{ id: 'f1', type: 'note' }, { id: 'f2', type: 'photo', url: 'set' }, { id: 'f9', type: 'other' }]) })],
    [1, () => ({ do: 'setResponse', of: 'Todos.get', args: [{ id: '2' }], response: random.pick([null, 'text', { title: 'no id' }, []]) })],
  ])()
}

function patch(random, focus) {
  const todo = random.pick(['1', '2', '3', '7'])
  return {
    do: 'patch',
    patches: random.weighted([
      [5, [{ op: 'replace', path: ['entities', 'Todo', todo, 'title'], value: 'patched' }]],
      [5, [{ op: 'add', path: ['entities', 'Todo', todo], value: { id: todo, title: 'added', n: 5 } }]],
      [4, [{ op: 'remove', path: ['entities', 'Todo', todo] }]],
      [2, [{ op: 'add', path: ['entities', '[Todo]', '{}'], value: random.some(['1', '2', '3', '7']) }]],
      [2, [{ op: 'add', path: ['entities', 'User', 'u1'], value: { id: 'u1', name: 'Pat', username: random.pick(['ann', 'zoe']) } }, { op: 'replace', path: ['entities', 'User', 'u1', 'name'], value: 'Pia' }]],
      [focus === 'todos' ? 0.5 : 2, [{ op: 'replace', path: ['entities', 'Log', 'l1', 'entries'], value: ['patched'] }]],
      [1, [{ op: 'add', path: ['entities', 'Todo', todo, 'tags', 0], value: 'first' }]],
      [1, [{ op: 'replace', path: ['entities', 'Todo', '1', 'title'], value: 'half' }, { op: 'replace', path: ['elsewhere', 'x'], value: 1 }]],
    ]),
  }
}
