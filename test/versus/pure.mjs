// The same comparison for the pure functions: random schemas, payloads and patches through both builds.
import { declared } from './declared.mjs'
import { Random } from './random.mjs'
import { applyToDocument } from './side.mjs'
import { errorText, freshText } from './text.mjs'

/** Names that break tables made of plain objects, addresses that are not encoded, and ids that are not checked. */
const hostile = ['constructor', '__proto__', 'prototype', 'toString', 'hasOwnProperty', 'then', 'toJSON', '', ' ', '..', '%2e%2e', '\ud800', 'undefined', 'null', '-0', '1e21']

const put = (object, name, value) => Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
const anyName = (random, ordinary) => (random.chance(30) ? random.pick(hostile) : random.pick(ordinary))

function anyPk(random) {
  const pk = random.chance(30) ? random.pick(hostile) : random.pick(['1', '2', '3', 4, 2, 1])
  // An empty pk ends the whole response: rarely, so that others pass.
  return pk === '' && random.chance(80) ? ' ' : pk
}

/** No `undefined` in lists: `exportState` writes it as `null`, and then no document could be compared. */
function anyValue(random, depth = 2) {
  return random.weighted([
    [4, () => random.int(3)], [4, () => anyName(random, ['a', 'b', 'c'])], [2, () => null], [2, () => random.chance(50)],
    [1, () => random.pick([NaN, -0, 1e21, 0.1, undefined])], [depth > 0 ? 4 : 0, () => random.some([1, 2, 3, 'a', 'b'])],
    [depth > 0 ? 4 : 0, () => anyObject(random, depth)], [depth > 0 ? 2 : 0, () => [anyValue(random, depth - 1) ?? null, anyValue(random, depth - 1) ?? null]],
  ])()
}

function anyObject(random, depth) {
  const object = {}
  for (const name of ['a', 'b']) if (random.chance(60)) put(object, name, anyValue(random, depth - 1))
  if (random.chance(30)) put(object, random.pick(hostile), anyValue(random, depth - 1))
  return object
}

/** The input for one entity: its pk and some of its fields. `nested` makes the input of nested fields. */
function anyRow(random, fields, nested = {}, depth = 2) {
  if (depth < 2 && random.chance(20)) return anyPk(random)
  const row = { id: anyPk(random) }
  if (random.chance(2)) delete row.id
  for (const field of fields) if (random.chance(55)) put(row, field, anyValue(random))
  if (random.chance(12)) put(row, anyName(random, ['x', 'y']), anyValue(random))
  if (depth > 0) for (const [field, make] of Object.entries(nested)) if (random.chance(60)) put(row, field, random.chance(8) ? null : make(depth - 1))
  return row
}

const many = (random, make, most = 3) => Array.from({ length: random.int(most + 1) }, make)

