// The same comparison for the pure functions: random schemas, payloads and patches through both builds.
import { patchDocument } from '../../build/test/laws/document.js'
import { readHistory } from '../../build/test/laws/history.js'
import { anyName, anyPk, anyValue } from '../../build/test/laws/hostile.js'
import { anyMany, anyOne, species } from '../../build/test/laws/species.js'
import { makeZoo, withRemovals } from '../../build/test/laws/zoo.js'
import { isJson } from '../../build/test/support/same.js'
import { Tape } from '../../build/test/support/tape.js'
import { declared } from './declared.mjs'
import { Random } from './random.mjs'
import { errorText, freshText } from './text.mjs'

const zoos = new WeakMap()

/** The zoo of the laws, made from a build once, and what those laws have no use for. */
function zooOf(lib) {
  let zoo = zoos.get(lib)
  if (zoo === undefined) zoos.set(lib, (zoo = [...makeZoo(undefined, lib), ...moreKinds(lib).map(kind => withRemovals(kind, lib.schema))]))
  return zoo
}

/** Required entities, queries, payloads that do not fit, and those without a schema. */
function moreKinds({ Entity, schema }) {
  const owner = species('Owner', ['name'], {}, undefined, Entity)
  const todo = species('Todo', ['title', 'done'], {}, undefined, Entity)
  class Owned extends Entity {
    id = ''
    owner = owner.entity.fromJS({})
    static key = 'Owned'
    static schema = { owner: owner.entity, last: new schema.Object({ owner: owner.entity }) }
    static validate = value => (value.title === 'constructor' ? 'a title must not be that' : undefined)
  }
  const todos = new schema.Collection([todo.entity])
  const done = new schema.Query(todos, list => list.filter(each => each.done))
  const shapes = [Owned, [Owned], todos, new schema.Union({ todo: todo.entity }, 'type'), new schema.Values(Owned)]
  const misfits = [null, undefined, 'text', '{"id":1}', 7, true, [], {}, [[]], [null], { id: {} }, { id: NaN }]
  const anyOwned = tape => ({ id: anyPk(tape), title: anyName(tape, ['t']), owner: anyOne(owner, tape, 1), last: { owner: anyOne(owner, tape, 1) } })
  return [
    { name: 'required', species: [owner], request: tape => ({ schema: [Owned], input: Array.from({ length: tape.int(4) }, () => anyOwned(tape)), args: [] }) },
    { name: 'queried', species: [todo], request: tape => ({ schema: done, input: anyMany(todo, tape, 2), args: [{ group: tape.pick(['1', 'constructor']) }] }) },
    { name: 'misfits', species: [todo], request: tape => ({ schema: tape.pick(shapes), input: tape.pick(misfits), args: [] }) },
    { name: 'plain', species: [todo], request: tape => ({ schema: tape.pick([undefined, null, '', { a: '' }]), input: anyValue(tape), args: [] }) },
  ]
}

const tables = ['Post', 'Tag', 'Todo', 'Node', '[Todo]', 'then', 'constructor', '__proto__', '', 'Price']
const byName = ([a], [b]) => (a < b ? -1 : 1)
/** Deleted rows have no order. */
const deletedLast = rows => [...rows.filter(([, record]) => record !== null), ...rows.filter(([, record]) => record === null).sort(byName)]
/** Tables by name: builds may know them in different orders. */
const sorted = ({ entities }) => entities.toSorted(byName).map(([key, rows]) => [key, deletedLast(rows)])

