import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { denormalize, emptyState, schema } from '../../../src/index.ts'
import type { ViewClient } from './client.ts'
import { NEEDED, NeedsLast, Node } from './node.ts'
import { Watch } from './watch.ts'
import { everyWay } from './ways.ts'

const test = suite('view: what is there, what is missing, what must not be shown')

const special = new Map<unknown, string>([[NEEDED, 'default'], [undefined, '-'], [null, 'null']])
const label = (node: unknown): string => special.get(node) ?? `${(node as Node).id}${(node as Node).name}`
/** A node as text: itself, what it needs, what it likes, its list. */
const spell = (node: Node | undefined): string | undefined =>
  node && `${[node, node.needs, node.likes].map(label).join(' ')} [${node.all.map(label).join()}]`

type Change = (at: ViewClient) => void
const put = (...nodes: object[]): Change => at => at.write([Node], nodes)
const remove = (...pks: string[]): Change => at => at.remove(Node, ...pks)
const collect = (...pks: string[]): Change => at => at.collect('Node', ...pks)
/** Writes past `validate`, as a patch from elsewhere may. */
const rename = (pk: string, name: string): Change => at => at.commit([{ op: 'replace', path: ['entities', 'Node', pk, 'name'], value: name }])

/** Nodes by pk, as text; undefined when they are not shown. */
interface Texts {
  readonly [pk: string]: string | undefined
}

/**
 * What is written, what is shown of it, and then changes, each with what is shown otherwise. A snapshot of a node shows all
 * that can be reached from it: where only that has changed, the text of the node stands there again. Last come nodes whose
 * live objects wake though they show the same: a field that refers to one row follows that row, whether or not it is there.
 */