/** Ways to make a request for `normalize`: `random => [schema, input, args]`. Made once per build. */
function createZoo({ Entity, schema }) {
  const { All, Array: List, Collection, Invalidate, Lazy, Object: Shape, Query, Union, Values } = schema
  const entity = (key, statics = {}, fields = {}) => {
    const made = class extends Entity {
      constructor() {
        super()
        Object.assign(this, { id: '' }, fields)
      }
    }
    put(made, 'key', key)
    for (const [name, value] of Object.entries(statics)) put(made, name, value)
    return made
  }
  const User = entity('then')
  const Tag = entity('Tag')
  const Post = entity('Post', { schema: { author: User, tags: [Tag], meta: { editor: User, rank: '' }, likes: new Lazy([User]) } })
  const Node = entity('Node')
  Node.schema = { parent: Node, children: [Node] }
  const Author = entity('hasOwnProperty')
  const Article = entity('Article', { schema: { author: Author } })
  Author.schema = { articles: new List(Article) }
  const Required = entity('Required', { schema: { owner: User } }, { owner: { id: 'default' } })
  const Text = entity('Text', { validate: value => (value.title === 'constructor' ? 'a title must not be that' : undefined) })
  const Image = entity('toJSON')
  const either = new Union({ text: Text, image: Image }, 'type')
  const listed = new List({ text: Text, image: Image }, value => value.type)
  const Price = entity('Price')
  const Wallet = entity('Wallet', { schema: { prices: new Values(Price), last: new Shape({ price: Price }) } })
  const Todo = entity('Todo')
  const todos = new Collection([Todo], { argsKey: args => ({ group: args?.group, orderBy: args?.orderBy }) })
  const coins = new Collection(new Values(Price))
  const Task = entity('Task')
  const Project = entity('Project', { schema: { tasks: new Collection([Task]), named: new Collection([Task], { nestKey: parent => ({ project: parent.id }) }) } })
  const Member = entity('Member', { indexes: ['username', 'constructor'] })
  const Event = entity('Event', { schema: { at: Date, label: text => `#${text}` } })
  const Setting = entity('Setting', { merge: (existing, incoming) => ({ ...existing, ...incoming, tags: [...new Set([existing.tags, incoming.tags].filter(Array.isArray).flat())] }) })
  const Rated = entity('Rated', {
    shouldReorder: (_a, _b, existing, incoming) => Number(incoming.rev ?? 0) < Number(existing.rev ?? 0),
    shouldUpdate: (_a, _b, _existing, incoming) => incoming.title !== 'constructor',
  })
  const Versioned = entity('Versioned', { version: 'rev' })
  const Line = entity('Line', { pk: (value, parent, key, args) => `${String(parent?.id ?? args[0])}/${key}/${String(value.id)}` })
  const Bill = entity('Bill', { schema: { lines: [Line] } })
  const Dropped = entity('Dropped', { process: input => (input.title === null ? undefined : { ...input }) })

  const user = (random, depth) => anyRow(random, ['name'], {}, depth)
  const node = (random, depth) => anyRow(random, ['label', 'data'], { parent: d => node(random, d), children: d => many(random, () => node(random, d)) }, depth)
  const article = (random, depth) => anyRow(random, ['title'], { author: d => author(random, d) }, depth)
  const author = (random, depth) => anyRow(random, ['name'], { articles: d => many(random, () => article(random, d)) }, depth)
  const post = random => anyRow(random, ['title', 'data'], {
    author: d => user(random, d), tags: d => many(random, () => user(random, d)), meta: d => ({ editor: user(random, d), rank: anyValue(random) }), likes: d => many(random, () => user(random, d)),
  })
  const member = random => {
    const input = anyRow(random, ['username', 'title'], {}, 2)
    put(input, 'type', random.chance(15) ? anyName(random, ['none']) : random.pick(['text', 'image']))
    return input
  }
  const map = (random, make) => {
    const object = {}
    for (let n = random.int(4); n > 0; n--) put(object, anyName(random, ['p', 'q', 'r']), random.chance(10) ? null : make())
    return object
  }
  const price = random => anyRow(random, ['amount', 'data'], {}, 1)
  const todo = random => ({ ...anyRow(random, ['title', 'done'], {}, 2), group: random.pick(['1', '2', 'constructor']) })
  const args = random => [{ ...(random.chance(50) && { group: random.pick(['1', '2', 'constructor']) }), ...(random.chance(30) && { orderBy: 'name' }) }]
  const pks = random => random.some(['1', '2', '3', '4', ...(random.chance(30) ? [random.pick(hostile) || ' '] : [])])
  const rev = (random, row) => (typeof row === 'object' ? { ...row, rev: random.int(4) } : row)
  const done = new Query(todos, list => list.filter(each => each.done))

  return [
    random => [Post, post(random), []],
    random => [[Post], many(random, () => post(random)), []],
    random => [{ results: [Post], total: '' }, { results: many(random, () => post(random)), total: random.int(3) }, []],
    random => [Node, node(random, 3), []],
    random => [Author, author(random, 3), []],
    random => [[Required], many(random, () => anyRow(random, ['title'], { owner: d => user(random, d) })), []],
    random => [random.pick([[either], listed]), many(random, () => member(random)), []],
    random => [Wallet, anyRow(random, ['owner'], { prices: () => map(random, () => price(random)), last: () => ({ price: price(random) }) }), []],
    random => [new Values(Price), map(random, () => price(random)), []],
    random => [new All(Todo), many(random, () => todo(random), 5), []],
    random => [todos, random.chance(60) ? pks(random) : many(random, () => todo(random), 5), args(random)],
    random => [random.pick([todos.push, todos.unshift, todos.remove, todos.move, todos.paginate]), random.chance(60) ? todo(random) : [todo(random), todo(random)], args(random)],
    random => [done, many(random, () => todo(random)), args(random)],
    random => [random.pick([coins, coins.assign, coins.remove]), map(random, () => price(random)), args(random)],
    random => [[Project], many(random, () => anyRow(random, ['name'], { tasks: () => pks(random), named: () => many(random, () => user(random, 1)) })), []],
    random => [[Member], many(random, () => member(random)), []],
    random => [[Event], many(random, () => anyRow(random, ['title'], { at: () => random.pick(['2020-01-01T00:00:00.000Z', 'garbage', 0, new Date(3)]), label: () => anyName(random, ['l']) })), []],
    random => [[Setting], many(random, () => anyRow(random, ['data'], { tags: () => random.some(['a', 'b', 1]) })), []],
    random => [[random.pick([Rated, Versioned])], many(random, () => rev(random, anyRow(random, ['title', 'data'], {}, 2))), []],
    random => [Bill, anyRow(random, ['title'], { lines: d => many(random, () => user(random, Math.max(2, d))) }), [random.int(3)]],
    random => [[Dropped], many(random, () => anyRow(random, ['title', 'data'])), []],
    random => [random.pick([new Invalidate(User), [Required]]), random.chance(50) ? [{ id: '1', owner: { id: random.pick(['1', '2']) } }] : [{ id: random.pick(['1', '2']) }], []],
    random => [new Invalidate(random.pick([Todo, Dropped, User])), random.chance(50) ? anyPk(random) : random.chance(70) ? { id: anyPk(random) } : many(random, () => anyPk(random)), [{ id: 1 }]],
    // Payloads that do not fit.
    random => [random.pick([Post, [Post], todos, either, new Values(Price), Node]), random.pick([null, undefined, 'text', '{"id":1}', 7, true, [], {}, [[]], [null], { id: {} }, { id: NaN }]), []],
    random => [random.pick([undefined, null, '', { a: '' }]), anyValue(random), []],
  ]
}

