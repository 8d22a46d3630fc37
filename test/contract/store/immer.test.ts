import { applyPatches as immerApply, enableMapSet, enablePatches, produce, produceWithPatches, setAutoFreeze } from 'immer'
import type { Patch } from 'immer'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { applyPatches } from '../../../src/index.ts'
import type { State } from '../../../src/index.ts'
import { readRow } from '../../support/state.ts'
import { write } from '../../support/write.ts'
import { entity } from '../schema/todos.ts'

const test = suite('patches that Immer made')

enablePatches()
enableMapSet()

interface Content {
  id: string
  title: string
  tags: string[]
  deep: { rows: { n: number; cells: number[] }[]; named: { [name in string]: { x: number } } }
  extra?: unknown
}
const content = (): Content => ({
  id: '1', title: 'a', tags: ['x', 'y', 'z'],
  deep: { rows: [{ n: 1, cells: [1, 2] }, { n: 2, cells: [] }], named: { a: { x: 1 }, toString: { x: 2 } } },
})
const Doc = entity('Doc')
const { state } = write(Doc, content())
const read = (from: State): Content => readRow(from, 'Doc', '1') as unknown as Content

const recipes: [string, (draft: Content) => void][] = [
  ['a field', (draft) => void (draft.title = 'b')],
  ['a new field, and one gone', (draft) => {
    draft.extra = { list: [1] }
    Reflect.deleteProperty(draft, 'title')
  }],
  ['push, unshift and splice', (draft) => {
    draft.tags.push('new')
    draft.tags.unshift('first')
    draft.tags.splice(1, 2)
  }],
  ['a shorter list', (draft) => void (draft.tags.length = 1)],
  ['sorting and reversing', (draft) => void draft.tags.reverse()],
  ['rows deep inside', (draft) => {
    draft.deep.rows[0]!.cells.push(3)
    draft.deep.rows[1]!.n = 9
    draft.deep.rows.push({ n: 3, cells: [] })
    draft.deep.rows.shift()
  }],
  ['named values', (draft) => {
    draft.deep.named['b'] = { x: 5 }
    draft.deep.named['a']!.x = 7
    Reflect.deleteProperty(draft.deep.named, 'toString')
  }],
]

for (const [name, recipe] of recipes) {
  test(`${name}: apply as Immer applies them, forwards and backwards`, () => {
    const [next, patches, inverse] = produceWithPatches(content(), recipe)
    assert.ok(patches.length > 0)
    const rooted = (each: Patch): Patch => ({ ...each, path: ['entities', 'Doc', '1', ...each.path] })
    const forwards = applyPatches(state, patches.map(rooted))
    const sent = applyPatches(state, JSON.parse(JSON.stringify(patches.map(rooted))) as Patch[])
    assert.equal([forwards, sent].map(read), [next, next])
    assert.equal(read(applyPatches(forwards, inverse.map(rooted))), content())
  })
}

test('patches of ours apply in Immer, forwards and backwards', () => {
  const document = new Map([['entities', new Map([['Doc', new Map([['1', content()]])]])]])
  const next = { ...content(), title: 'b', tags: ['q', 'x', 'z'], deep: { rows: [{ n: 2, cells: [5] }], named: { toString: { x: 3 } } } }
  const { change } = write(Doc, next, state)
  const forwards = immerApply(document, change.patches as Patch[])
  const backwards = immerApply(forwards, change.inversePatches as Patch[])
  assert.equal([forwards, backwards].map((each) => each.get('entities')!.get('Doc')!.get('1')), [next, content()])
})

test('what the application switches on or off in its Immer does not reach us', () => {
  setAutoFreeze(false)
  const next = applyPatches(state, [{ op: 'replace', path: ['entities', 'Doc', '1', 'deep', 'rows', 0, 'n'], value: 5 }])
  assert.not(Object.isFrozen(produce({ a: {} }, (draft) => void (draft.a = {})).a))
  setAutoFreeze(true)
  assert.ok(Object.isFrozen(read(next).deep.rows[0]))
  assert.is(read(next).deep.rows[1], read(state).deep.rows[1])
})

test.run()
