import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readRow } from '../support/state.ts'
import { denormalize, emptyState, exportState, HydrationError, importState, schema } from '../../src/index.ts'
import { caught, warnings } from '../support/caught.ts'
import { at, write } from '../support/write.ts'
import { User } from './entities.ts'
import { pristine } from './pristine.ts'

const test = suite('hostile states from outside')
test.after.each(() => assert.ok(pristine()))

const texts = ['</script>', '</SCRIPT ', '<!--', '<script', ']]>', '\u2028\u2029', '__proto__', 'constructor', 'toString', '\ud800', '\u0000', '"', '\\"']

test('H70 any text in values, keys and pks comes back exactly', () => {
  const state = write([User], texts.map((text) => ({ id: text, value: text, deep: { [text === '__proto__' ? 'proto' : text]: [text] } }))).state
  const back = importState(JSON.parse(JSON.stringify(exportState(state))))
  for (const text of texts) assert.is(JSON.stringify(readRow(back, 'User', text)), JSON.stringify(readRow(state, 'User', text)))
  assert.equal(exportState(back).entities[0]![1].map(([pk]) => pk), texts)
})

const valid = (): string => JSON.stringify(exportState(write(new schema.Collection([User]), [{ id: '1', n: { a: [1] } }, { id: '2', best: '1' }], emptyState, [{ q: 1 }], at(5)).state))

test('H71 whatever is cut, swapped or overwritten is refused whole or taken whole, and nothing else is thrown', () => {
  const text = valid()
  let [refused, taken] = [0, 0]
  const mutants: unknown[] = []
  const mutate = (value: unknown, put: (other: unknown) => unknown): void => {
    for (const other of [null, 5, 'x', [], {}, true, JSON.parse('{"__proto__":1}')]) mutants.push(put(other))
    if (typeof value !== 'object' || value === null) return
    for (const name of Object.keys(value)) {
      const inner = (value as { [name: string]: unknown })[name]
      mutate(inner, (other) => put(Array.isArray(value) ? value.map((member, i) => (String(i) === name ? other : (member as unknown))) : { ...value, [name]: other }))
    }
  }
  mutate(JSON.parse(text), (other) => other)
  for (const data of mutants) {
    try {
      const state = importState(data)
      denormalize([User], ['1', '2'], state)
      denormalize(new schema.Collection([User]), '{"q":"1"}', state)
      exportState(state)
      taken++
    } catch (error) {
      assert.instance(error, HydrationError)
      refused++
    }
  }
  assert.ok(refused > 100 && taken > 20, `${refused} refused, ${taken} taken`)
})

test('H71 a record 10,000 deep is refused', () => {
  let deep: unknown = 1
  for (let i = 0; i < 10_000; i++) deep = [deep]
  assert.instance(caught(() => importState({ version: 1, entities: [['User', [['1', { deep }, null]]]], endpoints: [] })), HydrationError)
})

test('H71 tables that nobody has a class for, dangling pks and future stamps are taken as they are', () => {
  const state = importState({
    version: 1,
    entities: [['Unknown', [['1', { id: '1' }, null]]], ['User', [['1', { id: '1', best: 'nobody' }, { fetchedAt: 9e15, date: 9e15, expiresAt: 1 }]]]],
    endpoints: [['GET /x', ['1', 'nobody']]],
  })
  const user = denormalize(User, '1', state)!
  assert.is(user.best, undefined)
  assert.equal(denormalize([User], ['1', 'nobody'], state)!.length, 1)
})

test('H72 what is no plain data is left out of an export, with one warning that names the path', () => {
  const record = { id: '1', fine: [1, null], map: new Map(), big: 12n, nested: { list: [1, Symbol('s'), () => 1], blob: new Blob([]) } }
  let data: unknown
  const messages = warnings(() => {
    data = exportState(write([User], [record, { id: '2' }]).state)
  })
  assert.is(messages.length, 1)
  for (const path of ['User 1.map', 'User 1.big', 'User 1.nested.list.1', 'User 1.nested.blob']) assert.match(messages[0]!, path)
  const [row, plain] = (JSON.parse(JSON.stringify(data)) as { entities: [string, [string, unknown][]][] }).entities[0]![1]
  assert.equal(row![1], { id: '1', fine: [1, null], nested: { list: [1, null, null] } })
  assert.equal(plain![1], { id: '2' })
})

test('H72 an export of plain data says nothing and copies nothing', () => {
  const { state } = write(User, { id: '1', deep: { list: [{ a: 1 }] } })
  assert.equal(warnings(() => exportState(state)), [])
  assert.is(exportState(state).entities[0]![1][0]![1], readRow(state, 'User', '1'))
})

test.run()