const zoos = new WeakMap()

function zooOf(lib) {
  let zoo = zoos.get(lib)
  if (zoo === undefined) zoos.set(lib, (zoo = createZoo(lib)))
  return zoo
}

const tables = ['Post', 'Tag', 'Todo', 'Node', '[Todo]', 'then', 'constructor', '__proto__', '', 'Price']

/** Patches from outside: mostly possible ones, over the rows that are there. */
function anyPatches(random, exported) {
  // By name: builds may know tables in different orders.
  const entities = exported.entities.toSorted((a, b) => (a[0] < b[0] ? -1 : 1))
  const rows = entities.flatMap(([key, list]) => list.filter(([, record]) => record).map(([pk, record]) => [key, pk, record]))
  return Array.from({ length: 1 + random.int(3) }, () => {
    if (rows.length > 0 && random.chance(70)) {
      const [key, pk, record] = random.pick(rows)
      const op = random.pick(['add', 'replace', 'remove'])
      if (random.chance(30)) return { op, path: ['entities', key, pk], ...(op !== 'remove' && { value: Array.isArray(record) ? ['1', '2'] : { id: pk, a: anyValue(random) } }) }
      const field = Array.isArray(record) ? random.pick([0, record.length, 'length', '-', 99]) : random.chance(70) ? (random.pick(Object.keys(record)) ?? 'id') : anyName(random, ['x', 'data'])
      const deep = typeof record[field] === 'object' && record[field] !== null && random.chance(50) ? [anyName(random, ['a', 'b', '0'])] : []
      return { op, path: ['entities', key, pk, field, ...deep], ...(op !== 'remove' && { value: anyValue(random) }) }
    }
    const root = random.weighted([[6, 'entities'], [3, 'endpoints'], [1, 'elsewhere']])
    const value = random.chance(70) ? { id: anyPk(random), data: anyValue(random) } : anyValue(random)
    return { op: random.pick(['add', 'replace', 'remove', 'add', 'move']), path: root === 'endpoints' ? [root, anyName(random, ['GET /a'])] : [root, random.pick(tables), anyName(random, ['1', '2'])], value }
  })
}