/** Patches from outside: mostly possible ones, over the rows that are there. */
function anyPatches(tape, exported) {
  const rows = sorted(exported).flatMap(([key, list]) => list.filter(([, record]) => record).map(([pk, record]) => [key, pk, record]))
  return Array.from({ length: 1 + tape.int(3) }, () => {
    if (rows.length === 0 || tape.chance(30)) {
      const root = tape.pick(['entities', 'entities', 'entities', 'endpoints', 'elsewhere'])
      const path = root === 'endpoints' ? [root, anyName(tape, ['GET /a'])] : [root, tape.pick(tables), anyName(tape, ['1', '2'])]
      return { op: tape.pick(['add', 'replace', 'remove', 'add', 'move']), path, value: tape.chance(70) ? { id: anyPk(tape), data: anyValue(tape) } : anyValue(tape) }
    }
    const [key, pk, record] = tape.pick(rows.slice(0, 256))
    const op = tape.pick(['add', 'replace', 'remove'])
    const patch = (path, value) => ({ op, path: ['entities', key, pk, ...path], ...(op !== 'remove' && { value }) })
    if (tape.chance(30)) return patch([], Array.isArray(record) ? ['1', '2'] : { id: pk, a: anyValue(tape) })
    const fields = tape.chance(70) ? Object.keys(record).concat('id') : [anyName(tape, ['x', 'data'])]
    const field = tape.pick(Array.isArray(record) ? [0, record.length, 'length', '-', 99] : fields)
    const isDeep = typeof record[field] === 'object' && record[field] !== null && tape.chance(50)
    return patch(isDeep ? [field, anyName(tape, ['a', 'b', '0'])] : [field], anyValue(tape))
  })
}

/** Exported states, half of them damaged on their way. */
function damage(tape, exported) {
  const copy = JSON.parse(JSON.stringify({ ...exported, entities: sorted(exported) }))
  const whole = [null, 'text', {}, [], { version: 2 }, { version: 1 }, { version: 1, entities: {}, endpoints: [] }]
  const rows = [['x', null, null], ['', {}, null], [1, {}], ['x', { a: 1 }, { fetchedAt: 'no' }], 'x']
  const results = [['GET /a', 1], ['GET /a'], [1, 2], ['GET /b', JSON.parse('{"__proto__": 1}')]]
  const how = tape.int(8)
  if (how === 3) return tape.pick(whole)
  if (how === 4) copy.entities.push(['__proto__', []])
  if (how === 5) copy.entities[0]?.[1].push(tape.pick(rows))
  if (how === 6) copy.endpoints.push(tape.pick(results))
  if (how === 7) copy.entities.push(...copy.entities.slice(0, 1))
  return copy
}

const documentOf = ({ entities, endpoints }) => ({
  entities: new Map(entities.map(([key, rows]) => [key, new Map(rows.filter(([, record]) => record !== null).map(([pk, record]) => [pk, record]))])),
  endpoints: new Map(endpoints),
})

/** Whether Immer's document says what an export says. A table without rows is none. */
const agrees = ({ entities, endpoints }, exported) => {
  const textOf = tables => freshText({ entities: new Map([...tables].filter(([, table]) => table.size > 0)), endpoints })
  return textOf(entities) === textOf(documentOf(exported).entities) && freshText(endpoints) === freshText(new Map(exported.endpoints))
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
  const random = new Random(seed)
  const bytes = length => Array.from({ length }, () => random.int(256))
  const at = random.int(zooOf(left.lib).length)
  const series = Array.from({ length: 1 + random.int(5) }, () => bytes(120))
  const others = bytes(400)
  const sides = [left, right].map(({ lib }) => ({ lib, state: lib.emptyState, tape: new Tape(others), steps: readHistory(zooOf(lib)[at], series).steps, earlier: [], states: [] }))
  totals.histories++
  for (let round = 0; round < series.length; round++) {
    totals.steps++
    const [a, b] = sides.map(side => runRound(side, side.steps[round]))
    for (const kind of [a.kind, ...(a.error ? ['errors'] : [])]) totals.kinds[kind] = (totals.kinds[kind] ?? 0) + 1
    const differences = []
    for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
      totals.comparisons++
      const isDifferent = name === 'oracle' ? a[name] !== 'agrees' || b[name] !== 'agrees' : a[name] !== b[name]
      if (isDifferent) differences.push({ kind: name, at: `round ${round + 1}: ${a.request}`, left: a[name], right: b[name] })
    }
    if (differences.length === 0) continue
    const { request } = sides[0].steps[round]
    const { input, args, schema } = a.kind === 'normalize' ? request : {}
    const context = { differences, input, args, schema, kind: zooOf(left.lib)[at].name, earlier: sides[0].states, states: sides.map(({ lib, state }) => plainExport(lib.exportState(state))) }
    const used = differences.map(difference => rules.find(each => each.pure && each.applies({ ...context, difference })))
    for (const rule of used) if (rule) totals.declared[rule.id] = (totals.declared[rule.id] ?? 0) + 1
    const undeclared = differences.filter((_, i) => used[i] === undefined)
    // The states differ from here on, as declared or not.
    return undeclared.length > 0 ? { differences: undeclared } : undefined
  }
  return undefined
}

