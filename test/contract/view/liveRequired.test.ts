import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { DepthError, Entity, schema, type Fields } from '../../../src/index.ts'
import { LiveStore, watch } from './liveStore.ts'

const test = suite('live objects: what must not be shown')

/** `needs` is required, `likes` is optional, `all` is a list. */
class Node extends Entity {
  id = ''
  label = ''
  needs: Node | object = REQUIRED
  likes: Node | undefined = undefined
  all: Node[] = []
  box: { node?: Node } | undefined = undefined
  static override key = 'Node'
  static override schema: Fields = {}
}
const REQUIRED = {}
Node.schema = { needs: Node, likes: Node, all: [Node], box: { node: Node } }

const list = new schema.Collection([Node])
const visible = (at: LiveStore, ...pks: string[]): string[] => pks.filter(pk => at.live.entity(Node, pk))

test('nested and absent is the default, null is null, missing is undefined until it arrives', () => {
  const at = new LiveStore()
  at.write([[Node], [{ id: 'a' }, { id: 'b', likes: null, needs: null }, { id: 'c', likes: 'x', needs: 'x' }]])
  const [a, b, c] = ['a', 'b', 'c'].map(pk => at.live.entity(Node, pk)!)
  assert.equal([a!.likes, b!.likes, b!.needs, c!.likes, c!.needs], [undefined, null, null, undefined, undefined])
  assert.is(a!.needs, REQUIRED)
  const likes = watch(() => c!.likes?.label)
  at.write([Node, { id: 'x', label: 'X' }])
  assert.equal([likes.last, likes.runs], ['X', 2])
  assert.is(c!.needs, c!.likes)
})

test('an optional one that is deleted is undefined; a required one takes its parent with it', () => {
  const at = new LiveStore()
  at.write([list, [{ id: 'a', likes: { id: 'x', label: 'X' } }, { id: 'b', needs: 'x', label: 'B' }, { id: 'c', needs: 'b' }]])
  const likes = watch(() => at.live.entity(Node, 'a')!.likes)
  const all = watch(() => at.live.query(list)!.map(node => node.id).join())
  const b = at.live.entity(Node, 'b')!
  const label = watch(() => b.label)
  at.remove(Node, 'x')
  assert.equal([likes.last, all.last], [undefined, 'a'])
  assert.equal(visible(at, 'a', 'b', 'c', 'x'), ['a'])
  // Whoever holds the object that is no longer shown finds its own values; the deleted row is undefined.
  assert.equal([b.label, (b.needs as Node | undefined)?.label, label.runs], ['B', undefined, 1])
  at.write([Node, { id: 'x', label: 'Y' }])
  assert.equal([all.last, likes.last!.label, likes.runs, all.runs], ['a,b,c', 'Y', 3, 3])
  assert.is(at.live.entity(Node, 'b'), b)
})

test('a parent that is given another one is shown again', () => {
  const at = new LiveStore()
  at.write([list, [{ id: 'a', needs: { id: 'x' } }, { id: 'y' }]])
  const all = watch(() => at.live.query(list)!.map(node => node.id).join())
  at.remove(Node, 'x')
  assert.is(all.last, 'y')
  at.write([Node, { id: 'a', needs: 'y' }])
  assert.is(all.last, 'a,y')
  // What it no longer requires may come and go.
  at.write([Node, { id: 'x' }])
  at.remove(Node, 'x')
  assert.is(all.runs, 3)
  at.write([Node, { id: 'a', needs: 'x' }])
  assert.is(all.last, 'y')
})

test('one that goes missing without being deleted gives its parent back', () => {
  const at = new LiveStore()
  at.write([[Node], [{ id: 'a', needs: { id: 'x' } }]])
  const a = watch(() => at.live.entity(Node, 'a') !== undefined)
  at.remove(Node, 'x')
  at.collect('Node', 'x')
  assert.equal([a.last, a.runs], [true, 3])
})

