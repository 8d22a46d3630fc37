import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { denormalize, DepthError, Entity, schema } from '../../../src/index.ts'
import type { Fields, State } from '../../../src/index.ts'
import { caught } from '../../support/caught.ts'
import { write } from '../../support/write.ts'

const test = suite('denormalize: circles and chains')

/** `needs` is required, `likes` is optional, `all` is a list. */
class Node extends Entity {
  id = ''
  needs: Node | object = REQUIRED
  likes: Node | undefined = undefined
  all: Node[] = []
  static override key = 'Node'
  static override schema: Fields = {}
}
const REQUIRED = {}
Node.schema = { needs: Node, likes: Node, all: [Node] }

const graph = (nodes: object[]): State => write([Node], nodes).state
const remove = (state: State, ...pks: string[]): State => write([new schema.Invalidate(Node)], pks, state).state
const view = (pk: string, state: State): Node | undefined => denormalize(Node, pk, state)
const visible = (state: State, ...pks: string[]): string[] => pks.filter((pk) => view(pk, state))

test('a circle closes by reference', () => {
  const state = graph([{ id: 'a', likes: 'b' }, { id: 'b', likes: 'c', all: ['a', 'b', 'c'] }, { id: 'c', likes: 'a' }])
  const a = view('a', state)!
  assert.is(a.likes!.likes!.likes, a)
  assert.is(a.likes!.all[0], a)
  assert.is(a.likes!.all[1], a.likes)
  assert.ok(Object.isFrozen(a) && Object.isFrozen(a.likes) && Object.isFrozen(a.likes!.likes))
  const self = view('s', graph([{ id: 's', likes: 's', needs: 's' }]))!
  assert.is(self.likes, self)
  assert.is(self.needs, self)
})

test('a circle of required fields among valid entities is valid', () => {
  const state = graph([{ id: 'a', needs: 'b' }, { id: 'b', needs: 'c' }, { id: 'c', needs: 'a' }])
  assert.equal(visible(state, 'a', 'b', 'c'), ['a', 'b', 'c'])
})

test('a circle that needs something deleted is not shown, from wherever it is entered', () => {
  const state = graph([{ id: 'a', needs: 'b' }, { id: 'b', needs: 'c', likes: 'x' }, { id: 'c', needs: 'a', all: ['y'] }, { id: 'x' }, { id: 'y', likes: 'a' }])
  assert.equal(visible(remove(state, 'x'), 'a', 'b', 'c', 'y'), ['a', 'b', 'c', 'y'])
  const gone = remove(graph([{ id: 'a', needs: 'b' }, { id: 'b', needs: 'c' }, { id: 'c', needs: 'a', all: ['d'] }, { id: 'd', needs: 'x', likes: 'a' }, { id: 'x' }]), 'x')
  assert.equal(visible(gone, 'a', 'b', 'c', 'd'), ['a', 'b', 'c'])
  assert.equal(view('a', gone)!.needs instanceof Node, true)
  const broken = remove(graph([{ id: 'a', needs: 'b', likes: 'c' }, { id: 'b', needs: 'a', all: ['c'] }, { id: 'c', needs: 'b' }, { id: 'd', likes: 'a' }]), 'b')
  assert.equal(visible(broken, 'a', 'b', 'c', 'd'), ['d'])
  assert.is(view('d', broken)!.likes, undefined)
})

test('what turns out not to be shown late is taken out of everything that was filled before', () => {
  // Every node lists every other; the last one needs what is gone, and the rest of the chain needs the next.
  const ids = Array.from({ length: 30 }, (_, i) => `n${i}`)
  const nodes = ids.map((id, i) => ({ id, all: ids, ...(i % 3 === 0 ? { needs: ids[i + 1] ?? 'x' } : i === 29 ? { needs: 'x' } : {}) }))
  const state = remove(graph([...nodes, { id: 'x' }]), 'x')
  const expected = ids.filter((_, i) => i !== 29)
  assert.equal(visible(state, ...ids), expected)
  for (const id of ['n1', 'n28']) assert.equal(view(id, state)!.all.map((node) => node.id), expected)
})

test('the least fixpoint agrees with a plain computation on random graphs', () => {
  let seed = 7
  const random = (below: number): number => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return Math.floor((seed / 2147483648) * below)
  }
  for (let run = 0; run < 150; run++) {
    const size = 2 + random(9)
    const ids = Array.from({ length: size }, (_, i) => String(i))
    const any = (): string => ids[random(size)]!
    const nodes = ids.map((id) => ({
      id,
      ...(random(2) ? { needs: any() } : {}),
      ...(random(2) ? { likes: any() } : {}),
      all: Array.from({ length: random(4) }, any),
    })) as { id: string; needs?: string; likes?: string; all: string[] }[]
    const gone = new Set(ids.filter(() => random(4) === 0))
    const state = remove(graph(nodes), ...gone)
    const invalid = new Set(gone)
    for (let before = -1; before !== invalid.size; ) {
      before = invalid.size
      for (const node of nodes) if (node.needs !== undefined && invalid.has(node.needs)) invalid.add(node.id)
    }
    assert.equal(visible(state, ...ids), ids.filter((id) => !invalid.has(id)))
    for (const node of nodes.filter(({ id }) => !invalid.has(id))) {
      const seen = view(node.id, state)!
      assert.equal(seen.all.map((each) => each.id), node.all.filter((id) => !invalid.has(id)))
      assert.is(seen.likes?.id, node.likes !== undefined && !invalid.has(node.likes) ? node.likes : undefined)
    }
  }
})

test('1,000 posts by 20 authors who list their posts are 1,020 objects', () => {
  const nodes = Array.from({ length: 1000 }, (_, i) => ({ id: `p${i}`, likes: `a${i % 20}` }))
  const authors = Array.from({ length: 20 }, (_, a) => ({ id: `a${a}`, all: nodes.filter((_, i) => i % 20 === a).map(({ id }) => id) }))
  const state = graph([...nodes, ...authors])
  const seen = new Set<Node>()
  for (const post of denormalize([Node], nodes.map(({ id }) => id), state)!) {
    seen.add(post).add(post.likes!)
    for (const other of post.likes!.all) seen.add(other)
  }
  assert.is(seen.size, 1020)
})

test('a chain of 500 required entities is shown, and not shown once its end is gone; one of 10,000 is a DepthError', () => {
  const chain = (length: number): State => graph(Array.from({ length }, (_, i) => ({ id: String(i), ...(i + 1 < length ? { needs: String(i + 1) } : {}) })))
  const state = chain(500)
  let count = 0
  for (let node = view('0', state); node instanceof Node; node = node.needs as Node) count++
  assert.is(count, 500)
  assert.is(view('0', remove(state, '499')), undefined)
  assert.instance(caught(() => view('0', chain(10_000))), DepthError)
})

test.run()