/** Exported states that were damaged on their way. */
function damage(random, exported) {
  const text = JSON.stringify({ ...exported, entities: exported.entities.toSorted((a, b) => (a[0] < b[0] ? -1 : 1)) })
  const copy = JSON.parse(text)
  return random.weighted([
    [3, () => copy],
    [1, () => random.pick([null, 'text', {}, [], { version: 2 }, { version: 1 }, { version: 1, entities: {}, endpoints: [] }])],
    [1, () => ((copy.entities.push(['__proto__', []])), copy)],
    [1, () => ((copy.entities[0] ?? [0, []])[1].push(random.pick([['x', null, null], ['', {}, null], [1, {}], ['x', { a: 1 }, { fetchedAt: 'no' }], 'x'])), copy)],
    [1, () => (copy.endpoints.push(random.pick([['GET /a', 1], ['GET /a'], [1, 2], ['GET /b', JSON.parse('{"__proto__": 1}')]])), copy)],
    [1, () => ((copy.entities[0] && copy.entities.push(copy.entities[0])), copy)],
  ])()
}

const documentOf = exported => ({
  entities: new Map(exported.entities.map(([key, rows]) => [key, new Map(rows.filter(([, record]) => record !== null).map(([pk, record]) => [pk, record]))])),
  endpoints: new Map(exported.endpoints),
})

const sameDocument = (a, b) => {
  const clean = ({ entities, endpoints }) => freshText({ entities: new Map([...entities].filter(([, table]) => table.size > 0)), endpoints })
  return clean(a) === clean(b)
}

const attempt = work => {
  try {
    return { value: work() }
  } catch (error) {
    return { error: errorText(error) }
  }
}

/** One case: a few rounds over one state. Gives the first difference. */
export async function runPure(left, right, seed, totals, rules = declared) {
  const sides = [left, right].map(({ lib }) => ({ lib, state: lib.emptyState, random: new Random(seed), fetchedAt: 1, earlier: [] }))
  const rounds = 1 + new Random(seed ^ 0x5bd1e995).int(5)
  // Few schemas a case, so that its rounds meet.
  for (const side of sides) side.kinds = Array.from({ length: 3 }, () => side.random.pick(zooOf(side.lib)))
  totals.histories++
  for (let round = 0; round < rounds; round++) {
    totals.steps++
    const [a, b] = sides.map(side => runRound(side, totals))
    totals.kinds[a.kind] = (totals.kinds[a.kind] ?? 0) + 1
    const differences = []
    for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
      totals.comparisons++
      if (name === 'oracle' ? a[name] !== 'agrees' || b[name] !== 'agrees' : a[name] !== b[name]) differences.push({ kind: name, at: `round ${round + 1}: ${a.request}`, left: a[name], right: b[name] })
    }
    if (differences.length === 0) continue
    const used = differences.map(difference => rules.find(each => each.pure && each.applies({ difference, differences })))
    for (const rule of used) if (rule) totals.declared[rule.id] = (totals.declared[rule.id] ?? 0) + 1
    const undeclared = differences.filter((_, i) => used[i] === undefined)
    // The states differ from here on, as declared or not.
    return undeclared.length > 0 ? { differences: undeclared } : undefined
  }
  return undefined
}