/** What one build makes of the next request, as text by name. Both sides read the same tape. */
function runRound(side, step) {
  const { lib, tape } = side
  const kind = tape.pick([...Array.from({ length: 7 }, () => 'normalize'), 'patches', 'patches', 'transfer'])
  const before = lib.exportState(side.state)
  side.states.push(before)
  const document = () => freshText(plainExport(lib.exportState(side.state)))
  if (kind === 'patches') {
    const patches = anyPatches(tape, before)
    const applied = attempt(() => lib.applyPatches(side.state, patches))
    side.state = applied.value ?? side.state
    // Paths that Immer takes and the library refuses are compared as errors; otherwise both must agree.
    const immer = applied.error || !isJson(patches) ? undefined : attempt(() => patchDocument(documentOf(before), JSON.parse(JSON.stringify(patches)))).value
    const oracle = immer === undefined || agrees(immer, lib.exportState(side.state)) ? 'agrees' : `Immer: ${freshText(immer)}`
    return { kind, request: freshText(patches), oracle, error: applied.error ?? '', document: document() }
  }
  if (kind === 'transfer') {
    const data = damage(tape, before)
    const imported = attempt(() => lib.importState(data))
    side.state = imported.value ?? side.state
    return { kind, request: freshText(data), error: imported.error ?? '', document: document() }
  }
  const { schema, input, args } = step.request
  const { fetchedAt, date, expiresAt } = step.meta
  const given = freshText(input)
  const normalized = attempt(() => lib.normalize(schema, input, args, side.state, { fetchedAt, date, expiresAt }))
  const known = { kind, request: `${freshText(args)} ${given}`, untouched: freshText(input) === given ? '' : 'the input was written to' }
  if (normalized.error) return { ...known, error: normalized.error, document: document() }
  const { result, patches, inversePatches, stamps } = normalized.value
  side.state = lib.applyPatches(side.state, patches, stamps)
  side.earlier.push([schema, result, args])
  // Earlier results too: what they show may have been changed or deleted since.
  const view = attempt(() => side.earlier.map(each => freshText(lib.denormalize(each[0], each[1], side.state, each[2]))).join('\n'))
  const oracle = isJson([patches, inversePatches]) ? askImmer(before, lib.exportState(side.state), patches, inversePatches) : 'agrees'
  return { ...known, result: freshText(result), none: patches.length === 0 ? 'no patches' : 'patches', oracle, view: view.error ?? view.value, document: document() }
}

function askImmer(before, after, patches, inversePatches) {
  const forwards = attempt(() => patchDocument(documentOf(before), patches))
  const backwards = forwards.error ? forwards : attempt(() => patchDocument(forwards.value, inversePatches))
  if (backwards.error) return `Immer refuses: ${backwards.error}`
  if (!agrees(forwards.value, after)) return 'patches: Immer has another document'
  return agrees(backwards.value, before) ? 'agrees' : 'inverse patches do not lead back'
}

/** Rows in their order, what their stamps say that is visible, and deleted rows. */
function plainExport({ entities, endpoints }) {
  const plainRow = ([pk, record, stamp]) => [pk, record, stamp && [stamp.date, stamp.expiresAt, stamp.deleted === true]]
  return { entities: new Map(entities.map(([key, rows]) => [key, deletedLast(rows).map(plainRow)])), endpoints: new Map(endpoints) }
}
