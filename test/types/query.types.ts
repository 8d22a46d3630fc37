import { Controller, createLive, EntityMixin, type Entity, schema } from '../../src/index.ts'
import type { ManagerHost, QueryArgs, Snap, Tracker } from '../../src/index.ts'
import { a, type Equal, type Expect } from './expect.ts'
import { Todo, User } from './todos.ts'

class Plain {
  slug = ''
}
class Page extends EntityMixin(Plain, { pk: 'slug' }) {}

/** A read of an entity takes its pk, or an object of which each key is one of its fields. */
export function reads(): void {
  const controller = new Controller()
  const readers = [controller, a<Snap>(), a<ManagerHost>()] as const
  for (const reader of readers) {
    reader.get(Todo, 1)
    reader.get(Todo, '1')
    reader.get(Todo, { id: 1 })
    reader.get(Todo, { id: '1', title: 'x' })
    reader.get(Todo, a<Todo>())
    // @ts-expect-error 'idd' does not exist
    reader.get(Todo, { idd: 1 })
    // @ts-expect-error 'idd' does not exist
    reader.get(Todo, { id: 1, idd: 1 })
    // @ts-expect-error a method is no field
    reader.get(User, { greet: 1 })
    // @ts-expect-error a boolean is no pk
    reader.get(Todo, true)
  }
  // @ts-expect-error 'idd' does not exist
  controller.view(Todo, { idd: 1 })
  // @ts-expect-error 'idd' does not exist
  controller.live(Todo, { idd: 1 })
  // @ts-expect-error 'idd' does not exist
  createLive(controller, a<Tracker>()).query(Todo, { idd: 1 })
  controller.get(Page, { slug: 'x' })
  // @ts-expect-error 'id' does not exist
  controller.get(Page, { id: 'x' })
}

/** Others are named by arguments of the user's own. */
export function others(): void {
  const controller = new Controller()
  const todos = new schema.Collection([Todo])
  controller.get(todos, { list: 1, q: 'x' })
  controller.get(new schema.All(Todo))
  controller.get(new schema.Query(todos, (list: Todo[], _args: object, n: number) => list.length + n), { list: 1 }, 2)
  const found = new schema.Query(todos, (list: Todo[], { q }: { q: string; list?: number }) => list.filter(todo => todo.title.includes(q)))
  controller.get(found, { list: 1, q: 'x' })
  controller.get(found, null)
  // @ts-expect-error Property 'q' is missing
  controller.get(found, { list: 1 })
  controller.get(new schema.Query(todos, list => list.length), { list: 1 })
  const some = new schema.Query(todos, (list, wanted?: { done: boolean }) => list.filter(todo => todo.done === wanted?.done))
  controller.get(some)
  controller.get(some, null)
  // @ts-expect-error 'don' does not exist
  controller.get(some, { don: true })
  controller.get(new schema.Union({ todo: Todo, user: User }, 'type'), { type: 'todo', id: 1 })
  controller.get({ todo: Todo, todos }, { id: 1, list: 1 })
  controller.get(a<unknown>(), { anything: 1 })
  controller.get(a<typeof Entity>(), { anything: 1 })
  const read = <S>(of: S, ...args: QueryArgs<S>) => controller.get(of, ...args)
  const todo = read(Todo, { id: 1 })
  a<Expect<Equal<typeof todo, Todo | undefined>>>()
  // @ts-expect-error 'idd' does not exist
  read(Todo, { idd: 1 })
}