test('a circle of required fields is shown, is hidden as a whole, and comes back as a whole', () => {
  const at = new LiveStore()
  at.write([list, [{ id: 'a', needs: 'b' }, { id: 'b', needs: 'c' }, { id: 'c', needs: 'a' }, { id: 'd', needs: 'a' }, { id: 'e' }]])
  const all = watch(() => at.live.query(list)!.map(node => node.id).join(''))
  assert.is(all.last, 'abcde')
  at.remove(Node, 'b')
  assert.is(all.last, 'e')
  at.write([Node, { id: 'b', needs: 'c' }])
  assert.equal([all.last, all.runs], ['abcde', 3])
  at.write([Node, { id: 'c', needs: 'x' }], [new schema.Invalidate(Node), { id: 'x' }])
  assert.is(all.last, 'e')
  at.write([Node, { id: 'c', needs: 'e' }])
  assert.equal([all.last, all.runs], ['abcde', 5])
})

test('a list that is replaced while none of its members is there shows the new ones when they come', () => {
  const at = new LiveStore()
  at.write([Node, { id: 'a', all: ['x'] }])
  const all = watch(() => at.live.entity(Node, 'a')!.all.map(node => node.id).join())
  at.write([Node, { id: 'a', all: ['y'] }])
  at.write([[Node], [{ id: 'x' }]])
  assert.is(all.last, '')
  at.write([[Node], [{ id: 'y' }]])
  assert.is(all.last, 'y')
})

test('an object in a field falls with its member, and the field becomes undefined', () => {
  const at = new LiveStore()
  at.write([Node, { id: 'a', box: { node: { id: 'x', label: 'X' } } }])
  const a = at.live.entity(Node, 'a')!
  const box = watch(() => a.box?.node?.label)
  assert.is(a.box, a.box)
  at.remove(Node, 'x')
  assert.equal([box.last, a.box], [undefined, undefined])
  at.write([Node, { id: 'x', label: 'Y' }])
  assert.is(box.last, 'Y')
})

test('a raw object where a pk is expected is one live object in place', () => {
  const at = new LiveStore()
  at.write([[Node], [{ id: 'a' }, { id: 'x', label: 'X' }]])
  const a = at.live.entity(Node, 'a')!
  const likes = watch(() => a.likes)
  at.commit([{ op: 'add', path: ['entities', 'Node', 'a', 'likes'], value: { id: 'raw', label: 'R', needs: 'x', likes: 'x' } }])
  const raw = likes.last!
  assert.ok(raw instanceof Node)
  assert.equal([raw.label, raw.likes, raw.needs], ['R', at.live.entity(Node, 'x'), at.live.entity(Node, 'x')])
  assert.is(a.likes, raw)
  at.write([Node, { id: 'a', label: 'A' }])
  assert.is(likes.runs, 2)
  at.remove(Node, 'x')
  assert.equal([likes.last, likes.runs], [undefined, 3])
})

/** The first of a chain of rows that require each other; its last one goes and comes back. */
function chain(length: number): LiveStore {
  const at = new LiveStore()
  at.write([[Node], Array.from({ length }, (_, i) => ({ id: `${i}`, ...(i + 1 < length ? { needs: `${i + 1}` } : {}) }))])
  return at
}

test('a chain of rows that require each other neither overflows nor lags', () => {
  // Views are built by recursion, at most 1,000 levels deep.
  const length = 500
  const at = chain(length)
  const first = watch(() => at.live.entity(Node, '0') !== undefined)
  assert.ok(first.last)
  at.remove(Node, `${length - 1}`)
  assert.equal([first.last, first.runs], [false, 2])
  at.write([Node, { id: `${length - 1}` }])
  assert.equal([first.last, first.runs], [true, 3])
})

test('a chain deeper than 1,000 is reported as a DepthError, and its row not shown', () => {
  const at = chain(10_000)
  assert.is(at.live.entity(Node, '0'), undefined)
  assert.ok(at.errors[0] instanceof DepthError)
  assert.is(at.live.entity(Node, '9900')!.id, '9900')
})

test('validate says what must not be shown', () => {
  class Full extends Entity {
    id = ''
    text = ''
    static override key = 'Summary'
    static override validate(record: Fields): string | undefined {
      return 'text' in record ? undefined : 'no text yet'
    }
  }
  class Summary extends Entity {
    id = ''
    static override key = 'Summary'
  }
  const at = new LiveStore()
  at.write([Summary, { id: '1' }])
  const full = watch(() => at.live.entity(Full, '1')?.text)
  assert.equal([full.last, at.live.entity(Summary, '1')!.id], [undefined, '1'])
  at.write([Full, { id: '1', text: 'long' }])
  assert.equal([full.last, full.runs], ['long', 2])
})

test.run()