type History = readonly [title: string, nodes: readonly object[], texts: Texts, ...changes: (readonly [Change, Texts, liveToo?: string])[]]
const histories: readonly History[] = [
  ['what has no record is undefined, and shown when it arrives',
    [{ id: '1', needs: '2', likes: '3', all: ['4', '1'] }], { 1: '1 - - [1]', 2: undefined },
    [put({ id: '2' }), { 1: '1 2 - [1]', 2: '2 default - []' }],
    [put({ id: '3' }), { 1: '1 2 3 [1]' }],
    [put({ id: '4' }), { 1: '1 2 3 [4,1]' }],
    [collect('2'), { 1: '1 - 3 [4,1]', 2: undefined }]],
  ['what refers to another row that is not there either shows the same',
    [{ id: '1', likes: 'x', all: ['x'] }], { 1: '1 default - []' },
    [put({ id: '1', likes: 'y', all: ['y'] }), {}, '1'],
    [put({ id: 'x' }), {}],
    [put({ id: 'y' }), { 1: '1 default y [y]' }]],
  ['an absent field has the default of the class, and null is null',
    [{ id: '1' }], { 1: '1 default - []' },
    [put({ id: '1', needs: null, likes: null }), { 1: '1 null null []' }]],
  ['a deleted entity is not shown, and comes back when it is written again',
    [{ id: '1', name: 'a' }], { 1: '1a default - []' },
    [remove('1'), { 1: undefined }],
    [put({ id: '1', name: 'b' }), { 1: '1b default - []' }]],
  ['what validate refuses is not shown until it passes',
    [{ id: '1', name: 'a', likes: '2', all: ['2'] }, { id: '2', name: 'b' }], { 1: '1a default 2b [2b]' },
    [rename('2', 'bad'), { 1: '1a default - []' }],
    [rename('1', 'bad'), { 1: undefined }],
    [rename('2', 'c'), {}],
    [rename('1', 'd'), { 1: '1d default 2c [2c]' }]],
  ['a required field whose entity is deleted hides its parent, until it is back or another one is there',
    [{ id: '1', needs: '2' }, { id: '2' }], { 1: '1 2 - []' },
    [remove('2'), { 1: undefined }],
    [put({ id: '2', name: 'x' }), { 1: '1 2x - []' }],
    [remove('2'), { 1: undefined }],
    [put({ id: '1', needs: { id: '3' } }), { 1: '1 3 - []' }],
    // What it no longer requires may come and go.
    [put({ id: '2' }), {}],
    [remove('2'), {}],
    [put({ id: '1', needs: '2' }), { 1: undefined }]],
  ['an optional field whose entity is deleted is undefined, and the parent stays',
    [{ id: '1', likes: '2', all: ['2', '3'] }, { id: '2' }, { id: '3' }], { 1: '1 default 2 [2,3]' },
    [remove('2'), { 1: '1 default - [3]' }],
    [put({ id: '2' }), { 1: '1 default 2 [2,3]' }]],
  ['what was missing and is deleted now hides only who cannot do without, until that is forgotten',
    [{ id: '1', needs: 'x' }, { id: '2', likes: 'x' }, { id: '3', all: ['x'] }], { 1: '1 - - []', 2: '2 default - []', 3: '3 default - []' },
    [remove('x'), { 1: undefined }, '2'],
    [collect('x'), { 1: '1 - - []' }, '2']],
  ['what must not be shown goes up through required fields until an optional one or a list',
    [{ id: '1', likes: '2', all: ['2', '5'] }, { id: '2', needs: '3' }, { id: '3', needs: '4' }, { id: '4' }, { id: '5' }], { 1: '1 default 2 [2,5]', 2: '2 3 - []' },
    [remove('4'), { 1: '1 default - [5]', 2: undefined }],
    // A change of what is hidden wakes nobody.
    [put({ id: '3', name: 'x' }), {}],
    [put({ id: '2', name: 'x' }), {}],
    [put({ id: '4' }), { 1: '1 default 2x [2x,5]', 2: '2x 3x - []' }]],
  ['a circle of entities that need each other is shown, and hidden and shown again as a whole',
    [...[['1', '2'], ['2', '3'], ['4', '4'], ['5', '1']].map(([id, needs]) => ({ id, needs })), { id: '3', needs: '1', likes: '4', all: ['1', '2', '3'] }],
    { 1: '1 2 - []', 2: '2 3 - []', 3: '3 1 4 [1,2,3]', 4: '4 4 - []', 5: '5 1 - []' },
    [remove('2'), { 1: undefined, 2: undefined, 3: undefined, 5: undefined }],
    [put({ id: '2', needs: '3' }), { 1: '1 2 - []', 2: '2 3 - []', 3: '3 1 4 [1,2,3]', 5: '5 1 - []' }],
    [remove('4', 'x'), { 1: '1 2 - []', 2: '2 3 - []', 3: '3 1 - [1,2,3]', 4: undefined, 5: '5 1 - []' }],
    [put({ id: '3', needs: 'x' }), { 1: undefined, 2: undefined, 3: undefined, 5: undefined }],
    [put({ id: '3', needs: '6' }, { id: '6' }), { 1: '1 2 - []', 2: '2 3 - []', 3: '3 6 - [1,2,3]', 5: '5 1 - []' }]],
  ['one that is hidden goes on waiting for what it needs, whatever else happens to what it likes',
    [{ id: '1', all: ['2'], likes: '2', needs: '3' }, { id: '2', needs: '4' }, { id: '3' }, { id: '4', needs: '5' }, { id: '5' }], { 1: '1 3 2 [2]' },
    // In one commit: what it needs is gone at once, what it likes turns out to be two steps later.
    [remove('3', '5'), { 1: undefined }],
    [put({ id: '3', name: 'back' }), { 1: '1 3back - []' }],
    [put({ id: '5' }), { 1: '1 3back 2 [2]' }]],
  ['one that cannot be shown for two reasons waits for both to go',
    [{ id: '1', likes: '2', needs: '3' }, { id: '2', needs: '4' }, { id: '3', needs: '4' }, { id: '4', needs: '5' }, { id: '5' }], { 1: '1 3 2 []' },
    [remove('5'), { 1: undefined }],
    [put({ id: '3', needs: { id: '6' } }), { 1: '1 3 - []' }],
    [put({ id: '5' }), { 1: '1 3 2 []' }]],
]

for (const [title, nodes, texts, ...changes] of histories) {
  everyWay(test, title, (at, way) => {
    put(...nodes)(at)
    const watches = [Node, NeedsLast].flatMap(type => Object.keys(texts).map(pk => [pk, new Watch(() => spell(at.get(type, pk)))] as const))
    for (const [pk, { last }] of watches) assert.is(last, texts[pk])
    for (const [change, next, liveToo] of changes) {
      const before = watches.map(([, watch]) => [watch.fresh(), watch.last])
      change(at)
      watches.forEach(([pk, watch], i) => {
        const text = pk in next ? next[pk] : before[i]![1]
        assert.is(watch.last, text)
        const isWoken = way === 'snapshots' ? pk in next : text !== before[i]![1] || pk === liveToo
        if (way !== 'pure function') assert.is(watch.fresh(), isWoken ? 1 : 0, `runs of ${pk}`)
      })
    }
    assert.equal(at.errors, [])
  })
}

