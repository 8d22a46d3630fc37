import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Entity, PatchcordError, schema } from '../../../src/index.ts'
import { Todo } from './classes.ts'
import { LiveStore, watch } from './liveStore.ts'

const test = suite('live results and queries')

const page = { results: [Todo], first: Todo, at: Date, meta: { top: [Todo] }, cursor: '' }
const todo = (id: string, title = `t${id}`): object => ({ id, title })
const body = { results: [todo('1'), todo('2')], at: '2020-01-01', cursor: 'a', total: 2, meta: { top: [{ id: '2' }], n: 1 }, tags: ['x'] }

interface Page { results: Todo[]; first?: Todo; at: Date; cursor: string; total: number; meta: { top: Todo[]; n: number }; tags: string[] }

/** A store with a page, and that as a live object. */
function setup(more: object = {}): { at: LiveStore; read: () => Page | undefined; respond: (more: object) => void; result: Page } {
  const at = new LiveStore()
  const respond = (more: object): void => at.respond('page', page, { ...structuredClone(body), ...more })
  respond(more)
  const read = (): Page | undefined => at.result(page, 'page')
  return { at, read, respond, result: read()! }
}

test('a result that is no entity is one object, tracked by field', () => {
  const { at, read, respond, result } = setup()
  const names = ['results', 'cursor', 'total', 'at', 'meta', 'tags'] as const
  const watches = [watch(() => read()), ...names.map(name => watch(() => result[name])), watch(() => result.results[0]?.title)]
  const fresh = (): string => watches.map(each => each.fresh()).join('')
  const { results, meta, at: date } = result
  assert.is(results[0], at.entity(Todo, '1'))
  assert.is(meta.top[0], results[1])
  assert.equal([date.getUTCFullYear(), fresh()], [2020, '11111111'])
  respond({})
  assert.is(fresh(), '00000000')
  respond({ cursor: 'b' })
  assert.equal([fresh(), result.cursor], ['00100000', 'b'])
  at.write(Todo, { id: '1', title: 'x' })
  assert.is(fresh(), '00000001')
  respond({ cursor: 'b', results: [todo('2')], total: 1 })
  assert.equal([fresh(), result.results[0] === results[1]], ['01010001', true])
  assert.equal([read() === result, result.at === date, result.meta === meta], [true, true, true])
})

test('it looks like a plain object', () => {
  const { respond, result } = setup()
  assert.is(Object.getPrototypeOf(result), Object.prototype)
  assert.equal(Object.keys(result), ['results', 'at', 'cursor', 'total', 'meta', 'tags'])
  assert.equal(['cursor', 'nope', 'toString'].map(name => name in result), [true, false, true])
  assert.is(JSON.parse(JSON.stringify(result)).results[1].title, 't2')
  assert.is({ ...result }.results, result.results)
  assert.is(String(result), '[object Object]')
  assert.throws(() => (result.cursor = 'x'), (error: unknown) => error instanceof PatchcordError && error.code === 'READ_ONLY')
  const names = watch(() => Object.keys(result).length)
  assert.is(names.during(() => respond({ cursor: 'z' })), 0)
  assert.is(names.during(() => respond({ more: true })), 1)
  assert.is(names.last, 7)
})

test('a member that must not be shown takes the object with it; a retained one keeps its values', () => {
  const { at, read, result } = setup({ first: todo('1') })
  const root = watch(read)
  const { first } = result
  at.remove(Todo, '2')
  assert.equal([root.runs, result.results.length], [1, 1])
  at.remove(Todo, '1')
  assert.equal([root.last, root.runs], [undefined, 2])
  assert.equal([result.cursor, result.first], ['a', undefined])
  at.write(Todo, todo('1'))
  assert.is(root.last, result)
  assert.is(result.first, first)
  at.forget('page')
  assert.equal([root.last, result.cursor, result.total], [undefined, 'a', 2])
})

test('a result without a schema is live too, as far as it is an object', () => {
  const at = new LiveStore()
  at.respond('plain', undefined, { a: { b: 1 }, c: 2 })
  at.respond('list', undefined, [1, 2])
  const result = at.result<{ a: { b: number }; c: number }>(undefined, 'plain')
  const a = watch(() => result.a)
  at.respond('plain', undefined, { a: { b: 1 }, c: 3 })
  assert.equal([a.runs, result.c], [1, 3])
  assert.equal(at.result(undefined, 'list'), [1, 2])
  assert.is(at.result(undefined, 'none'), undefined)
  assert.throws(() => (a.last.b = 2), TypeError)
})

test('a query in a field of an entity is a memo of its own', () => {
  let ran = 0
  class List extends Entity {
    id = ''
    title = ''
    todos: Todo[] = []
    static override key = 'List'
    static override schema = {
      todos: new schema.Query([Todo], todos => {
        ran++
        return todos.filter(each => each.title !== 'done')
      }),
    }
  }
  const at = new LiveStore()
  at.write(List, { id: 'l', todos: [todo('1'), todo('2', 'done')] })
  const list = at.entity(List, 'l')!
  const open = watch(() => list.todos)
  assert.is(list.todos, open.last)
  at.write(List, { id: 'l', title: 'x' })
  at.write(Todo, { id: '1', more: 'y' })
  assert.equal([ran, open.runs], [1, 1])
  at.write(Todo, { id: '2', title: 'a' })
  assert.equal([ran, open.runs, open.last.length], [2, 2, 2])
  at.write(List, { id: 'l', todos: [todo('2', 'a'), todo('3', 'done')] })
  assert.equal([open.last.map(each => each.id), ran], [['2'], 3])
})

test.run()
