import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { All, Collection, Query } from '../../../src/index.ts'
import { Todo } from './classes.ts'
import { Watch } from './watch.ts'
import { bothWays } from './ways.ts'
import { World } from './world.ts'

const test = suite('view: arguments')

const group = new Collection([Todo])
const ids = (todos: readonly Todo[] | undefined): string | undefined => todos?.map(todo => todo.id).join()
const signed = new Query([Todo], (todos: readonly Todo[], { page }: { page: number }) => `${page}: ${todos.map(todo => todo.title).join()}`)

bothWays(test, 'who changes an object that they asked with changes nothing for those who asked the same', at => {
  at.writeAll([group, [{ id: '1' }], [{ page: 1 }]], [group, [{ id: '2' }], [{ page: 2 }]])
  at.respond('signed', signed, [{ id: '1', title: 'a' }])
  const args = { page: 1 }
  const theirs = new Watch(() => ids(at.get(group, args)))
  const first = new Watch(() => ids(at.get(group, { page: 1 })))
  const text = at.watchResult(signed, 'signed', [args])
  args.page = 2
  at.write(Todo, { id: '1', title: 'x' })
  at.write(group.push, { id: '3' }, [{ page: 1 }])
  assert.equal([first.last, text.last], ['1,3', '1: x'])
  assert.equal([theirs.last, ids(at.get(group, args))], ['2', '2'])
})

type Is = RegExp | ((todo: Todo) => boolean)
const those = new Query(new All(Todo), (todos: readonly Todo[], is: Is | { is: Is }) => {
  const which = 'is' in is ? is.is : is
  return ids(todos.filter(todo => (which instanceof RegExp ? which.test(todo.id) : which(todo))))
})
const called = (id: string) => (todo: Todo) => todo.id === id

bothWays(test, 'functions of one text, and patterns, are different arguments', at => {
  at.write([Todo], [{ id: '1' }, { id: '2' }])
  const args = ['1', '2'].flatMap(id => [called(id), { is: called(id) }, new RegExp(id), { is: new RegExp(id) }])
  assert.is(args.map(is => at.get(those, is)).join(''), '11112222')
})

test('the same function is the same argument', () => {
  const world = new World()
  world.write([Todo], [{ id: '1' }])
  let times = 0
  const counted = new Query(new All(Todo), (todos: readonly Todo[], is: (todo: Todo) => boolean) => (times++, todos.filter(is)))
  const is = called('1')
  assert.is(world.get(counted, is), world.get(counted, is))
  assert.is(times, 1)
})

test.run()
