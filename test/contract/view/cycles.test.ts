import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { denormalize, emptyState, Entity, schema } from '../../../src/index.ts'
import type { Fields, State } from '../../../src/index.ts'
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
const shown = (state: State, ...pks: string[]): string[] => pks.filter((pk) => view(pk, state))

test('a circle that needs something deleted is not shown, from wherever it is entered', () => {
  const state = graph([{ id: 'a', needs: 'b' }, { id: 'b', needs: 'c', likes: 'x' }, { id: 'c', needs: 'a', all: ['y'] }, { id: 'x' }, { id: 'y', likes: 'a' }])
  assert.equal(shown(remove(state, 'x'), 'a', 'b', 'c', 'y'), ['a', 'b', 'c', 'y'])
  const gone = remove(graph([{ id: 'a', needs: 'b' }, { id: 'b', needs: 'c' }, { id: 'c', needs: 'a', all: ['d'] }, { id: 'd', needs: 'x', likes: 'a' }, { id: 'x' }]), 'x')
  assert.equal(shown(gone, 'a', 'b', 'c', 'd'), ['a', 'b', 'c'])
  assert.equal(view('a', gone)!.needs instanceof Node, true)
  const broken = remove(graph([{ id: 'a', needs: 'b', likes: 'c' }, { id: 'b', needs: 'a', all: ['c'] }, { id: 'c', needs: 'b' }, { id: 'd', likes: 'a' }]), 'b')
  assert.equal(shown(broken, 'a', 'b', 'c', 'd'), ['d'])
  assert.is(view('d', broken)!.likes, undefined)
})

test('what turns out not to be shown late is taken out of everything that was filled before', () => {
  // Every node lists every other; the last one needs what is gone, and the rest of the chain needs the next.
  const ids = Array.from({ length: 30 }, (_, i) => `n${i}`)
  const nodes = ids.map((id, i) => ({ id, all: ids, ...(i % 3 === 0 ? { needs: ids[i + 1] ?? 'x' } : i === 29 ? { needs: 'x' } : {}) }))
  const state = remove(graph([...nodes, { id: 'x' }]), 'x')
  const expected = ids.filter((_, i) => i !== 29)
  assert.equal(shown(state, ...ids), expected)
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
    assert.equal(shown(state, ...ids), ids.filter((id) => !invalid.has(id)))
    for (const node of nodes.filter(({ id }) => !invalid.has(id))) {
      const seen = view(node.id, state)!
      assert.equal(seen.all.map((each) => each.id), node.all.filter((id) => !invalid.has(id)))
      assert.is(seen.likes?.id, node.likes !== undefined && !invalid.has(node.likes) ? node.likes : undefined)
    }
  }
})

test('a pk may be given as a number', () => {
  assert.is(denormalize(Node, 5, graph([{ id: 5 }]))!.id, 5)
})

test('a raw object that its class will not have, or that needs something deleted, is not shown', () => {
  class Named extends Node {
    static override validate(processed: Fields): string | undefined {
      return processed['name'] ? undefined : 'no name'
    }
  }
  assert.is(denormalize(Named, { id: '1' }, emptyState), undefined)
  assert.is(denormalize(Node, { id: '1', needs: 'x' }, remove(graph([{ id: 'x' }]), 'x')), undefined)
})

test('null and undefined results are themselves', () => {
  for (const each of [Node, [Node], { node: Node }, new schema.Collection([Node])]) {
    for (const result of [null, undefined]) assert.is(denormalize(each, result, emptyState), result)
  }
})

test.run()