everyWay(test, 'random graphs show the least fixpoint of a plain computation', at => {
  let seed = 7
  const random = (below: number): number => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return Math.floor((seed / 2147483648) * below)
  }
  for (let run = 0; run < 150; run++) {
    const ids = Array.from({ length: 2 + random(9) }, (_, i) => `${run}-${i}`)
    const any = (): string => ids[random(ids.length)]!
    const anyOrNull = (): string | null => (random(2) ? any() : null)
    const nodes = ids.map(id => ({ id, needs: anyOrNull(), likes: anyOrNull(), all: Array.from({ length: random(4) }, any) }))
    at.write([Node], nodes)
    const watches = ids.map(id => new Watch(() => spell(at.get(Node, id))))
    const gone = ids.filter(() => random(4) === 0)
    at.remove(Node, ...gone)
    const hidden = new Set<string | null>(gone)
    for (let before = -1; before !== hidden.size; ) {
      before = hidden.size
      for (const { id, needs } of nodes) if (hidden.has(needs)) hidden.add(id)
    }
    const expected = nodes.map(({ id, needs, likes, all }) =>
      hidden.has(id) ? undefined : `${id} ${needs} ${hidden.has(likes) ? '-' : likes} [${all.filter(each => !hidden.has(each)).join()}]`,
    )
    assert.equal(watches.map(({ last }) => last), expected)
    assert.equal(ids.map(id => spell(at.get(Node, id))), expected)
    for (const { stop } of watches) stop()
  }
})

everyWay(test, 'an object that holds what must not be shown falls with it: a result is undefined, and so is a field', at => {
  const pair = new schema.Object({ a: Node, b: { c: Node } })
  at.respond('pair', pair, { a: { id: '1', box: { node: '2' } }, b: { c: { id: '2', name: 'x' } } })
  const text = new Watch(() => [at.result<{ b: { c: Node } } | undefined>(pair, 'pair')?.b.c.name, at.get<Node>(Node, '1').box?.node?.name])
  assert.equal(text.last, ['x', 'x'])
  at.remove(Node, '2')
  assert.equal(text.last, [undefined, undefined])
  assert.is(at.get<Node>(Node, '1').box, undefined)
  at.write(Node, { id: '2', name: 'y' })
  assert.equal(text.last, ['y', 'y'])
})

everyWay(test, 'a raw object where a pk is expected is built in place, may be refused, and what it refers to is followed', at => {
  at.write(Node, { id: '2', name: 'a' })
  const all = [{ id: 'in a list', needs: '2' }, { id: 'refused', name: 'bad' }]
  at.commit([{ op: 'add', path: ['entities', 'Node', '1'], value: { id: '1', likes: { id: 'raw', likes: '2' }, all } }])
  const text = new Watch(() => {
    const { likes, all } = at.get<Node>(Node, '1')
    return [likes?.id, likes?.likes?.name, all.map(each => `${each.id} ${label(each.needs)}`).join()]
  })
  assert.instance(at.get<Node>(Node, '1').likes, Node)
  assert.equal(text.last, ['raw', 'a', 'in a list 2a'])
  at.write(Node, { id: '2', name: 'b' })
  assert.equal(text.last, ['raw', 'b', 'in a list 2b'])
  at.remove(Node, '2')
  assert.equal(text.last, ['raw', undefined, ''])
})

everyWay(test, 'an entity is an instance of its class with own enumerable data, and frozen unless it is live', (at, way) => {
  at.write(Node, { id: 1, name: 'a', needs: { id: 2 }, likes: '2' })
  const one = at.get<Node>(Node, 1)
  assert.instance(one, Node)
  assert.instance(one.likes, Node)
  assert.is(one.needs, one.likes)
  if (way !== 'live objects') assert.ok(Object.isFrozen(one) && Object.isFrozen(one.likes))
  assert.equal(Object.keys(one), ['id', 'name', 'needs', 'likes', 'all', 'box'])
  assert.equal(JSON.parse(JSON.stringify(one)).likes, { id: 2, name: '', needs: {}, all: [] })
  assert.equal({ ...one }.id, 1)
})

test('denormalize: null and undefined are themselves, and a pk that no state knows is undefined', () => {
  for (const each of [Node, [Node], { node: Node }, new schema.Collection([Node])]) {
    assert.is(denormalize(each, null, emptyState), null)
    assert.is(denormalize(each, undefined, emptyState), undefined)
  }
  assert.is(denormalize(Node, 'never', emptyState), undefined)
})

test.run()