/** What one build makes of the next request, as text by name. Both sides draw the same numbers. */
function runRound(side, totals) {
  const { lib, random } = side
  const kind = random.weighted([[70, 'normalize'], [20, 'patches'], [10, 'transfer']])
  const before = lib.exportState(side.state)
  if (kind === 'patches') {
    const patches = anyPatches(random, before)
    const applied = attempt(() => lib.applyPatches(side.state, patches))
    // Paths that Immer takes and the library refuses are compared as errors; otherwise both must agree.
    let oracle = 'agrees'
    if (!applied.error) {
      const immer = attempt(() => applyToDocument(documentOf(before), JSON.parse(JSON.stringify(patches))))
      const exported = lib.exportState(applied.value)
      if (!immer.error && isPlainJson(patches) && !sameDocument(immer.value, documentOf(exported))) oracle = `Immer: ${freshText(immer.value)} library: ${freshText(documentOf(exported))}`
      side.state = applied.value
    }
    return { kind, request: freshText(patches), oracle, error: applied.error ?? '', document: freshText(plainExport(lib.exportState(side.state))) }
  }
  if (kind === 'transfer') {
    const data = damage(random, before)
    const imported = attempt(() => lib.importState(data))
    const again = imported.error ? '' : freshText(plainExport(lib.exportState(imported.value)))
    if (!imported.error && random.chance(50)) side.state = imported.value
    return { kind, request: freshText(data), error: imported.error ?? '', document: again }
  }
  const [schema, input, args] = random.pick(side.kinds)(random)
  const late = random.chance(20)
  side.fetchedAt++
  const meta = { fetchedAt: late ? side.fetchedAt - 3 : side.fetchedAt, date: 1000 + side.fetchedAt, expiresAt: 5000 + side.fetchedAt }
  const given = freshText(input)
  const normalized = attempt(() => lib.normalize(schema, input, args, side.state, meta))
  const request = `${freshText(args)} ${given}`
  const untouched = freshText(input) === given ? '' : 'the input was written to'
  if (normalized.error) {
    totals.kinds.errors = (totals.kinds.errors ?? 0) + 1
    return { kind, request, error: normalized.error, untouched, document: freshText(plainExport(lib.exportState(side.state))) }
  }
  const { result, patches, inversePatches, stamps } = normalized.value
  const next = lib.applyPatches(side.state, patches, stamps)
  const exported = lib.exportState(next)
  let oracle = 'agrees'
  const immer = attempt(() => {
    const forward = applyToDocument(documentOf(before), patches)
    return { forward, back: applyToDocument(forward, inversePatches) }
  })
  if (immer.error) oracle = `Immer refuses: ${immer.error}`
  else if (!sameDocument(immer.value.forward, documentOf(exported))) oracle = 'patches: Immer has another document'
  else if (!sameDocument(immer.value.back, documentOf(before))) oracle = 'inverse patches do not lead back'
  side.state = next
  side.earlier.push([schema, result, args])
  // Earlier results too: what they show may have been changed or deleted since.
  const view = attempt(() => side.earlier.map(each => freshText(lib.denormalize(each[0], each[1], next, each[2]))).join('\n'))
  const none = patches.length === 0 ? 'no patches' : 'patches'
  return { kind, request, result: freshText(result), none, oracle, untouched, view: view.error ?? view.value, document: freshText(plainExport(exported)) }
}

/** Rows in their order, what their stamps say that is visible, and deleted rows, which have no order. */
function plainExport({ entities, endpoints }) {
  const deletedLast = rows => [...rows.filter(([, record]) => record !== null), ...rows.filter(([, record]) => record === null).sort(([a], [b]) => (a < b ? -1 : 1))]
  return { entities: new Map(entities.map(([key, rows]) => [key, deletedLast(rows).map(([pk, record, stamp]) => [pk, record, stamp && [stamp.date, stamp.expiresAt, stamp.deleted === true]])])), endpoints: new Map(endpoints) }
}

/** Whether JSON keeps all of it: NaN and undefined come back as something else. */
function isPlainJson(value) {
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0)
  if (typeof value !== 'object' || value === null) return value !== undefined
  return Object.keys(value).every(name => name !== '__proto__' && isPlainJson(value[name]))
}
